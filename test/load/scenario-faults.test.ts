/** Faults of the reference service that load finds on real sockets: each scenario names the requirement that is broken. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { accountsOf } from '../../harness/accounts/select-accounts.ts'
import { RealClock } from '../../harness/clock.ts'
import { findK6, type K6Binary } from '../../harness/load/k6-binary.ts'
import { readyVolleys } from '../../harness/load/ready.ts'
import { runLoad } from '../../harness/load/run-load.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { effectiveLimits } from '../../harness/quota/effective-limits.ts'
import { startEmbedded } from '../../harness/target/embedded.ts'

/** Whatever is at hand: building one would take longer than all other tests together. */
const k6: K6Binary | undefined = await findK6({
  env: process.env,
  onProgress: () => undefined,
  sources: ['K6_BIN', 'PATH', 'cache'],
}).catch(() => undefined)

type Name = Parameters<typeof readyVolleys>[0]

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

function load(name: Name, faults: readonly string[]): Promise<LoadResult> {
  return inTurn(() => loadNow(name, faults))
}

async function loadNow(name: Name, faults: readonly string[]): Promise<LoadResult> {
  await using embedded = await startEmbedded({ faults, windowSeconds: 2 })
  const { target } = embedded
  const accounts = accountsOf(target)
  const limits = effectiveLimits({ ...target, limits: SHORT })
  const ready = readyVolleys(name, { target, limits, accounts })
  if ('lacks' in ready) throw new Error(ready.lacks)
  const runDir = await mkdtemp(path.join(tmpdir(), 'harness-load-faults-'))
  try {
    const [result] = await runLoad([ready], {
      k6: k6 as K6Binary,
      runDir,
      clock: new RealClock(),
      onProgress: () => undefined,
    })
    return result as LoadResult
  } finally {
    await rm(runDir, { recursive: true, force: true })
  }
}

/** What the embedded service starts with at windows of two seconds, as it reports it. */
const SHORT = {
  default: { count: 40, windowSeconds: 2 },
  'orders.filtered': { count: 12, windowSeconds: 2 },
} as const

const TABLE = [
  ['spend-contention', 'spend-check-then-act', 'CAP-13'],
  ['spend-contention', 'spend-lost-update', 'CAP-13'],
  ['spend-contention', 'cap-strictly-less', 'CAP-02'],
  ['spend-contention', 'cap-shared-by-account', 'CAP-15'],
  ['spend-contention', 'contention-bad-gateway', 'BUSY-01'],
  ['spend-contention', 'contention-without-retry-after', 'BUSY-02'],
  ['spend-contention', 'contention-creates-order', 'BUSY-04'],
  ['spend-contention', 'contention-leaks-reservation', 'BUSY-05'],
  ['spend-contention', 'contention-burns-reference', 'BUSY-06'],
  ['spend-contention', 'contention-livelock', 'BUSY-08'],
  ['replay-storm', 'duplicates-race', 'IDEM-12'],
  ['replay-storm', 'replay-creates-second-order', 'IDEM-05'],
  ['replay-storm', 'replay-status-code', 'IDEM-04'],
  ['replay-storm', 'replay-other-price', 'IDEM-03'],
  ['unhide-budgets', 'unhide-pending-unlimited', 'UNHIDE-05'],
  ['unhide-budgets', 'unhide-success-is-pending', 'UNHIDE-07'],
  ['unhide-budgets', 'unhide-completed-unlimited', 'UNHIDE-10'],
  ['unhide-budgets', 'unhide-alias-counted-apart', 'UNHIDE-13'],
  ['unhide-budgets', 'unhide-counter-per-account', 'UNHIDE-14'],
  ['unhide-budgets', 'admission-missing', 'UNHIDE-17'],
  ['unhide-budgets', 'admission-count-maximum', 'UNHIDE-17'],
  ['unhide-budgets', 'admission-after-state-limit', 'UNHIDE-17'],
] as const satisfies readonly (readonly [Name, string, string])[]

const SCENARIOS = [...new Set(TABLE.map(([scenario]) => scenario))]

describe(
  'load on the reference service with a real k6',
  { concurrent: true, timeout: 120_000 },
  () => {
    beforeEach((context) => {
      if (k6 === undefined) context.skip('no k6 in K6_BIN, on PATH or in the cache')
    })

    test.each(SCENARIOS)('%s passes without a fault', async (name) => {
      const result = await load(name, [])
      expect(result.reason).not.toContain('undecided')
      expect(result.verdict, result.reason).toBe('pass')
      expect(result.requests.sent).toBeLessThanOrEqual(
        Number(result.measurements['requestsPlannedMax']),
      )
    })

    test.each(TABLE)('%s finds %s (%s)', async (name, fault, requirement) => {
      const result = await load(name, [fault])
      const failed = result.findings.filter(({ verdict }) => verdict === 'fail')
      expect(result.verdict, result.reason).toBe('fail')
      expect(failed.map((finding) => finding.requirement)).toContain(requirement)
    })
  },
)
