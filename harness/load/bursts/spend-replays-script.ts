import type { PlannedPurchase, PlannedStep } from '../../../load/protocol/bursts.ts'
import { BUYER_SCOPES } from '../shared/buyer-scopes.ts'
import { formatMoney, type Micros } from '../../money.ts'
import type { Credential } from '../../target-file/target.ts'
import { cartGoodsOf } from './cart-purchasable.ts'
import { quoteSteps } from './gift-purchasable.ts'
import { kindGoods } from './spend-kinds-script.ts'
import { goodsOf, oneByOne, type Goods, type ScriptDraft, type BurstContext } from './burst-plan.ts'

/** The script in which purchases of each kind but plain vouchers are sent again on keys with a cap. */
export const REPLAYS_SCRIPT = 'replays of each kind'

/** One that is sent again, and two that still fit if it is paid for once. */
export const PURCHASES = 3
const HALVES_OF_CAP = 7n
const RETRY_ROUNDS = 1

/** Each is bought by a key of its own: kinds, what finishes later, a checkout; in the currency of the vouchers. */
export function replayedGoods({
  target,
  accounts,
}: Pick<BurstContext, 'target' | 'accounts'>): readonly Goods[] {
  const voucher = goodsOf(target, 'voucher', 1)
  if (!accounts.make || 'lacks' in voucher) return []
  const others = [
    goodsOf(target, 'voucher-async', 1),
    cartGoodsOf(target, [{ product: 'voucher' }, { product: 'voucher' }]),
  ].flatMap((goods) => ('lacks' in goods || goods.currency !== voucher.currency ? [] : [goods]))
  return [...kindGoods(target), ...others]
}

/** A purchase of each, the same again, and two more. */
export function replaysScript(
  goods: readonly Goods[],
  firstProduct: number,
  atMs: number,
): ScriptDraft {
  const round = (number: number): PlannedPurchase[] =>
    goods.map((_, key) => {
      return { key, reference: number * goods.length + key, product: firstProduct + key, units: 1 }
    })
  const all = Array.from({ length: PURCHASES }, (_, number) => round(number)).flat()
  return {
    name: REPLAYS_SCRIPT,
    headroomUnits: goods.map(() => null),
    steps: [
      ...quoteSteps(goods, firstProduct, all),
      { do: 'meet', atMs },
      ...oneByOne(all.slice(0, goods.length)),
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      ...goods.map((_, key): PlannedStep => ({ do: 'replay-accepted', key, count: 1 })),
      ...oneByOne(all.slice(goods.length)),
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
    ],
  }
}

export function replayedCapOf({ unit }: Pick<Goods, 'unit'>): Micros {
  return (HALVES_OF_CAP * unit) / 2n
}

/** A key for each, whose cap has room for its three purchases and a half. */
export async function leaseReplays(
  { accounts }: Pick<BurstContext, 'accounts'>,
  goods: readonly Goods[],
): Promise<readonly Credential[]> {
  const keys = goods.map((each) => {
    return { scopes: BUYER_SCOPES, transactionLimit: formatMoney(replayedCapOf(each)) }
  })
  return (await accounts.make?.({ keys })) ?? []
}
