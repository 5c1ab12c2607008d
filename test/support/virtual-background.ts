/** The traffic of --under-load in virtual time: the same plan, clients and judge, without k6. */
import { readAsFile } from './evidence-text.ts'
import { wholeRun } from './whole-run.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Transport } from '../../harness/client/exchange.ts'
import { importOpenModel } from '../../harness/load/open-model/import.ts'
import type { OpenModelContext } from '../../harness/load/open-model/context.ts'
import { draftUnderLoad } from '../../harness/load/under-load/plan.ts'
import { underLoadOf } from '../../harness/load/under-load/result.ts'
import type { Requests, Stretch } from '../../harness/load/under-load/traffic.ts'
import type { UnderLoadChoice } from '../../harness/load/under-load/workload.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { playSessions } from '../load/virtual-sessions.ts'
import { senderOver } from '../load/virtual-network.ts'

/** Longer than any suite takes in virtual time. */
const SECONDS_MAX = 7200
/** What lies on the service, and for how long before the first check. */
export type VirtualLoad = UnderLoadChoice & { readonly headSeconds?: number }

const HEAD_SECONDS = 3

/** What is judged of the background needs no more of the checks than when they began and ended. */
function requestsIn({ fromMs, toMs }: Stretch): Requests {
  const [sentMs, receivedMs] = [Float64Array.of(fromMs), Float64Array.of(toMs)]
  return { sentMs, receivedMs, statuses: Uint16Array.of(200) }
}

/** Carries something out while other accounts of the service are busy. */
export async function besideBackground<T>(
  choice: VirtualLoad,
  context: OpenModelContext,
  { transport, clock }: { readonly transport: Transport; readonly clock: VirtualClock },
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly load: LoadResult }> {
  const draft = draftUnderLoad(choice, context, SECONDS_MAX)
  if ('lacks' in draft) throw new Error(draft.lacks)
  const plan = await draft.plan()
  let isOver = false
  const network = { clock, send: senderOver(transport, clock) }
  const playing = playSessions(plan, network, () => isOver)
  await clock.sleep(plan.file.leadMs + 1000 * (choice.headSeconds ?? HEAD_SECONDS))
  const fromMs = clock.wallMs()
  const result = await work()
  const stretch = { fromMs, toMs: clock.wallMs() }
  isOver = true
  const { sessions, keyEnvs } = plan.file
  const text = await playing
  const reading = { sessions, keys: keyEnvs.length, interrupted: true }
  const evidence = await readAsFile(text, (file) => importOpenModel(file, reading))
  const run = { ...wholeRun(), evidence, isEnough: true }
  const checks = { stretch, requests: requestsIn(stretch) }
  const given = { checks, target: context.target, k6Version: 'virtual' }
  return { result, load: underLoadOf(plan, run, draft, given).result }
}
