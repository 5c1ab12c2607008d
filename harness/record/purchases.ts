import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { formatMoney, moneyText, type Micros } from '../money.ts'
import type { Overcharge, Purchased, PurchasePermission } from '../purchases/purchase-guard.ts'

/** The orders of a run, named one by one. */
export function recordedPurchases(
  { orders, made, money }: Purchased,
  permission: PurchasePermission | undefined,
): NonNullable<RunRecord['purchases']> {
  const spendMax = permission?.spendMax
  const beyond = spendMax && (money.get(spendMax.currency) ?? 0n) - spendMax.micros
  return {
    made: orders,
    money: moneyText(money),
    ...(spendMax ? { permitted: amount(spendMax.currency, spendMax.micros) } : {}),
    ...(spendMax && beyond !== undefined && beyond > 0n
      ? { exceededBy: amount(spendMax.currency, beyond) }
      : {}),
    pending: made.filter(({ status }) => status === 'IN_PROGRESS').length,
    unanswered: made.filter(({ status, orderId }) => (status ?? orderId) === undefined).length,
    orders: made.map(({ reference, orderId, product, status, currency, reserved, charged }) => ({
      ...(reference === undefined ? {} : { reference }),
      ...(orderId === undefined ? {} : { orderId }),
      ...(product === undefined ? {} : { product }),
      state: status ?? (orderId === undefined ? 'unanswered' : 'unknown'),
      ...(reserved === undefined ? {} : { reserved: amount(currency, reserved) }),
      ...(charged === undefined ? {} : { charged: amount(currency, charged) }),
    })),
  }
}

/** What an order that was charged too much means for the run. */
export function overchargeText(
  { product, reference, currency, reserved, charged }: Overcharge,
  {
    permitted,
    exceededBy,
    money,
  }: Pick<NonNullable<RunRecord['purchases']>, 'permitted' | 'exceededBy' | 'money'>,
): string {
  const what = `an order of the product ${product} (reference ${reference}) was charged ${amount(currency, charged)}, reckoned with was ${formatMoney(reserved)}`
  if (permitted === undefined) return what
  const bound =
    exceededBy === undefined
      ? `the permitted ${permitted} was not exceeded (${money})`
      : `the permitted ${permitted} may have been exceeded by ${exceededBy}`
  return `${what}; purchases were stopped, and ${bound}`
}

function amount(currency: string, micros: Micros): string {
  return `${currency} ${formatMoney(micros)}`.trim()
}
