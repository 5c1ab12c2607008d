import type { PlannedPurchase, PlannedStep } from '../../../load/protocol/bursts.ts'
import { BUYER_SCOPES } from '../shared/buyer-scopes.ts'
import { formatMoney, type Micros } from '../../money.ts'
import type { Credential } from '../../target-file/target.ts'
import { cartPurchasableOf } from './cart-purchasable.ts'
import { quoteSteps } from './gift-purchasable.ts'
import { kindPurchasables } from './spend-kinds-script.ts'
import {
  purchasableOf,
  oneByOne,
  type Purchasable,
  type ScriptDraft,
  type BurstContext,
} from './burst-plan.ts'

/** The script in which purchases of each kind but plain vouchers are sent again on keys with a cap. */
export const REPLAYS_SCRIPT = 'replays of each kind'

/** One that is sent again, and two that still fit if it is paid for once. */
export const PURCHASES = 3
const HALVES_OF_CAP = 7n
const RETRY_ROUNDS = 1

/** Each is bought by a key of its own: kinds, what finishes later, a checkout; in the currency of the vouchers. */
export function replayedPurchasables({
  target,
  accounts,
}: Pick<BurstContext, 'target' | 'accounts'>): readonly Purchasable[] {
  const voucher = purchasableOf(target, 'voucher', 1)
  if (!accounts.make || 'lacks' in voucher) return []
  const others = [
    purchasableOf(target, 'voucher-async', 1),
    cartPurchasableOf(target, [{ product: 'voucher' }, { product: 'voucher' }]),
  ].flatMap((purchasable) =>
    'lacks' in purchasable || purchasable.currency !== voucher.currency ? [] : [purchasable],
  )
  return [...kindPurchasables(target), ...others]
}

/** A purchase of each, the same again, and two more. */
export function replaysScript(
  purchasables: readonly Purchasable[],
  firstProduct: number,
  atMs: number,
): ScriptDraft {
  const round = (number: number): PlannedPurchase[] =>
    purchasables.map((_, key) => {
      return {
        key,
        reference: number * purchasables.length + key,
        product: firstProduct + key,
        units: 1,
      }
    })
  const all = Array.from({ length: PURCHASES }, (_, number) => round(number)).flat()
  return {
    name: REPLAYS_SCRIPT,
    headroomUnits: purchasables.map(() => null),
    steps: [
      ...quoteSteps(purchasables, firstProduct, all),
      { do: 'meet', atMs },
      ...oneByOne(all.slice(0, purchasables.length)),
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      ...purchasables.map((_, key): PlannedStep => ({ do: 'replay-accepted', key, count: 1 })),
      ...oneByOne(all.slice(purchasables.length)),
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
    ],
  }
}

export function replayedCapOf({ unit }: Pick<Purchasable, 'unit'>): Micros {
  return (HALVES_OF_CAP * unit) / 2n
}

/** A key for each, whose cap has room for its three purchases and a half. */
export async function leaseReplays(
  { accounts }: Pick<BurstContext, 'accounts'>,
  purchasables: readonly Purchasable[],
): Promise<readonly Credential[]> {
  const keys = purchasables.map((each) => {
    return { scopes: BUYER_SCOPES, transactionLimit: formatMoney(replayedCapOf(each)) }
  })
  return (await accounts.make?.({ keys })) ?? []
}
