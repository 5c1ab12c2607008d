import type { Bucket, WindowLimit } from '../../../contract/limits.ts'
import type { OperationName } from '../../../contract/operations.ts'
import { retryAfterSeconds } from '../../../harness/client/headers.ts'
import { WAIT_SECONDS_MAX } from '../../../harness/target-file/target.ts'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { inconclusive, isThrottled } from '../../engine/kit.ts'
import { isOfLargerWindow } from './check-bucket.ts'
import {
  brokenIn,
  judgeHistory,
  needJudgeable,
  weaknessOf,
  windowsWithEarlyPromises,
  type JudgedWindow,
} from './judge-window.ts'
import { pollMsFor, probeWindow, spanMs, type Probe } from './probe.ts'
import { isFailedByNoWindow } from './refusals.ts'

/** A busy machine may take longer than a window to spend one: seldom twice, and then always. */
const SLOW_PROBES_MAX = 2

/** Windows that all probes take together at most, and seconds that they may take in any case: what they leave open is inconclusive. */
const WINDOWS_MAX = 30
const SECONDS_MIN = 120

/** Probes at most, also on a busy machine: the first that decides counts; a timing violation must recur in a fresh window. */
export const PROBES_MAX = 6

/**
 * Probes that have to show early refusals, one after the other and each judged alone, where others may use the account: their requests
 * take of the budget and would look the same. What is admitted beyond the budget needs no second probe: others only take.
 */
const PROBES_OF_EARLY_REFUSALS = 3

/** Of a budget: others do not take so much of it while the burst is under way. */
const MUCH = 0.5
const MUCH_MIN = 3

export type DecidedWindow = {
  readonly probe: Probe
  readonly judged: JudgedWindow
  /** Why the budget stays open: an earlier probe showed refusals within it, and this one shows none. */
  readonly doubt?: string
}

/** Probes until a probe decides. Judged is everything that the counter was charged: what one probe leaves open another may show. */
export async function decideWindow(
  context: CheckContext,
  counter: Counter,
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
  const restMs = 1000 * Math.max(limit.windowSeconds, context.limit('default').windowSeconds)
  const rest = async (): Promise<void> => {
    if (restMs <= 1000 * WAIT_SECONDS_MAX)
      await wait('a window in which nothing is spent', restMs + slackMs)
  }
  let weakness = ''
  const doubts: string[] = []
  const losses: Losses[] = []
  let slow = 0
  const endMs = clock.nowMs() + 1000 * Math.max(SECONDS_MIN, WINDOWS_MAX * limit.windowSeconds)
  let probed = 0
  while (probed < PROBES_MAX && slow < SLOW_PROBES_MAX && clock.nowMs() < endMs) {
    probed++
    const whole = await probeWindow({ limit, send, clock, slackMs, wait })
    history.push(...whole.all)
    const judge = (): JudgedWindow =>
      judgeBesideDefault(context, counter, { history, asked: { limit, slackMs, completeness } })
    const others = refusalsOfDefault(context, counter, judge())
    const probe = without(others, whole)
    history.splice(0, history.length, ...history.filter((exchange) => !others.has(exchange)))
    const judged = judge()
    if (isAnsweredOtherwise(probe)) return { probe, judged }
    const isEarly = judged.verdict.refusedWithinBudget.length > 0
    if (isEarly && !isFresh) losses.push(lossesOf(probe, limit, slackMs))
    if (isEarly && losses.length === PROBES_OF_EARLY_REFUSALS && !isOfService(losses, limit))
      return { probe, judged, doubt: doubtOf(judged) }
    if (isEarly && !isFresh && losses.length < PROBES_OF_EARLY_REFUSALS) {
      doubts.push(doubtOf(judged))
      history.length = 0
      // What slides holds nothing of this probe against the next then.
      await rest()
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
    // Then a window of all reads is whole again, and cannot have given the first refusals of the next probe.
    if (early === 1 && counter.operation === 'getOrders') await rest()
    if (isTooSlow(probe, limit)) slow++
  }
  const why =
    slow < SLOW_PROBES_MAX
      ? weakness
      : `${limit.count} requests took longer than a window of ${limit.windowSeconds} s, so it was never spent. Run this check when the machine is less busy, or with a smaller limit`
  return inconclusive([`after ${probed} probes: ${why}`, ...doubts].join('. '))
}

type Counter = { readonly bucket: Bucket; readonly operation: OperationName }

/**
 * Reads of orders and checks may count in a default window of their endpoint as well, which may count refused ones, too (OPEN-44).
 * What this window may have refused says nothing of the bucket: each such check, and reads if they are all that was refused within
 * the budget.
 */
function refusalsOfDefault(
  context: CheckContext,
  counter: Counter,
  judged: JudgedWindow,
): ReadonlySet<Exchange> {
  const isOfDefault = ofDefault(context, counter, judged.history)
  if (counter.bucket === 'orders.check') return new Set(judged.history.filter(isOfDefault))
  const broken = brokenIn(judged)
  return new Set(broken.every((each) => isThrottled(each) && isOfDefault(each)) ? broken : [])
}

/** Whether the default window of its endpoint may have refused a request. A check that names its bucket was refused by that. */
function ofDefault(
  context: CheckContext,
  { bucket, operation }: Counter,
  history: readonly Exchange[],
): (exchange: Exchange) => boolean {
  if (bucket === 'orders.check') {
    const isOfOrders = beyond(context.limit('default', operation), context, history)
    return (exchange) => isOfLargerWindow(context, exchange) && isOfOrders(exchange)
  }
  if (operation !== 'getOrders') return () => false
  return beyond(context.limit('default'), context, history)
}

type Asked = Omit<Parameters<typeof judgeHistory>[1], 'isPromiseOfOther'>

/** A Retry-After may be of that window too: where a promise to a read of orders is broken. */
function judgeBesideDefault(
  context: CheckContext,
  { operation }: Counter,
  { history, asked }: { readonly history: readonly Exchange[]; readonly asked: Asked },
): JudgedWindow {
  const plain = judgeHistory(history, asked)
  if (operation !== 'getOrders' || plain.verdict.retryAfter.tooEarly.length === 0) return plain
  const isPromiseOfOther = promiseBeyond(context.limit('default'), context, history)
  return judgeHistory(history, { ...asked, isPromiseOfOther })
}

/** Whether a request came after as many as a window of its endpoint admits. Other checks that share the account spend it too. */
function beyond(
  limit: WindowLimit,
  context: Sent,
  history: readonly Exchange[],
): (exchange: Exchange) => boolean {
  const recentOf = recentIn(limit, context, history)
  return (exchange) => recentOf(exchange).length > limit.count
}

/**
 * The same, where no more refusals promise so little than the window had to refuse, or where one beside it promises more: all refusals of
 * one window promise its edge.
 */
function promiseBeyond(
  limit: WindowLimit,
  context: Sent,
  history: readonly Exchange[],
): (exchange: Exchange) => boolean {
  const recentOf = recentIn(limit, context, history)
  return (exchange) => {
    const recent = recentOf(exchange)
    if (recent.length <= limit.count) return false
    const latestMs = promisedMs(exchange) + ROUNDED_UP_MS + context.slackMs
    if (recent.some((each) => isThrottled(each) && promisedMs(each) > latestMs)) return true
    const promised = retryAfterSeconds(exchange) ?? 0
    const asShort = recent.filter(
      (each) => isThrottled(each) && (retryAfterSeconds(each) ?? 0) <= promised,
    )
    return asShort.length <= recent.length - limit.count
  }
}

/** Whole seconds promise up to so much more than an edge is away. */
const ROUNDED_UP_MS = 1000

/** When a wait that was asked for is over. */
function promisedMs(exchange: Exchange): number {
  return exchange.receivedAtMs + 1000 * (retryAfterSeconds(exchange) ?? 0)
}

type Sent = Pick<CheckContext, 'sentAlike' | 'slackMs'>

/** Of all that was sent to the endpoint, what may lie in one window with a request, before it or beside it; itself too. */
function recentIn(
  { windowSeconds }: WindowLimit,
  { sentAlike, slackMs }: Sent,
  [first]: readonly Exchange[],
): (exchange: Exchange) => readonly Exchange[] {
  const sent = first ? sentAlike(first) : []
  return (exchange) => {
    const sinceMs = exchange.sentAtMs - windowSeconds * 1000 - slackMs
    return sent.filter(
      ({ sentAtMs, receivedAtMs }) => receivedAtMs >= sinceMs && sentAtMs <= exchange.receivedAtMs,
    )
  }
}

function without(others: ReadonlySet<Exchange>, probe: Probe): Probe {
  if (others.size === 0) return probe
  const parts = Object.entries(probe).map(([name, part]) => [
    name,
    Array.isArray(part) ? (part as readonly Exchange[]).filter((each) => !others.has(each)) : part,
  ])
  return Object.fromEntries(parts) as Probe
}

function doubtOf({ verdict, history, limit }: JudgedWindow): string {
  const seen = `${verdict.refusedWithinBudget.length} of ${history.length} answers of a probe were refused within ${limit.count} requests in ${limit.windowSeconds} s`
  if (limit.count < MUCH_MIN)
    return `${seen}. Others may use this account, and may take all of so small a budget each time. Only a target that makes accounts (control in the target file) shows more`
  return `${seen}. Others may use this account, so it is a fault only if ${PROBES_OF_EARLY_REFUSALS} probes in a row lose as much. Run this check with an account that nobody else uses`
}

/** What windows lacked of their budget that were spent at once: one right after its edge, one shortly before its end. */
type Losses = {
  readonly atEdge: number
  readonly late: number
  /** Every look was refused for longer than a window. */
  readonly isThroughout: boolean
}

function lossesOf(probe: Probe, { count, windowSeconds }: WindowLimit, slackMs: number): Losses {
  const { burst, late, all } = probe
  return {
    atEdge: burst.slice(0, count).filter(isThrottled).length,
    late: late.slice(0, count - 1).filter(isThrottled).length,
    isThroughout:
      refusedMs(all, pollMsFor(windowSeconds * 1000) + slackMs) > 1000 * windowSeconds + slackMs,
  }
}

/** The longest time for which every look was refused, with looks no further apart than this. */
function refusedMs(looks: readonly Exchange[], gapMsMax: number): number {
  let longestMs = 0
  let first: Exchange | undefined
  let last: Exchange | undefined
  for (const look of looks) {
    if (!last || !isThrottled(last) || look.sentAtMs - last.receivedAtMs > gapMsMax) first = look
    last = look
    if (isThrottled(look) && first)
      longestMs = Math.max(longestMs, look.sentAtMs - first.receivedAtMs)
  }
  return longestMs
}

/** Others take a budget of one between two looks now and then; one of several hardly, and not each time. */
const BETWEEN_LOOKS_MIN = 2

/** Probes that have to show it: one that comes late in a window that is too long does not. */
const BEYOND_EDGES_MIN = 2

/**
 * What the service withholds is as much each time, early and late in a window, or more than others take during a burst; of a small
 * budget others may take as much. Or it is withheld beyond edges, where others would have to take the whole budget between two
 * looks each time.
 */
function isOfService(losses: readonly Losses[], { count }: WindowLimit): boolean {
  const beyondEdges = losses.filter(({ isThroughout }) => isThroughout).length
  if (count >= BETWEEN_LOOKS_MIN && beyondEdges >= BEYOND_EDGES_MIN) return true
  if (count < MUCH_MIN) return false
  const atEdge = losses.map((each) => each.atEdge)
  if (Math.min(...atEdge) >= Math.max(MUCH_MIN, MUCH * count)) return true
  const all = new Set([...atEdge, ...losses.map(({ late }) => late)])
  return all.size === 1 && !all.has(0)
}

/** It never met a refusal, and took longer than a window for a budget. */
function isTooSlow({ all }: Probe, { count, windowSeconds }: WindowLimit): boolean {
  return !all.some(isThrottled) && spanMs(all.slice(0, count)) > windowSeconds * 1000
}

/** No 429 at all, but other refusals: the window answers with the wrong status, which no further probe would change. */
function isAnsweredOtherwise({ all }: Probe): boolean {
  return !all.some(isThrottled) && all.some(isFailedByNoWindow)
}
