import type { PlannedPurchase } from '../../../load/protocol/volleys.ts'
import type { Order } from './spend-orders.ts'
import { goodsOf, type Goods, type LaneDraft, type VolleyContext } from './volley-plan.ts'
import { isAccepted } from './volley-proof.ts'

/** The lane in which references of vouchers are used again for top-ups. */
export const OTHER_KIND_LANE = 'another kind'
/** Bought as vouchers first. */
export const OTHER_KIND_REFERENCES: readonly number[] = [0, 1]
/** Bought as a top-up alone: that it can be bought at all. */
const CONTROL_REFERENCE = 2

const COPIES = 3
const SETTLE_ROUNDS = 1
/** Of an account, with one more round of each. */
const ORDERS = 2 * ((1 + COPIES) * OTHER_KIND_REFERENCES.length + 1)

/** Top-ups; undefined where the target sells none, or its account has no room beside what other lanes send. */
export function otherKindGoods(
  { target, limits, accounts }: VolleyContext,
  ofOthers: { readonly orders: number; readonly reads: number },
): Goods | undefined {
  const hasRoom =
    accounts.fresh ||
    (ofOthers.orders + ORDERS <= limits.default.count &&
      ofOthers.reads + OTHER_KIND_REFERENCES.length <= limits['orders.filtered'].count)
  if (!hasRoom || !target.capabilities.includes('dtu')) return undefined
  const goods = goodsOf(target, 'dtu', 1, 'dtu')
  return 'lacks' in goods ? undefined : goods
}

/** Vouchers, then top-ups under their references, several of each at once. */
export function otherKindLane(product: number, atMs: number): LaneDraft {
  const topUp = (reference: number): PlannedPurchase => ({ key: 0, reference, product, units: 1 })
  const vouchers = OTHER_KIND_REFERENCES.map((reference) => ({ ...topUp(reference), product: 0 }))
  const again = Array.from({ length: COPIES }, () => OTHER_KIND_REFERENCES.map(topUp)).flat()
  return {
    name: OTHER_KIND_LANE,
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: again.length },
      { do: 'meet', atMs },
      { do: 'buy', phase: 'volley', purchases: vouchers },
      { do: 'settle', rounds: SETTLE_ROUNDS },
      { do: 'buy', phase: 'storm', purchases: again },
      { do: 'buy', phase: 'spare', purchases: [topUp(CONTROL_REFERENCE)] },
      { do: 'settle', rounds: SETTLE_ROUNDS },
      {
        do: 'read',
        phase: 'count',
        reads: OTHER_KIND_REFERENCES.map((reference) => ({ key: 0, reference, kind: 'masked' })),
      },
    ],
  }
}

/** The same body under a reference of its own was sold. */
export function canBuyOtherKind(orders: readonly Order[]): boolean {
  return orders.some(
    ({ reference, attempts }) => reference === CONTROL_REFERENCE && attempts.some(isAccepted),
  )
}
