/** More requests at once than two windows admit: a counter that is read before it is written lets more than one budget pass. */
import type { WindowLimit } from '../../../contract/limits.ts'
import { canAllHoldEdge, type Span } from '../../../harness/judge/rules/unhide.ts'
import { isAccepted, isThrottled, type CheckContext, type Exchange } from '../../engine/kit.ts'
import { areWithin, type Send } from '../rate-limits/between-refusals.ts'
import { sendMany } from '../rate-limits/probe.ts'

/** Bursts until no edge explains what passed. */
export const BURSTS_MAX = 4

/** Between two bursts, besides a window: no edge is shared by both. */
const APART_SLACKS = 5

/** Under way at once, at most: each opens a connection. */
const WIDTH_MAX = 64

type Asked = {
  readonly name: string
  readonly send: Send
  readonly limit: WindowLimit
  /** What the window of the first burst admitted before it. */
  readonly earlier?: readonly Exchange[]
}

/** Decides nothing where edges may explain what passed (`open`), or where no request was ever refused (`uncounted`). */
export async function judgeBursts(
  context: CheckContext,
  { name, send, limit, earlier = [] }: Asked,
): Promise<'decided' | 'open' | 'uncounted'> {
  const windowMs = limit.windowSeconds * 1000
  const excessive: Span[] = []
  let all = [...earlier]
  let isCounted = false
  for (let tried = 1; tried <= BURSTS_MAX; tried++) {
    all.push(...(await sendMany(send, 2 * limit.count + 1, WIDTH_MAX)))
    // What is counted is counted by then: a request that passes was sent into the next window, or is not counted at all.
    await context.wait('what arrived together to be counted', context.slackMs)
    const isSpent = isThrottled(await send())
    const passed = all.filter(isAccepted)
    isCounted ||= isSpent || all.some(isThrottled)
    const isWithin = passed.length <= limit.count
    if (!isWithin && isSpent) excessive.push(spanOf(passed))
    const isBeyondTwo = isSpent && passed.length > 2 * limit.count && areWithin(passed, windowMs)
    const isBeyondOne =
      excessive.length > 1 && !canAllHoldEdge(excessive, windowMs, context.slackMs)
    if (isWithin || isBeyondTwo || isBeyondOne) {
      context.expect('RATE-02').that(`${name}: requests that arrive together`, {
        holds: isWithin,
        expected: `${limit.count} pass in ${limit.windowSeconds} s`,
        observed: `${passed.length} of ${all.length} passed`,
        exchanges: isWithin ? all.slice(-3) : passed.slice(-3),
      })
      return 'decided'
    }
    await context.wait('the Retry-After of an endpoint', windowMs + APART_SLACKS * context.slackMs)
    all = []
  }
  return isCounted ? 'open' : 'uncounted'
}

function spanOf(passed: readonly Exchange[]): Span {
  return {
    fromMs: Math.min(...passed.map(({ sentAtMs }) => sentAtMs)),
    toMs: Math.max(...passed.map(({ receivedAtMs }) => receivedAtMs)),
  }
}
