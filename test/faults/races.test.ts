/** Races whose requests do not meet prove nothing: their checks say so, and none passes. */
import { describe, expect, it } from 'vitest'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import type { Transport, WireRequest } from '../../harness/client/exchange.ts'
import type { Clock } from '../../harness/clock.ts'
import { seeded } from '../support/limiter-simulator.ts'
import type { Check } from '../../schemas/generated/run-record.ts'
import { delayed, inSingleFile } from '../support/networks.ts'
import { checksOf, RACE_FAULTS } from '../support/races.ts'
import { virtualRun } from '../support/virtual-run.ts'

/** For a machine that does much else. */
/** Longer than an order takes. */
const GAP_MS = 20

const RACE_CHECKS = [
  'contention.decided-capped',
  'contention.decided-full',
  'contention.refused',
  'idempotency.copies-charged-once',
  'idempotency.copies-of-many',
  'idempotency.copies-of-one',
  'transaction-limit.concurrent',
]

async function checksOver(
  ids: readonly string[],
  faults: readonly string[],
  network: (transport: Transport, clock: Clock) => Transport,
): Promise<readonly Check[]> {
  const { outcomes } = await virtualRun({
    faults,
    windowSeconds: 60,
    checks: ALL_CHECKS.filter(({ id }) => ids.includes(id)),
    invariants: [],
    network,
  })
  return outcomes.map(({ check }) => check)
}

function isPurchase({ method, url }: WireRequest): boolean {
  return method === 'POST' && url.endsWith('/orders')
}

function singleFile(transport: Transport, clock: Clock): Transport {
  return inSingleFile(transport, clock, GAP_MS, isPurchase)
}

describe('where orders leave one after the other', () => {
  it.each(['clean', ...RACE_FAULTS])('no check of races passes: %s', async (name) => {
    const faults = name === 'clean' ? [] : [name]
    // One after the other across all checks, so each is carried out on its own.
    const ended = await Promise.all(RACE_CHECKS.map((id) => checksOver([id], faults, singleFile)))
    const verdicts = ended.flat().map(({ id, verdict }) => `${id} ${verdict}`)
    expect(verdicts.toSorted()).toEqual(RACE_CHECKS.map((id) => `${id} inconclusive`))
  })

  it('the reason tells how the requests met', async () => {
    const [check] = await checksOver(['contention.decided-full'], [], singleFile)
    expect(check?.reason).toContain(
      'too few orders arrived together to tell: 0 of 10 bursts, 5 are asked for',
    )
    expect(check?.reason).toContain('10 orders sent within 180.0 ms')
  })
})

describe('where orders that left together arrive apart', () => {
  const cases = [1, 5, 20, 60].flatMap((delayMsMax) =>
    Array.from({ length: 5 }, (_, seed) => ({ delayMsMax, seed })),
  )

  it.each(cases)(
    'a livelock is not passed: $delayMsMax ms, seed $seed',
    async ({ delayMsMax, seed }) => {
      const random = seeded(1 + seed)
      const checks = await checksOver(
        checksOf('contention-livelock').filter((id) => id.endsWith('-capped')),
        ['contention-livelock'],
        (transport, clock) => delayed(transport, clock, () => random() * delayMsMax),
      )
      expect(checks).toHaveLength(1)
      expect(['fail', 'inconclusive']).toContain(checks[0]?.verdict)
    },
  )

  it.each(cases)(
    'a service that is right passes: $delayMsMax ms, seed $seed',
    async ({ delayMsMax, seed }) => {
      const random = seeded(1 + seed)
      const checks = await checksOver(
        ['contention.decided-capped', 'contention.decided-full'],
        [],
        (transport, clock) => delayed(transport, clock, () => random() * delayMsMax),
      )
      expect(checks.map(({ verdict }) => verdict)).toEqual(['pass', 'pass'])
    },
  )
})
