import { BUYER_SCOPES } from '../shared/buyer-scopes.ts'
import type { Credential, Target } from '../../target-file/target.ts'
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

/** The script that spends its check bucket first and buys then. */
export const CHECKS_SCRIPT = 'a spent check bucket'

/** A bucket so long that it stays spent, and one check spends it. */
const CHECK_BUCKET = { count: 1, windowSeconds: 600 } as const
/** Checks before the purchases: the first spends the bucket, the second shows it. */
const CHECKS = 2
/** Purchases of each kind: one may be refused by a limit that the shop service relays, not all. */
const PURCHASES = 3
/** Units of a check of another amount, which is counted with the others. */
export const OTHER_AMOUNT = 2
/** The reference of a check of another product, which is as well. */
export const OTHER_PRODUCT_REFERENCE = 1000

/** The check, what can be bought beside it, and a check of another product, if there is one; none where the target has no checks or its accounts have no buckets to order. */
export function checksPurchasables({
  target,
  accounts,
}: Pick<BurstContext, 'target' | 'accounts'>): readonly Purchasable[] {
  const check = purchasableOf(target, 'dtu', OTHER_AMOUNT, 'dtu-check')
  if ('lacks' in check || !accounts.make) return []
  const bought = boughtPurchasables(target)
  const other = purchasableOf(target, 'dtu-timeout', 1, 'dtu-check')
  return bought.length > 0 ? [check, ...bought, ...('lacks' in other ? [] : [other])] : []
}

function boughtAmong(purchasables: readonly Purchasable[]): readonly Purchasable[] {
  return purchasables.filter(({ kind }) => kind !== 'dtu-check')
}

/** Vouchers, other kinds, and a checkout of them, in the currency of the vouchers. */
function boughtPurchasables(target: Target): readonly Purchasable[] {
  const voucher = purchasableOf(target, 'voucher', 1)
  if ('lacks' in voucher) return []
  const cart = cartPurchasableOf(target, [{ product: 'voucher' }, { product: 'voucher' }])
  return [voucher, ...kindPurchasables(target), ...('lacks' in cart ? [] : [cart])]
}

/** Checks until one is refused, purchases of all kinds one by one, and a check that shows that the bucket is still spent. */
export function checksScript(
  purchasables: readonly Purchasable[],
  firstProduct: number,
  atMs: number,
): ScriptDraft {
  const bought = boughtAmong(purchasables)
  const other = purchasables.findLastIndex(({ kind }) => kind === 'dtu-check')
  const check = (reference: number, count: number, units = 1) => {
    const tried = { kind: 'check', key: 0, product: firstProduct, reference, count, units } as const
    return { do: 'send-non-purchase', ...tried } as const
  }
  const purchases = Array.from({ length: PURCHASES }, (_, round) =>
    bought.map((_each, index) => {
      const reference = CHECKS + round * bought.length + index
      return { key: 0, reference, product: firstProduct + 1 + index, units: 1 }
    }),
  ).flat()
  return {
    name: CHECKS_SCRIPT,
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: 1 },
      { do: 'meet', atMs },
      ...quoteSteps(purchasables, firstProduct, purchases),
      check(0, CHECKS),
      ...oneByOne(purchases),
      check(CHECKS + purchases.length, 1, OTHER_AMOUNT),
      ...(other > 0
        ? [{ ...check(OTHER_PRODUCT_REFERENCE, 1), product: firstProduct + other }]
        : []),
      check(CHECKS + purchases.length + 1, 1),
    ],
  }
}

/** What a purchase of the script was, by its reference: its place among the purchasables after the check. */
export function kindOfChecksScript(
  reference: number,
  purchasables: readonly Purchasable[],
): Purchasable | undefined {
  const bought = boughtAmong(purchasables)
  return bought[(reference - CHECKS) % bought.length]
}

/** A key of an account with a check bucket of its own. */
export async function leaseChecks({
  accounts,
}: Pick<BurstContext, 'accounts'>): Promise<readonly Credential[]> {
  const spec = { keys: [{ scopes: BUYER_SCOPES }], limits: { 'orders.check': CHECK_BUCKET } }
  return (await accounts.make?.(spec)) ?? []
}
