import type { Bucket, WindowLimit } from '../../../contract/limits.ts'
import type { OperationName } from '../../../contract/operations.ts'
import { canAllHoldEdge, type Span } from '../../../harness/judge/rules/unhide.ts'
import { howToTell, isSizeKnown } from '../../../harness/quota/effective-limits.ts'
import { WAIT_SECONDS_MAX } from '../../../harness/target-file/target.ts'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { inconclusive, isThrottled, untested } from '../../engine/kit.ts'
import { formOf } from '../../engine/own-window.ts'
import { spendable } from './learn.ts'
import { spanMs, spendToFirstRefusal } from './probe.ts'

/** For requests that are meant to be refused: sent at once, and a 429 is the answer, not an obstacle. */
export const RETURN_429_UNPACED = { throttled: 'return', unpaced: true } as const

export type Send = () => Promise<Exchange>

/** What is spent, and what is sent in between. */
type Probing = {
  readonly bucket: Bucket
  readonly spend: Send
  readonly probes: readonly Send[]
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
  /** Probes that were refused just so a window later, when nothing of ours was spent: others of the account spend what counts them. */
  readonly refusedAlone?: ReadonlySet<Exchange>
  /** The two refusals around each probe, where the probes were sent in parts. */
  readonly pairOf?: ReadonlyMap<Exchange, Pair>
}

type Pair = readonly [before: Exchange, after: Exchange]

/** A short window may roll over in the middle, and a busy machine may take longer than a window to spend it. */
export const ATTEMPTS_MAX = 5

/** Time beyond a window between two pairs of refusals whose probes were admitted, so that no one edge can explain both. */
const APART_SLACKS = 5

/** Whether so many requests took no longer than a window: more of them than two budgets were not to be admitted. */
export function areWithin(spent: readonly Exchange[], windowMs: number): boolean {
  return spent.length > 0 && spanMs(spent) < windowMs
}

/**
 * Spends a counter, then sends the probes between two refusals of it. A pair of refusals that an edge opened is tried again, with half as
 * many probes in each pair: all together they may take longer than a window. `sharing`: the probes are to be refused as well, and are not
 * parted. If so many were admitted that they may have spent the next window themselves, an edge before them would look the same. They must
 * then be admitted twice, in windows that begin at no common edge.
 */
export async function betweenRefusals(
  context: CheckContext,
  { bucket, spend, probes, sharing = false, operation }: Probing,
): Promise<BetweenRefusals> {
  const limit = context.limit(bucket, operation)
  const isKnown = isSizeKnown(limit)
  const doubtful: Span[] = []
  const pairOf = new Map<Exchange, Pair>()
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
    if (!sharing) {
      const size = Math.ceil(probes.length / 2 ** (attempt - 1))
      const after = await sendRest({ spend, probes }, { pairOf, size, before })
      if (!after) continue
      const sent = [...pairOf.keys()]
      const refusedAlone = await askAlone(context, limit, probes, sent)
      return { before, probes: sent, after, pairOf, ...(refusedAlone && { refusedAlone }) }
    }
    const sent = await sendInTurn(probes)
    const after = await spend()
    const admitted = sent.filter((each) => !isThrottled(each)).length
    const budget = isKnown ? limit.count : spent.filter((each) => !isThrottled(each)).length
    const isDisturbed = sent.some((each) => mayBeApart(context, before, each))
    const isDoubtful = isDisturbed || admitted >= Math.min(limit.count, budget)
    const windowMs = limit.windowSeconds * 1000
    if (isThrottled(after)) {
      if (!isDoubtful) return { before, probes: sent, after }
      if (!isDisturbed) doubtful.push({ fromMs: before.sentAtMs, toMs: after.receivedAtMs })
      if (doubtful.length > 1 && !canAllHoldEdge(doubtful, windowMs, context.slackMs))
        return { before, probes: sent, after }
    }
    if (!isDoubtful) continue
    if (!isKnown && !isDisturbed)
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

/**
 * Sends the probes that have no pair yet, so many at a time, each part between two refusals. Gives the last refusal when all have one,
 * nothing once an edge fell into a part.
 */
async function sendRest(
  { spend, probes }: Pick<Probing, 'spend' | 'probes'>,
  {
    pairOf,
    size,
    before: first,
  }: {
    readonly pairOf: Map<Exchange, Pair>
    readonly size: number
    readonly before: Exchange
  },
): Promise<Exchange | undefined> {
  let before = first
  while (pairOf.size < probes.length) {
    const sent = await sendInTurn(probes.slice(pairOf.size, pairOf.size + size))
    const after = await spend()
    if (!isThrottled(after)) return undefined
    for (const each of sent) pairOf.set(each, [before, after])
    before = after
  }
  return before
}

async function sendInTurn(probes: readonly Send[]): Promise<readonly Exchange[]> {
  const sent: Exchange[] = []
  for (const probe of probes) sent.push(await probe())
  return sent
}

/** At the same moment of a window others have spent as much as before: what is refused again says nothing of the counter that was spent. */
async function askAlone(
  context: CheckContext,
  { windowSeconds }: WindowLimit,
  probes: readonly Send[],
  sent: readonly Exchange[],
): Promise<ReadonlySet<Exchange> | undefined> {
  if (context.isFresh || !sent.some(isThrottled) || windowSeconds > WAIT_SECONDS_MAX)
    return undefined
  await context.wait('the spent window to end', windowSeconds * 1000 + context.slackMs)
  const refused = new Set<Exchange>()
  for (const [index, probe] of probes.entries()) {
    const earlier = sent[index]
    if (earlier && isThrottled(earlier) && isThrottled(await probe())) refused.add(earlier)
  }
  return refused
}

/** A refused probe that says nothing: other checks may have spent a counter which is not that of the requests before. */
function mayBeApart(context: CheckContext, before: Exchange, probe: Exchange): boolean {
  if (context.isFresh || !isThrottled(probe)) return false
  return formOf(probe) !== formOf(before) && context.mayHaveSpentApart(probe)
}

/** Ends a check that saw none of these series refused. One that took longer than a window says nothing: the way or the machine was slow. */
export function unrefused(
  series: readonly (readonly Exchange[])[],
  windowSeconds: number,
  reason: string,
): never {
  const isSlow = series.some((sent) => sent.length > 0 && !areWithin(sent, windowSeconds * 1000))
  if (!isSlow) untested(reason, series.flat())
  return inconclusive(
    `${reason}, but requests in a row took longer than a window of ${windowSeconds} s. Run this check when the machine and the target are less busy`,
  )
}
