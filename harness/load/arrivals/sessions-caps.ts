import type { Micros } from '../../money.ts'
import type { Target } from '../../target/target.ts'
import { cartGoods } from './sessions-goods.ts'

/**
 * Caps of fresh keys that buy carts: every second one has room for half of its carts, and then for the dearest position of another one
 * but not for all of it. The others have none.
 */
export function cartCaps(
  target: Target,
  keys: number,
  sessionsPerKey: number,
): readonly (Micros | undefined)[] {
  const goods = cartGoods(target)
  if ('lacks' in goods) return Array.from({ length: keys }, () => undefined)
  const { price, dearest } = goods
  const carts = BigInt(Math.max(1, Math.floor(sessionsPerKey / 2)))
  return Array.from({ length: keys }, (_, key) =>
    key % 2 === 0 ? carts * price + dearest : undefined,
  )
}
