import { ANNOUNCED_MS } from '../../../contract/answers.ts'
import { limitOf } from '../../quota/effective-limits.ts'
import type { CartLine } from '../../client/bodies.ts'
import type { PlannedPurchase } from '../../../load/protocol/bursts.ts'
import { cartPurchasableOf } from './cart-purchasable.ts'
import type { Purchasable, ScriptDraft, BurstContext } from './burst-plan.ts'

/** The script in which checkouts are sent several times at once, and again later. */
export const CARTS_SCRIPT = 'checkouts'
/** The orders of one checkout. */
export const CART_POSITIONS: readonly CartLine[] = [
  { product: 'voucher' },
  { product: 'voucher', quantity: 2 },
]
/** What one of the checkouts asks for when it is sent again. */
const LONGER: readonly CartLine[] = [...CART_POSITIONS, { product: 'voucher', quantity: 3 }]

const SAME = 0
const CHANGED = 1
const REFERENCES = [SAME, CHANGED] as const
const COPIES = 3
const REPLAYS = 2
const RETRY_ROUNDS = 1

/** The checkout and a longer one; undefined where the target has no carts, or its windows no room. */
export function cartsToReplay({
  target,
  limits,
}: BurstContext): readonly [Purchasable, Purchasable] | undefined {
  const sent = 2 * REFERENCES.length * (COPIES + REPLAYS)
  const [cart, longer] = [CART_POSITIONS, LONGER].map((lines) => cartPurchasableOf(target, lines))
  if (!cart || !longer || 'lacks' in cart || 'lacks' in longer) return undefined
  return sent <= limitOf(limits, 'default', 'createCart').count ? [cart, longer] : undefined
}

/** First-time copies of checkouts at once, then replays of them. One replay asks for a further position. */
export function cartsScript(product: number, atMs: number): ScriptDraft {
  const copies = (count: number, changed: number): PlannedPurchase[] =>
    Array.from({ length: count }, () =>
      REFERENCES.map((reference) => {
        const place = reference === CHANGED ? changed : product
        return { key: 0, reference, product: place, units: 1 }
      }),
    ).flat()
  return {
    name: CARTS_SCRIPT,
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: REFERENCES.length * COPIES },
      { do: 'meet', atMs },
      { do: 'warm', count: REFERENCES.length * COPIES },
      { do: 'buy', phase: 'burst', purchases: copies(COPIES, product) },
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      { do: 'buy', phase: 'storm', purchases: copies(REPLAYS, product + 1) },
      { do: 'rest', ms: ANNOUNCED_MS },
      {
        do: 'read',
        phase: 'count',
        reads: REFERENCES.map((reference) => ({ key: 0, reference, kind: 'masked' })),
      },
    ],
  }
}
