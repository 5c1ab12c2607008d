import type { Bucket } from '../../../contract/limits.ts'
import type { OperationName } from '../../../contract/operations.ts'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { inconclusive, isThrottled } from '../../engine/kit.ts'
import { WAIT_SECONDS_MAX } from '../../engine/waiting.ts'
import {
  brokenIn,
  judgeHistory,
  needJudgeable,
  weaknessOf,
  windowsWithEarlyPromises,
  type JudgedWindow,
} from './judge-window.ts'
import { probeWindow, type Probe } from './probe.ts'
import { isRefusedOtherwise } from './refusals.ts'

/** Probes at most, also on a busy machine: the first that decides counts; a timing violation must recur in a fresh window. */
export const PROBES_MAX = 6

/**
 * Probes that have to show early refusals, one after the other and each judged alone, where others may use the account: their requests
 * take of the budget and would look the same. What is admitted beyond the budget needs no second probe: others only take.
 */
const PROBES_OF_EARLY_REFUSALS = 3

export type DecidedWindow = {
  readonly probe: Probe
  readonly judged: JudgedWindow
  /** Why the budget stays open: an earlier probe showed refusals within it, and this one shows none. */
  readonly doubt?: string
}

/** Probes until a probe decides. Judged is everything that the counter was charged: what one probe leaves open another may show. */
export async function decideWindow(
  context: CheckContext,
  counter: { readonly bucket: Bucket; readonly operation: OperationName },
  {
    send,
    completeness,
  }: {
    readonly send: () => Promise<Exchange>
    readonly completeness: 'complete' | 'partial'
  },
): Promise<DecidedWindow> {
  const { clock, slackMs, wait, isFresh } = context
  const limit = context.limit(counter.bucket, counter.operation)
  needJudgeable(context, counter.bucket, limit)
  const history: Exchange[] = []
  let weakness = ''
  const doubts: string[] = []
  for (let probed = 1; probed <= PROBES_MAX; probed++) {
    const probe = await probeWindow({ limit, send, clock, slackMs, wait })
    history.push(...probe.all)
    const judged = judgeHistory(history, limit, slackMs, completeness)
    if (isAnsweredOtherwise(probe)) return { probe, judged }
    const isEarly = judged.verdict.refusedWithinBudget.length > 0
    if (isEarly && !isFresh && doubts.length + 1 < PROBES_OF_EARLY_REFUSALS) {
      doubts.push(doubtOf(judged))
      history.length = 0
      // What slides holds nothing of this probe against the next then.
      if (limit.windowSeconds <= WAIT_SECONDS_MAX)
        await wait('a window in which nothing is spent', limit.windowSeconds * 1000 + slackMs)
      continue
    }
    const early = windowsWithEarlyPromises(judged)
    const found =
      early === 1
        ? 'one Retry-After was too short, and it did not happen again'
        : weaknessOf(probe, judged)
    if (found === undefined || early > 1) {
      const isClean = brokenIn(judged).length === 0
      return { probe, judged, ...(doubts[0] !== undefined && isClean && { doubt: doubts[0] }) }
    }
    weakness = found
  }
  return inconclusive([`after ${PROBES_MAX} probes: ${weakness}`, ...doubts].join('. '))
}

function doubtOf({ verdict, history, limit }: JudgedWindow): string {
  return `${verdict.refusedWithinBudget.length} of ${history.length} answers of a probe were refused within ${limit.count} requests in ${limit.windowSeconds} s. Others may use this account, so only ${PROBES_OF_EARLY_REFUSALS} such probes in a row are a fault. Run this check with an account that nobody else uses`
}

/** No 429 at all, but other refusals: the window answers with the wrong status, which no further probe would change. */
function isAnsweredOtherwise({ all }: Probe): boolean {
  return !all.some(isThrottled) && all.some(isRefusedOtherwise)
}
