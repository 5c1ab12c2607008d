/** A scenario of load with a real k6 against the reference service. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AccountSource } from '../../harness/accounts/accounts.ts'
import { accountsOf } from '../../harness/accounts/select-accounts.ts'
import { RealClock } from '../../harness/clock.ts'
import { prepareScenario } from '../../harness/gate/load-phase.ts'
import type { K6Binary } from '../../harness/load/k6/k6-binary.ts'
import { runLoad } from '../../harness/load/run-load.ts'
import type { ScenarioName } from '../../harness/load/shared/scenarios.ts'
import { effectiveLimits } from '../../harness/quota/effective-limits.ts'
import type { Target } from '../../harness/target-file/target.ts'
import { startEmbedded } from '../../harness/test-server/embedded.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { k6AtHand } from '../support/k6.ts'
import { statedLimits } from '../support/stated-limits.ts'

/** A window has to be spent before it ends, also where several k6 share a busy machine. */
const SPENT_WINDOW_SECONDS = 6

type Run = {
  readonly faults: readonly string[]
  readonly windowSeconds: number
  readonly instances?: number
  /** Sees the keys that are used. */
  readonly watch?: (accounts: AccountSource) => AccountSource
}

/** What is left of a run, until it is looked at. */
type Ended = { readonly result: LoadResult; readonly target: Target; readonly runDir: string }

/** More k6 at once would only make one another late. */
const slots: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()]
let turns = 0

/** Carries a scenario out when its turn comes. */
export function carryOut<T>(
  name: ScenarioName,
  run: Run,
  look: (ended: Ended) => T | Promise<T>,
): Promise<T> {
  const slot = turns++ % slots.length
  const done = (slots[slot] as Promise<unknown>).then(() => carryOutNow(name, run, look))
  slots[slot] = done.catch(() => undefined)
  return done
}

async function carryOutNow<T>(
  name: ScenarioName,
  { faults, windowSeconds: usual, instances = 1, watch = (accounts) => accounts }: Run,
  look: (ended: Ended) => T | Promise<T>,
): Promise<T> {
  const windowSeconds = name === 'rate-limit-windows' ? SPENT_WINDOW_SECONDS : usual
  await using embedded = await startEmbedded({ faults, windowSeconds })
  const { target } = embedded
  const accounts = watch(accountsOf(target))
  const limits = effectiveLimits({ ...target, limits: statedLimits(windowSeconds) })
  const wanted = { target, accounts, ready: { limits } }
  const ready = await prepareScenario(name, wanted, { workload: 'smoke' })
  if ('lacks' in ready) throw new Error(ready.lacks)
  const runDir = await mkdtemp(path.join(tmpdir(), 'harness-real-k6-'))
  try {
    const [result] = await runLoad([ready], {
      k6: k6AtHand as K6Binary,
      reached: target,
      runDir,
      instances,
      clock: new RealClock(),
      onProgress: () => undefined,
    })
    return await look({ result: result as LoadResult, target, runDir })
  } finally {
    await rm(runDir, { recursive: true, force: true })
  }
}
