import type { WindowLimit } from '../../../contract/limits.ts'
import { retryAfterSeconds } from '../../../harness/client/headers.ts'
import { sleepUntil } from '../../../harness/clock.ts'
import { isSizeKnown, type EffectiveLimit } from '../../../harness/quota/effective-limits.ts'
import {
  pollMsFor,
  spanMs,
  spendToFirstRefusal,
  type ProbeOptions,
  type WindowStart,
} from './probe.ts'
import { type Exchange, isAccepted, isThrottled } from '../../engine/kit.ts'

/** Windows that last longer are not learned: the target file has to say how long they are. */
const LEARNED_SECONDS_MAX = 120

/** Where the budget is not known, so many requests at least are tried before it counts as too large to be spent. */
const SPENT_MIN = 250

/** A budget that took longer to be spent than this share of its window may have been spent in two. */
const SPENT_SHARE_MAX = 0.5

/** What spending one window and watching both of its edges shows. */
export type Learned = {
  /** Undefined where no fixed window can be told. */
  readonly limit?: WindowLimit
  /** Why none can be told. */
  readonly reason: string
  /** From the edge on: the whole budget, and the first refusals. */
  readonly whole: readonly Exchange[]
  readonly history: readonly Exchange[]
} & WindowStart

type Edge = {
  readonly history: readonly Exchange[]
  readonly admitted?: Exchange
  readonly fromMs: number
  readonly toMs: number
}

type Options = Pick<ProbeOptions, 'send' | 'clock' | 'slackMs'> & {
  /** What is assumed of the window. */
  readonly limit: EffectiveLimit
}

/** How much may be sent to spend a counter: twice as much and one more. */
export function spendable(limit: EffectiveLimit): WindowLimit {
  if (isSizeKnown(limit)) return limit
  return { ...limit, count: Math.max(limit.count, SPENT_MIN >> 1) }
}

/** Spends what is left of the window, watches for its edge, spends the next one whole and watches for its edge. Two windows at most. */
export async function learnWindow(options: Options): Promise<Learned> {
  const { send, limit } = options
  const history = [...(await spendToFirstRefusal({ limit: spendable(limit), send }))]
  const failed = (reason: string): Learned => {
    return { reason, whole: [], history, edgeFromMs: 0, edgeToMs: 0 }
  }
  if (!history.some(isThrottled)) return failed(neverRefused(history, limit))
  const first = await watchForEdge(options, history)
  history.push(...first.history)
  if (!first.admitted) return failed(`no request was admitted in ${LEARNED_SECONDS_MAX} s`)
  const spent = await spendToFirstRefusal({ limit: spendable(limit), send })
  history.push(...spent)
  if (!spent.some(isThrottled)) return failed(neverRefused(spent, limit))
  const second = await watchForEdge(options, spent)
  history.push(...second.history)
  if (!second.admitted) return failed(`no request was admitted in ${LEARNED_SECONDS_MAX} s`)
  const whole = [first.admitted, ...spent]
  const windowSeconds = lengthBetween([first, second], {
    assumedSeconds: limit.windowSeconds,
    slackMs: options.slackMs,
  })
  const edges = { history, whole, edgeFromMs: second.fromMs, edgeToMs: second.toMs }
  if (windowSeconds === undefined)
    return { ...edges, reason: `requests were admitted ${secondsBetween(first, second)} s apart` }
  const spentMs = (spent.at(-1)?.receivedAtMs ?? 0) - first.toMs
  if (spentMs > SPENT_SHARE_MAX * windowSeconds * 1000)
    return { ...edges, reason: `it took ${spentMs} ms to spend a window of ${windowSeconds} s` }
  const count = whole.filter(isAccepted).length
  return { ...edges, limit: { count, windowSeconds }, reason: '' }
}

/** The budget is larger than what was sent, or the requests were too slow for any. */
function neverRefused(spent: readonly Exchange[], { windowSeconds }: WindowLimit): string {
  const seconds = spanMs(spent) / 1000
  return seconds > windowSeconds
    ? `${spent.length} requests took ${seconds.toFixed(1)} s, longer than the ${windowSeconds} s that a window may last, so it was never spent; the machine or the target was busy`
    : `${spent.length} requests in a row were admitted`
}

/** Asks until a request is admitted, and once just when Retry-After promises that it will be. */
async function watchForEdge(
  { send, clock, slackMs }: Options,
  spent: readonly Exchange[],
): Promise<Edge> {
  const refused = spent.find(isThrottled) as Exchange
  const promised = retryAfterSeconds(refused)
  const claimMs = refused.receivedAtMs + (promised ?? 0) * 1000 + slackMs
  const endMs = clock.nowMs() + LEARNED_SECONDS_MAX * 1000
  const pollMs = pollMsFor(1000 * (promised || LEARNED_SECONDS_MAX))
  const history: Exchange[] = []
  let fromMs = refused.sentAtMs
  if ((promised ?? 0) > LEARNED_SECONDS_MAX) return { history, fromMs, toMs: fromMs }
  while (clock.nowMs() < endMs) {
    const nowMs = clock.nowMs()
    await sleepUntil(clock, claimMs > nowMs ? Math.min(claimMs, nowMs + pollMs) : nowMs + pollMs)
    const exchange = await send()
    history.push(exchange)
    if (isAccepted(exchange))
      return { history, admitted: exchange, fromMs, toMs: exchange.receivedAtMs }
    if (isThrottled(exchange)) fromMs = exchange.sentAtMs
  }
  return { history, fromMs, toMs: fromMs }
}

function secondsBetween(a: Edge, b: Edge): string {
  return ((b.toMs - a.toMs) / 1000).toFixed(1)
}

/** The one length in whole seconds, or the assumed one, that fits both edges. */
function lengthBetween(
  [a, b]: readonly [Edge, Edge],
  { assumedSeconds, slackMs }: { readonly assumedSeconds: number; readonly slackMs: number },
): number | undefined {
  for (const slack of [0, slackMs]) {
    const [min, max] = [b.fromMs - a.toMs - slack, b.toMs - a.fromMs + slack]
    if (assumedSeconds * 1000 >= min && assumedSeconds * 1000 <= max) return assumedSeconds
    const seconds = Math.max(1, Math.ceil(min / 1000))
    if (seconds * 1000 <= max) return (seconds + 1) * 1000 <= max ? undefined : seconds
  }
  return undefined
}
