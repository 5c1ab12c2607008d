import { overlaps } from '../../../harness/judge/overlap.ts'
import { CONTENTION_RULE } from '../../../harness/judge/rules/refusals.ts'
import type { Exchange } from '../../engine/kit.ts'
import { answerOf, inconclusive, isDecided, isThrottled } from '../../engine/kit.ts'
import type { Buyer } from '../buyer.ts'
import { needPower, repeatUntilPower, textOf, BURSTS, BURSTS_MAX } from './race.ts'
import { pause, release, burstSize, type Burst } from './burst.ts'

/** Orders of a burst: enough to contend, few enough to arrive together. */
export const LARGE_SIZE = 10

/** So many bursts without a decided order are a livelock. */
export const LIVELOCK_BURSTS = 3

/** Bursts that a spent window may refuse. */
const DISTURBED_MAX = 2

/** Small bursts: enough to grow from two orders to a large burst, where the service lets some wait and refuses only the rest. */
const SMALL_MAX = 2 * LARGE_SIZE

/** Orders that all bursts and the lone orders after them may create. */
export const ORDERS_MAX =
  (BURSTS_MAX + DISTURBED_MAX) * (LARGE_SIZE + 1) + SMALL_MAX * (LARGE_SIZE / 2 + 1)

/** Orders that the bursts create where each waits for its turn and all are accepted. */
export const ORDERS_USUAL = BURSTS * LARGE_SIZE

/** What bursts showed of orders that contend. */
export type Decisions = {
  readonly large: readonly Burst[]
  /** Small bursts, by which it is known who contended with whom. */
  readonly small: readonly Burst[]
  /** The bursts without a decided order, although one order alone passed. */
  readonly lost: readonly Burst[]
  /** A refusal whose only rivals were decided. */
  readonly won: boolean
}

/** Releases large bursts until their power is reached; where some were refused, smaller bursts until one shows that another won. */
export async function decideTogether(buyer: Buyer): Promise<Decisions> {
  const lost: Burst[] = []
  const small: Burst[] = []
  const isOver = (released: readonly Burst[]): boolean =>
    lost.length >= LIVELOCK_BURSTS || released.some(({ first }) => first.some(isWrong))
  const size = burstSize(buyer, LARGE_SIZE)
  const large = await repeatUntilPower(() => releaseUndisturbed(buyer, size, lost), {
    isOver,
    isInDoubt: () => lost.length > 0,
  })
  // Where nearly all may wait, one large burst has a single refusal sooner than a smaller burst has.
  let won = large.some(hasWinner) && (await passesAlone(buyer))
  let count = 2
  while (isRefusing(large) && !won && small.length < SMALL_MAX && !isOver([...large, ...small])) {
    const burst = await releaseUndisturbed(buyer, count, lost)
    small.push(burst)
    won = hasWinner(burst) && (await passesAlone(buyer))
    const refused = burst.first.filter(isThrottled).length
    // Fewer where too many contended to tell with whom, more where none did.
    count = refused === 0 ? Math.min(count + 1, size) : Math.max(2, count - 1)
  }
  return { large, small, lost, won }
}

/** A burst that no spent window refused. A burst without a decided order is noted if one order alone passes. */
async function releaseUndisturbed(buyer: Buyer, count: number, lost: Burst[]): Promise<Burst> {
  for (let disturbed = 0; ; disturbed++) {
    const burst = await release(buyer, count, 1)
    if (burst.first.some(isDecided)) return burst
    if (await passesAlone(buyer)) {
      lost.push(burst)
      return burst
    }
    if (disturbed >= DISTURBED_MAX)
      inconclusive(`${disturbed + 1} bursts met a window that was spent: ${burst.text}`)
  }
}

/** Whether one order alone passes at once: then no window was in the way of those before. */
export async function passesAlone(buyer: Buyer): Promise<boolean> {
  const lone = await buyer.send(1, buyer.context.reference(), { throttled: 'return' })
  if (isThrottled(lone)) await pause(buyer, [lone])
  return isDecided(lone)
}

/**
 * Whether an order was refused whose every rival was decided. Where all that overlap are refused, the refused are never alone: each
 * has another that was refused with it, whatever came too early or too late to contend.
 */
export function hasWinner({ first }: Pick<Burst, 'first'>): boolean {
  return first.filter(isThrottled).some((refused) => {
    const rivals = first.filter((each) => each !== refused && overlaps(each, refused))
    return rivals.length > 0 && rivals.every(isDecided)
  })
}

/** Wrong whoever else was decided: right is a decision, or a 429 of a limit. */
export function isWrong(exchange: Exchange): boolean {
  return CONTENTION_RULE.breach(answerOf(exchange)) !== undefined
}

function isRefusing(bursts: readonly Burst[]): boolean {
  return bursts.some(({ first }) => first.some(isThrottled))
}

/** Insists that what was seen is enough for a pass. To be called before one is recorded. */
export function needDecisions({ large, small, lost, won }: Decisions): void {
  const all = [...large, ...small]
  if (lost.length > 0)
    inconclusive(
      `in ${lost.length} of ${all.length} bursts no order was decided, which ${LIVELOCK_BURSTS} would make a livelock: ${textOf(all)}`,
    )
  // A refusal for contention shows by itself that orders arrived together.
  const together = large.filter((each) => each.isTogether || isRefusing([each])).length
  needPower(large, 'orders', { together })
  if (isRefusing(large) && !won)
    inconclusive(
      `orders were refused for contention, and none was seen to win against them: ${textOf(all)}`,
    )
}
