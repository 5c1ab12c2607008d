import type { Micros } from '../../money.ts'
import type { Target } from '../../target-file/target.ts'
import { cartPurchasable } from './purchasables.ts'

/** Each capped key reaches its cap once, and a race there may be missed: several keys miss it together far more rarely. */
const CAPPED_OF_KEYS = { capped: 3, keys: 4 } as const

/**
 * Caps of fresh keys that buy carts: most have room for half of their carts, and then for the dearest position of another one but not
 * for all of it. The others have none.
 */
export function cartCaps(
  target: Target,
  keys: number,
  sessionsPerKey: number,
): readonly (Micros | undefined)[] {
  const purchasable = cartPurchasable(target)
  if ('lacks' in purchasable) return Array.from({ length: keys }, () => undefined)
  const { price, dearest } = purchasable
  const carts = BigInt(Math.max(1, Math.floor(sessionsPerKey / 2)))
  return Array.from({ length: keys }, (_, key) =>
    key % CAPPED_OF_KEYS.keys < CAPPED_OF_KEYS.capped ? carts * price + dearest : undefined,
  )
}
