/** Faults of the reference service that load finds on real sockets: each scenario names the requirement that is broken. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ScenarioName } from '../../harness/load/shared/scenarios.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { k6AtHand } from '../support/k6.ts'
import { expectHeld } from '../support/punctual.ts'
import { carryOut } from './real-k6.ts'

function load(name: ScenarioName, faults: readonly string[]): Promise<LoadResult> {
  return carryOut(name, { faults, windowSeconds: 2 }, ({ result }) => result)
}

/** A few of the whole table (load-faults.json), which is judged in virtual time: one that races, or whose times matter, of each. */
const TABLE = [
  ['rate-limit-windows', 'window-count-plus-one', 'RATE-02'],
  ['spend-contention', 'spend-check-then-act', 'CAP-13'],
  ['spend-contention', 'contention-lingers', 'BUSY-07'],
  ['replay-storm', 'duplicates-race', 'IDEM-12'],
  ['unhide-budgets', 'unhide-completed-unlimited', 'UNHIDE-10'],
  ['polling', 'finished-reference-forgotten', 'IDEM-15'],
  ['checkout', 'checkout-cap-per-position', 'CAP-21'],
  ['mixed', 'terminal-state-reverts', 'STATE-03'],
] as const satisfies readonly (readonly [ScenarioName, string, string])[]

const SCENARIOS = [...new Set(TABLE.map(([scenario]) => scenario))]

describe('load on the reference service with a real k6', { concurrent: true }, () => {
  beforeEach((context) => {
    if (k6AtHand === undefined) context.skip('no k6 in K6_BIN, on PATH or in the cache')
  })

  test.each(SCENARIOS)('%s passes without a fault', async (name) => {
    const result = await load(name, [])
    expect(result.reason).not.toContain('undecided')
    expectHeld(result)
    expect(result.requests.sent).toBeGreaterThanOrEqual(result.requests.planned)
  })

  test.each(TABLE)('%s finds %s (%s)', async (name, fault, requirement) => {
    const result = await load(name, [fault])
    const failed = result.findings.filter(({ verdict }) => verdict === 'fail')
    expect(result.verdict, result.reason).toBe('fail')
    expect(failed.map((finding) => finding.requirement)).toContain(requirement)
  })
})
