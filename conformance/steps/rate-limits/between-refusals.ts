import { OWN_LIMITS, operationOf, type Bucket } from '../../../contract/limits.ts'
import type { OperationName } from '../../../contract/operations.ts'
import { canAllHoldEdge, type Span } from '../../../harness/judge/unhide.ts'
import type { Wait } from '../../../harness/plan/waits.ts'
import { howToTell, isSizeKnown } from '../../../harness/quota/effective-limits.ts'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { inconclusive, isThrottled, untested } from '../../engine/kit.ts'
import { spendable } from './learn.ts'
import { spendToFirstRefusal } from './probe.ts'

/** For requests that are meant to be refused: sent at once, and a 429 is the answer, not an obstacle. */
export const RETURN_429_UNPACED = { throttled: 'return', unpaced: true } as const

export type Send = () => Promise<Exchange>

export type BetweenRefusalsOptions = {
  /** The probes are to be refused as well. */
  readonly sharing?: boolean
  /** Which endpoint's counter is spent, for the bucket `default`. */
  readonly operation?: OperationName
}

/** Requests of interest between two refusals of a spent counter: they all lie in the window that is full. */
export type BetweenRefusals = {
  readonly before: Exchange
  readonly probes: readonly Exchange[]
  readonly after: Exchange
}

/** A short window may roll over in the middle, and a busy machine may take longer than a window to spend it. */
export const ATTEMPTS_MAX = 5

const MARGIN_MS = 100

/** Time beyond a window between two pairs of refusals whose probes were admitted, so that no one edge can explain both. */
const APART_SLACKS = 5

/** What {@link startWithFreshWindows} waits for at most. */
export function freshWindows(...buckets: readonly Bucket[]): Wait {
  return { windows: 1, of: buckets, onlyShared: true }
}

/**
 * Waits until whatever was spent of the held counters before this check no longer counts: a window that somebody else left full would
 * look like a shared counter. Fresh accounts have nothing to wait for.
 */
export async function startWithFreshWindows(
  { isFresh, limit, wait }: CheckContext,
  buckets: readonly Bucket[],
): Promise<void> {
  if (isFresh) return
  const windowSeconds = Math.max(...buckets.map((bucket) => longestWindow(limit, bucket)))
  await wait('windows that others may have spent to roll over', windowSeconds * 1000 + MARGIN_MS)
}

/** Of the endpoints that the default covers, one may have a longer window of its own. */
function longestWindow(limit: CheckContext['limit'], bucket: Bucket): number {
  const own =
    bucket === 'default' ? OWN_LIMITS.map((name) => limit('default', operationOf(name))) : []
  return Math.max(...[limit(bucket), ...own].map(({ windowSeconds }) => windowSeconds))
}

/** Whether so many requests took no longer than a window: more of them than two budgets were not to be admitted. */
function areWithin(spent: readonly Exchange[], windowMs: number): boolean {
  const [first, last] = [spent[0], spent.at(-1)]
  return first !== undefined && last !== undefined && last.receivedAtMs - first.sentAtMs < windowMs
}

/**
 * Spends a counter, then sends the probes between two refusals of it. A pair of refusals that an edge opened is tried again. `sharing`: the
 * probes are to be refused as well; If so many were admitted that they may have spent the next window themselves, an edge before them
 * would look the same. They must then be admitted twice, in windows that begin at no common edge.
 */
export async function betweenRefusals(
  context: CheckContext,
  bucket: Bucket,
  spend: Send,
  probes: readonly Send[],
  { sharing = false, operation }: BetweenRefusalsOptions = {},
): Promise<BetweenRefusals> {
  const limit = context.limit(bucket, operation)
  const isKnown = isSizeKnown(limit)
  const doubtful: Span[] = []
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const spent = await spendToFirstRefusal({ limit: spendable(limit), send: spend })
    const before = spent.find(isThrottled)
    if (!before) {
      const isSlow = !areWithin(spent, limit.windowSeconds * 1000)
      if (isSlow && attempt < ATTEMPTS_MAX) continue
      if (isSlow)
        inconclusive(
          `${spent.length} requests on ${bucket} took longer than its window of ${limit.windowSeconds} s, in each of ${ATTEMPTS_MAX} attempts`,
        )
      const hint = isKnown ? '' : `: ${howToTell(bucket, operation)}`
      untested(`${bucket} admitted ${spent.length} requests in a row, so it cannot be spent${hint}`)
    }
    const sent: Exchange[] = []
    for (const probe of probes) sent.push(await probe())
    const after = await spend()
    const admitted = sent.filter((each) => !isThrottled(each)).length
    const budget = isKnown ? limit.count : spent.filter((each) => !isThrottled(each)).length
    const isDoubtful = sharing && admitted >= Math.min(limit.count, budget)
    const windowMs = limit.windowSeconds * 1000
    if (isThrottled(after)) {
      if (!isDoubtful) return { before, probes: sent, after }
      doubtful.push({ fromMs: before.sentAtMs, toMs: after.receivedAtMs })
      if (doubtful.length > 1 && !canAllHoldEdge(doubtful, windowMs, context.slackMs))
        return { before, probes: sent, after }
    }
    if (!isDoubtful) continue
    if (!isKnown)
      untested(
        `how many requests a window of ${bucket} admits is not known, and an edge may explain what was admitted: ${howToTell(bucket, operation)}`,
      )
    // The probes may have spent a counter of their own, which has to be whole again.
    await context.wait(
      'a window in which nothing is spent, at a moment that no edge shares with the last',
      windowMs + APART_SLACKS * context.slackMs,
    )
  }
  return inconclusive(`a window edge fell into each of ${ATTEMPTS_MAX} attempts`)
}
