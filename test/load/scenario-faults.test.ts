/** Faults of the reference service that load finds on real sockets: each scenario names the requirement that is broken. */
import { statedLimits } from '../support/stated-limits.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { accountsOf } from '../../harness/accounts/select-accounts.ts'
import { RealClock } from '../../harness/clock.ts'
import { prepareScenario } from '../../harness/gate/load-phase.ts'
import { k6AtHand } from '../support/k6.ts'
import { expectHeld } from '../support/punctual.ts'
import type { K6Binary } from '../../harness/load/k6/k6-binary.ts'
import { runLoad } from '../../harness/load/run-load.ts'
import type { ScenarioName } from '../../harness/load/shared/scenarios.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { effectiveLimits } from '../../harness/quota/effective-limits.ts'
import { startEmbedded } from '../../harness/test-server/embedded.ts'

const WINDOW_SECONDS = 2

/** A window has to be spent before it ends, also on a busy machine. */
const SPENT_WINDOW_SECONDS = 6

const k6 = k6AtHand

/** More k6 at once would only make one another late. */
const slots = [Promise.resolve(), Promise.resolve()]
let turns = 0

function inTurn<T>(job: () => Promise<T>): Promise<T> {
  const slot = turns++ % slots.length
  const done = (slots[slot] ?? Promise.resolve()).then(job)
  slots[slot] = done.then(
    () => undefined,
    () => undefined,
  )
  return done
}

function load(name: ScenarioName, faults: readonly string[]): Promise<LoadResult> {
  return inTurn(() => loadNow(name, faults))
}

async function loadNow(name: ScenarioName, faults: readonly string[]): Promise<LoadResult> {
  const windowSeconds = name === 'rate-limit-windows' ? SPENT_WINDOW_SECONDS : WINDOW_SECONDS
  await using embedded = await startEmbedded({ faults, windowSeconds })
  const { target } = embedded
  const limits = effectiveLimits({ ...target, limits: statedLimits(windowSeconds) })
  const workload = { workload: 'smoke' } as const
  const ready = await prepareScenario(
    name,
    { target, accounts: accountsOf(target), ready: { limits } },
    workload,
  )
  if ('lacks' in ready) throw new Error(ready.lacks)
  const runDir = await mkdtemp(path.join(tmpdir(), 'harness-load-faults-'))
  try {
    const [result] = await runLoad([ready], {
      k6: k6 as K6Binary,
      reached: target,
      runDir,
      clock: new RealClock(),
      onProgress: () => undefined,
    })
    return result as LoadResult
  } finally {
    await rm(runDir, { recursive: true, force: true })
  }
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
    if (k6 === undefined) context.skip('no k6 in K6_BIN, on PATH or in the cache')
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
