import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { formatMoney, moneyText, type Micros } from '../money.ts'
import type { OrderMade, Overcharge, Purchased, PurchasePermission } from '../purchases/purchase.ts'

type Recorded = NonNullable<RunRecord['purchases']>

/** What a run bought in all. */
export function recordedPurchases(
  { orders, money, charged }: Pick<Purchased, 'orders' | 'money' | 'charged'>,
  permission: PurchasePermission | undefined,
): Pick<Recorded, 'made' | 'money' | 'reserved' | 'permitted' | 'exceededBy'> {
  const spendMax = permission?.spendMax
  const beyond = spendMax && (money.get(spendMax.currency) ?? 0n) - spendMax.micros
  return {
    made: orders,
    money: moneyText(charged),
    ...(moneyText(money) === moneyText(charged) ? {} : { reserved: moneyText(money) }),
    ...(spendMax ? { permitted: amount(spendMax.currency, spendMax.micros) } : {}),
    ...(spendMax && beyond !== undefined && beyond > 0n
      ? { exceededBy: amount(spendMax.currency, beyond) }
      : {}),
  }
}

/** As last seen, or that no answer said whether it was made. */
export function stateOf({ status, orderId }: OrderMade): string {
  return status ?? (orderId === undefined ? 'unanswered' : 'unknown')
}

export function recordedOrder(order: OrderMade): Recorded['orders'][number] {
  const { reference, orderId, product, currency, reserved, charged } = order
  return {
    ...(reference === undefined ? {} : { reference }),
    ...(orderId === undefined ? {} : { orderId }),
    ...(product === undefined ? {} : { product }),
    state: stateOf(order),
    ...(reserved === undefined ? {} : { reserved: amount(currency, reserved) }),
    ...(charged === undefined ? {} : { charged: amount(currency, charged) }),
  }
}

/** What an order that was charged too much means for the run. */
export function overchargeText(
  { product, reference, currency, reserved, charged }: Overcharge,
  {
    permitted,
    exceededBy,
    money,
    reserved: counted = money,
  }: Pick<Recorded, 'permitted' | 'exceededBy' | 'money' | 'reserved'>,
): string {
  const what = `an order of the product ${product} (reference ${reference}) was charged ${amount(currency, charged)}, but at most ${formatMoney(reserved)} was expected`
  if (permitted === undefined) return what
  const bound =
    exceededBy === undefined
      ? `the permitted ${permitted} was not exceeded (${counted})`
      : `the permitted ${permitted} may have been exceeded by ${exceededBy}`
  return `${what}; purchases were stopped, and ${bound}`
}

export function amount(currency: string, micros: Micros): string {
  return `${currency} ${formatMoney(micros)}`.trim()
}
