/** A scenario of load with a real k6 against the reference service. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { AccountSource, AccountSpec, KeyringRequest } from '../../harness/accounts/accounts.ts'
import { accountsOf } from '../../harness/accounts/select-accounts.ts'
import { RealClock } from '../../harness/clock.ts'
import { prepareScenario } from '../../harness/gate/load-phase.ts'
import type { K6Binary } from '../../harness/load/k6/k6-binary.ts'
import type { WorkloadChoice } from '../../harness/load/open-model/workloads.ts'
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
  readonly choice?: WorkloadChoice
  /** Where k6 sends its own metrics, by the directory of the run. */
  readonly outputs?: (runDir: string) => readonly string[]
  /** Gets the account of each key that is used. */
  readonly used?: Map<string, string>
  onProgress?(text: string): void
}

/** What is left of a run, until it is looked at. */
type Ended = {
  readonly result: LoadResult
  readonly target: Target
  /** Everything that was written, by file name. */
  readonly files: ReadonlyMap<string, string>
}

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
  run: Run,
  look: (ended: Ended) => T | Promise<T>,
): Promise<T> {
  const { faults, instances = 1, choice = { workload: 'smoke' }, outputs, used } = run
  const windowSeconds = name === 'rate-limit-windows' ? SPENT_WINDOW_SECONDS : run.windowSeconds
  await using embedded = await startEmbedded({ faults, windowSeconds })
  const { target } = embedded
  const accounts = used ? watched(accountsOf(target), used) : accountsOf(target)
  const limits = effectiveLimits({ ...target, limits: statedLimits(windowSeconds) })
  const wanted = { target, accounts, ready: { limits } }
  const ready = await prepareScenario(name, wanted, choice)
  if ('lacks' in ready) throw new Error(ready.lacks)
  const runDir = await mkdtemp(path.join(tmpdir(), 'harness-real-k6-'))
  try {
    const [result] = await runLoad([ready], {
      k6: k6AtHand as K6Binary,
      reached: target,
      runDir,
      instances,
      ...(outputs && { outputs: outputs(runDir) }),
      clock: new RealClock(),
      onProgress: (text) => run.onProgress?.(text),
    })
    const names = await readdir(runDir)
    const texts = names.map((each) => readFile(path.join(runDir, each), 'utf8'))
    const files = new Map((await Promise.all(texts)).map((text, at) => [names[at] ?? '', text]))
    return await look({ result: result as LoadResult, target, files })
  } finally {
    await rm(runDir, { recursive: true, force: true })
  }
}

/** Remembers the account of every key. */
function watched(accounts: AccountSource, used: Map<string, string>): AccountSource {
  return {
    ...accounts,
    async open(request: KeyringRequest) {
      const keyring = await accounts.open(request)
      for (const role of request.roles) {
        const { secret, account } = keyring.key(role)
        used.set(secret, account)
      }
      return keyring
    },
    async make(spec: AccountSpec) {
      const made = (await accounts.make?.(spec)) ?? []
      for (const { secret, account } of made) used.set(secret, account)
      return made
    },
  }
}
