import type { Bucket } from '../../contract/limits.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import type { Wait } from '../../harness/plan/waits.ts'
import type { CheckContext } from '../check.ts'
import { inconclusive, untested } from '../engine/undecided.ts'
import { isRefused, spendToFirstRefusal } from './probe.ts'

/** For requests that are meant to be refused: sent at once, and a 429 is the answer, not an obstacle. */
export const UNASKED = { throttled: 'return', unpaced: true } as const

export type Send = () => Promise<Exchange>

/** Requests of interest between two refusals of a spent counter: they all lie in the window that is full. */
export type Bracket = {
  readonly before: Exchange
  readonly probes: readonly Exchange[]
  readonly after: Exchange
}

/** A short window may roll over in the middle; each further try starts in a fresh one. */
const ATTEMPTS_MAX = 5

const MARGIN_MS = 100

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
  const windowSeconds = Math.max(...buckets.map((bucket) => limit(bucket).windowSeconds))
  await wait('windows that others may have spent to roll over', windowSeconds * 1000 + MARGIN_MS)
}

/** Spends a counter, then sends the probes between two refusals of it. A bracket that an edge opened is tried again. */
export async function bracket(
  context: CheckContext,
  bucket: Bucket,
  spend: Send,
  probes: readonly Send[],
): Promise<Bracket> {
  const limit = context.limit(bucket)
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const spent = await spendToFirstRefusal({ limit, send: spend })
    const before = spent.find(isRefused)
    if (!before)
      untested(`${bucket} admitted ${spent.length} requests in a row, so it cannot be spent`)
    const sent: Exchange[] = []
    for (const probe of probes) sent.push(await probe())
    const after = await spend()
    if (isRefused(after)) return { before, probes: sent, after }
  }
  return inconclusive(`a window edge fell into each of ${ATTEMPTS_MAX} attempts`)
}
