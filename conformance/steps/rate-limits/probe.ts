import type { Bucket, WindowLimit } from '../../../contract/limits.ts'
import type { OperationName } from '../../../contract/operations.ts'
import { retryAfterSeconds } from '../../../harness/client/headers.ts'
import { sleepUntil, type Clock } from '../../../harness/clock.ts'
import type { Wait } from '../../../harness/plan/waits.ts'
import { WAIT_SECONDS_MAX } from '../../../harness/target-file/target.ts'
import { type CheckContext, type Exchange, isThrottled } from '../../engine/kit.ts'

/** A window of unknown phase, driven to its limit from outside. */
export type ProbeOptions = {
  readonly limit: WindowLimit
  /** Sends one request that the window counts, without pacing and without waiting out a 429. */
  readonly send: () => Promise<Exchange>
  readonly clock: Clock
  readonly slackMs: number
  readonly wait: CheckContext['wait']
}

/** The requests of a probe by what they were sent for. Together they are the whole history of the counter since the probe began. */
export type Probe = {
  /** Until the first refusal; at most 2 N + 1. */
  readonly sync: readonly Exchange[]
  /** Refusals and the first admission around the edge. */
  readonly edge: readonly Exchange[]
  /** Sent as soon as Retry-After allows. */
  readonly early: readonly Exchange[]
  /** Just before the next edge: the rest of the window, then two more. */
  readonly late: readonly Exchange[]
  /** Just after it: a whole window at once, then more. */
  readonly burst: readonly Exchange[]
  /** Later in that window. */
  readonly within?: readonly Exchange[]
  readonly all: readonly Exchange[]
}

/** What a probe waits for at most: the edge of the window that it finds, the end of the next, and most of one more. */
export function probeWaits(bucket: Bucket, operation: OperationName): readonly Wait[] {
  return [
    { windows: 3, of: [bucket] },
    // Two are spent to learn how large they are.
    { windows: 1, of: [bucket], onlyIfUnknown: operation },
  ]
}

/** Requests in flight at once in a burst; totals are judged, not the order of answers. More where a burst would take too long. */
const BURST_WIDTH = 24
const BURST_WIDTH_MAX = 120

/** Of a window: what a whole budget may take at most to be sent. */
const BURST_SHARE = 1 / 8

/** How many have to be in flight for a whole budget to be sent in good time, by the time that one takes. */
function widthFor({ count, windowSeconds }: WindowLimit, paceMs: number): number {
  const needed = Math.ceil((count * paceMs) / (windowSeconds * 1000 * BURST_SHARE))
  return Math.min(BURST_WIDTH_MAX, Math.max(BURST_WIDTH, needed))
}

/** Requests beyond the limit after the edge burst: 60 find a leak of 5 % with 95 %. */
const OVERFLOW = 60

/** Requests at the end of the edge burst that are sent one after the other. */
const IN_TURN = 3

/** Longest gap between two looks for the edge, milliseconds. */
const POLL_MS_MAX = 250

const AFTER_EDGE_MS = 5

/**
 * Drives one window through the six steps: sync, locate the edge, claim early, burst late, burst at the edge, ask within. Costs about
 * 3 N + 80 requests and takes 2.5 windows on average. Judges nothing. Without a refusal it ends after the first step.
 */
export async function probeWindow(options: ProbeOptions): Promise<Probe> {
  const sync = await spendToFirstRefusal(options)
  if (!sync.some(isThrottled)) return { sync, edge: [], early: [], late: [], burst: [], all: sync }
  const { edge, early, edgeFromMs, edgeToMs } = await locateEdge(options, sync)
  if (options.limit.windowSeconds > WAIT_SECONDS_MAX) {
    const late = await contradict(options)
    return { sync, edge, early, late, burst: [], all: [...sync, ...edge, ...early, ...late] }
  }
  const { late, burst } = await burstAround(options, { whole: sync, edgeFromMs, edgeToMs })
  const within = await askWithin(options, edgeToMs + options.limit.windowSeconds * 1000)
  const all = [...sync, ...edge, ...early, ...late, ...burst, ...within]
  return { sync, edge, early, late, burst, within, all }
}

/** When a window that the burst has spent is asked once more: one that is shorter by a quarter has rolled over by then. */
const WITHIN_SHARES = [0.55, 0.78] as const

/** Looks into the window that the burst has spent: an admission there shows that it is shorter than it is reported. */
async function askWithin(
  { limit, send, clock, slackMs, wait }: ProbeOptions,
  startMs: number,
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  for (const share of WITHIN_SHARES) {
    const goalMs = startMs + limit.windowSeconds * 1000 * share + slackMs
    await wait('a moment within the window that is spent', goalMs - clock.nowMs())
    exchanges.push(await send())
  }
  return exchanges
}

/** Spends what is left of a window just before its end, and the next one just after its edge. */
export async function burstAround(
  options: ProbeOptions,
  { whole, edgeFromMs, edgeToMs }: { readonly whole: readonly Exchange[] } & WindowStart,
): Promise<Pick<Probe, 'late' | 'burst'>> {
  const paceMs = paceOf(whole)
  const width = widthFor(options.limit, paceMs)
  const late = await burstLate(options, edgeFromMs, { paceMs, width })
  return { late, burst: await burstAtEdge(options, edgeToMs, width) }
}

/** Sends `count` requests, some side by side, in the order of sending. */
export async function sendMany(
  send: ProbeOptions['send'],
  count: number,
  width = BURST_WIDTH,
): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  let sent = 0
  const worker = async (): Promise<void> => {
    while (sent < count) {
      sent += 1
      exchanges.push(await send())
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker))
  return exchanges
}

/** Who has sent for so long is too slow to spend a window of so many requests, and more of the same takes minutes. */
const SPENDING_WINDOWS_MAX = 3

/** From the first request to the last answer. */
export function spanMs(exchanges: readonly Exchange[]): number {
  const [first, last] = [exchanges[0], exchanges.at(-1)]
  return first && last ? last.receivedAtMs - first.sentAtMs : 0
}

/** Spends a window: sends until the first 429, at most 2 N + 1 requests, for three windows at most. */
export async function spendToFirstRefusal({
  limit,
  send,
}: Pick<ProbeOptions, 'limit' | 'send'>): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  const most = 2 * limit.count + 1
  const isOver = (): boolean =>
    exchanges.some(isThrottled) ||
    spanMs(exchanges) > SPENDING_WINDOWS_MAX * limit.windowSeconds * 1000
  while (exchanges.length < most && !isOver()) {
    const left = most - exchanges.length
    // Few at a time near the limit, so that sync costs little more than N.
    const width = Math.max(1, Math.min(BURST_WIDTH, limit.count >> 3, left))
    exchanges.push(...(await sendMany(send, width, width)))
  }
  return exchanges
}

/**
 * A window that is too long to be waited for, found to roll over all the same: it is spent once more, and claimed when Retry-After
 * promises so. An admission then is one beyond the budget of the reported window, a refusal breaks the promise.
 */
async function contradict(options: ProbeOptions): Promise<readonly Exchange[]> {
  const { limit, clock, slackMs, wait } = options
  const spent = await spendToFirstRefusal(options)
  const refused = spent.find(isThrottled)
  if (!refused) return spent
  const claimMs = refused.receivedAtMs + claimSeconds(refused, limit) * 1000 + slackMs
  await wait('what Retry-After promises', claimMs - clock.nowMs())
  return [...spent, await options.send()]
}

/** Median time that one request of a burst takes, of those sent side by side. */
function paceOf(exchanges: readonly Exchange[]): number {
  const durations = exchanges
    .map(({ sentAtMs, receivedAtMs }) => receivedAtMs - sentAtMs)
    .toSorted((a, b) => a - b)
  return durations[durations.length >> 1] ?? 0
}

/** The window that is now open began in [edgeFromMs, edgeToMs]. */
export type WindowStart = { readonly edgeFromMs: number; readonly edgeToMs: number }

type Edge = WindowStart & {
  readonly edge: readonly Exchange[]
  readonly early: readonly Exchange[]
}

/**
 * Watches for the first admission. One request is sent just when Retry-After promises that it will pass, so that the promise itself
 * is put to the test.
 */
async function locateEdge(options: ProbeOptions, sync: readonly Exchange[]): Promise<Edge> {
  const { clock, limit, slackMs, wait } = options
  const refused = sync.find(isThrottled)
  if (!refused) throw new Error('an edge can only be found after a refusal')
  const windowMs = limit.windowSeconds * 1000
  const claimMs = refused.receivedAtMs + claimSeconds(refused, limit) * 1000 + slackMs
  const pollMs = pollMsFor(windowMs)
  const edge: Exchange[] = []
  let lastRefusedMs = refused.sentAtMs
  await wait('the window to roll over', Math.max(0, claimMs - clock.nowMs() - windowMs - 1_000))
  while (clock.nowMs() < claimMs) {
    const exchange = await options.send()
    edge.push(exchange)
    if (!isThrottled(exchange))
      return { edge, early: [], edgeFromMs: lastRefusedMs, edgeToMs: exchange.receivedAtMs }
    lastRefusedMs = exchange.sentAtMs
    await sleepUntil(clock, Math.min(claimMs, clock.nowMs() + pollMs))
  }
  const early = await claim(options)
  const admitted = early.find((exchange) => !isThrottled(exchange))
  const before = early.at(-2)
  return {
    edge,
    early,
    edgeFromMs: before?.sentAtMs ?? lastRefusedMs,
    edgeToMs: (admitted ?? early.at(-1) ?? refused).receivedAtMs,
  }
}

/** The interface gives 60 for one bucket whatever is left of its window; what no window explains is not waited for. */
const PROMISE_SECONDS_MAX = 60

export function claimSeconds(
  refused: Exchange,
  { windowSeconds }: Pick<ProbeOptions['limit'], 'windowSeconds'>,
): number {
  const promised = retryAfterSeconds(refused) ?? windowSeconds
  return promised > Math.max(windowSeconds, PROMISE_SECONDS_MAX) ? windowSeconds : promised
}

/**
 * The earliest legal claim. When it is refused, the edge is watched for, for one window at most: the promise was broken, and only the
 * refusals in between can show that no edge lay there.
 */
async function claim(options: ProbeOptions): Promise<Exchange[]> {
  const { send, clock, limit } = options
  const windowMs = limit.windowSeconds * 1000
  const endMs = clock.nowMs() + Math.min(windowMs, WAIT_SECONDS_MAX * 1000) + options.slackMs
  const exchanges = [await send()]
  while (isThrottled(exchanges.at(-1) as Exchange) && clock.nowMs() < endMs) {
    await clock.sleep(pollMsFor(windowMs))
    exchanges.push(await send())
  }
  return exchanges
}

export function pollMsFor(windowMs: number): number {
  return Math.min(POLL_MS_MAX, windowMs / 40)
}

async function burstLate(
  { limit, send, clock, wait }: ProbeOptions,
  edgeFromMs: number,
  { paceMs, width }: { readonly paceMs: number; readonly width: number },
): Promise<Exchange[]> {
  const windowMs = limit.windowSeconds * 1000
  const needMs = (paceMs * (limit.count + 2)) / Math.min(width, limit.count + 2)
  const marginMs = Math.min(windowMs * 0.6, Math.max(windowMs * 0.2, needMs * 3 + 20))
  await wait('the end of the window', edgeFromMs + windowMs - marginMs - clock.nowMs())
  const rest = limit.count > 1 ? await sendMany(send, limit.count - 1, width) : []
  return [...rest, await send(), await send()]
}

async function burstAtEdge(
  { limit, send, clock, slackMs, wait }: ProbeOptions,
  edgeToMs: number,
  width: number,
): Promise<Exchange[]> {
  // Clear of the edge by the slack on either side, or no request would lie in the new window for certain.
  const goalMs = edgeToMs + limit.windowSeconds * 1000 + 2 * slackMs + AFTER_EDGE_MS
  await wait('the next window', goalMs - clock.nowMs())
  const whole = await sendMany(send, limit.count, width)
  const beyond = await sendMany(send, Math.min(OVERFLOW, 2 * limit.count), width)
  // One after the other, so that these surely come after a whole window's worth of admissions.
  return [...whole, ...beyond, ...(await sendMany(send, IN_TURN, 1))]
}
