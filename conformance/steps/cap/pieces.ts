import type { Micros } from '../../../harness/money.ts'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { isAccepted, isCapRefusal, isThrottled } from '../../engine/kit.ts'

/** Orders that are sent at most until what is left is less than one order takes. */
export const FILLING_ORDERS_MAX = 40

/** The order that the cap refused, or a 429 in its place; none where the prices alone leave little enough. */
export type Filled = { readonly refused?: Exchange; readonly units: number }

/**
 * Uses a cap up by orders of the largest size that the target takes, after one was refused for its size. It ends when no more than
 * `leave` is left, or when an order is refused. `leave` takes the pieces of the largest order, and what one of them costs. Undefined
 * where no order leads there.
 */
export async function fill(
  { pieces }: Pick<CheckContext, 'pieces'>,
  {
    unit,
    left,
    send,
    leave = (most, each) => BigInt(most) * each - 1n,
  }: {
    readonly unit: Micros
    /** What is left at most, by the prices. */
    readonly left: () => Micros
    /** A 429 counts as the answer of the cap. */
    readonly send: (units: number) => Promise<Exchange>
    readonly leave?: ((most: number, each: Micros) => Micros) | undefined
  },
): Promise<Filled | undefined> {
  for (let sent = 0; sent < FILLING_ORDERS_MAX; sent++) {
    const { taken, refused } = pieces
    if (refused === Number.POSITIVE_INFINITY) return undefined
    const { cheapest: each = unit } = pieces
    const spare = Number((left() - leave(taken, each) + each - 1n) / each)
    if (taken > 0 && spare <= 0) return { units: taken }
    const units = Math.min(spare, refused - taken > 1 ? (taken + refused) >> 1 : taken)
    if (units < 1) return undefined
    const answer = await send(units)
    if (isAccepted(answer)) pieces.noteTaken(units)
    else if (isCapRefusal(answer) || isThrottled(answer)) return { refused: answer, units }
    else if (!pieces.isTooLarge(units, answer)) return undefined
  }
  return undefined
}
