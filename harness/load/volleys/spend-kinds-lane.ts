import { formatMoney } from '../../money.ts'
import { BUYER_SCOPES } from '../buyer-scopes.ts'
import type { Credential, OrderKind, Target } from '../../target/target.ts'
import { giftGoodsOf, quoteSteps } from './gift-goods.ts'
import { goodsOf, type Goods, type LaneDraft, type VolleyContext } from './volley-plan.ts'

/** The lane in which other kinds of orders are held to caps. */
export const KINDS_LANE = 'other kinds'

/** What is bought there; the requirement of each kind that the cap holds for it. */
export const CAPPED_KINDS = [
  { ability: 'dtu', kind: 'dtu', capability: 'dtu', requirement: 'CAP-18' },
  { ability: 'esim', kind: 'esim', capability: 'esim', requirement: 'CAP-19' },
  {
    ability: 'platform-gift',
    kind: 'platform-gift',
    capability: 'platform-gift',
    requirement: 'CAP-20',
  },
] as const satisfies readonly { kind: OrderKind; [name: string]: string }[]

/** Released at once on each key, whose cap has room for two of them and a half. */
const PURCHASES = 5
const HALVES_OF_CAP = 5n
const SETTLE_ROUNDS = 3

/** The kinds that the target sells in the currency of its vouchers; a key each. */
export function kindGoods(target: Target): Goods[] {
  const voucher = goodsOf(target, 'voucher', 1)
  if ('lacks' in voucher) return []
  return CAPPED_KINDS.flatMap(({ ability, kind, capability }) => {
    if (!target.capabilities.includes(capability)) return []
    const goods = kind === 'platform-gift' ? giftGoodsOf(target) : goodsOf(target, ability, 1, kind)
    return 'lacks' in goods || goods.currency !== voucher.currency ? [] : [goods]
  })
}

/** Every key buys its kind, all at once; `firstProduct` is the place of the first kind among all goods. */
export function kindsLane(goods: readonly Goods[], firstProduct: number, atMs: number): LaneDraft {
  const purchases = Array.from({ length: PURCHASES * goods.length }, (_, reference) => {
    const key = reference % goods.length
    return { key, reference, product: firstProduct + key, units: 1 }
  })
  return {
    name: KINDS_LANE,
    headroomUnits: goods.map(() => null),
    steps: [
      { do: 'warm', count: purchases.length },
      ...quoteSteps(goods, firstProduct, purchases),
      { do: 'meet', atMs },
      { do: 'buy', phase: 'volley', purchases },
      { do: 'settle', rounds: SETTLE_ROUNDS },
    ],
  }
}

export function capOf({ unit }: Pick<Goods, 'unit'>): bigint {
  return (HALVES_OF_CAP * unit) / 2n
}

/** A key for each kind, on one account that is made for them. */
export async function leaseKinds(
  { accounts }: Pick<VolleyContext, 'accounts'>,
  goods: readonly Goods[],
): Promise<readonly Credential[]> {
  const keys = goods.map((each) => ({
    scopes: BUYER_SCOPES,
    transactionLimit: formatMoney(capOf(each)),
  }))
  return (await accounts.make?.({ keys })) ?? []
}
