import type { Bucket } from '../../../contract/limits.ts'
import { formatMoney, type Micros } from '../../money.ts'
import { RISE_MAX, type PurchasePermission } from '../../purchases/purchase.ts'

/** What a scenario may spend at most, known before anything is sent. A broken service may sell every order, so every order counts. */
export type LoadBudget = {
  readonly requestsMax: number
  readonly ordersMax: number
  /** Undefined where nothing is bought. */
  readonly money?: { readonly currency: string; readonly micros: Micros }
  /** Where nobody is kept waiting and nothing is repeated; no bound. */
  readonly expectedSeconds: number
  readonly wallSecondsMax: number
  /** Requests at most on each counter, where the scenario can tell. Optional: a plan then shows the sum alone. */
  readonly counters?: readonly CounterBudget[]
  /** Reads with unhide=true of one order at most, where the scenario has any. Optional, as `counters`. */
  readonly unhide?: readonly UnhideTokens[]
}

/** What one script, stream or group of clients spends of one counter. */
export type CounterBudget = {
  /** The script, stream or account that spends it. */
  readonly name: string
  readonly bucket: Bucket
  /** Keys that share the requests. */
  readonly keys: number
  readonly requestsMax: number
  /** Most that fall into one window; left out where the whole scenario may. */
  readonly requestsPerWindowMax?: number
}

/** What reading one order spends of its unhide budgets. */
export type UnhideTokens = {
  /** What the orders have in common. */
  readonly name: string
  readonly orders: number
  readonly perOrder: Readonly<Record<'pending' | 'completed' | 'admission', number>>
}

/** A k6 process is ready after this, and its evidence read. */
export const START_SECONDS = 1

/** What several scenarios may spend together; of money only where all of it is in one currency. */
export function sumOfBudgets(budgets: readonly LoadBudget[]): LoadBudget {
  const spending = budgets.filter(({ ordersMax }) => ordersMax > 0)
  const currencies = new Set(spending.map(({ money }) => money?.currency))
  const [currency] = currencies
  const micros = spending.reduce((sum, { money }) => sum + (money?.micros ?? 0n), 0n)
  return {
    requestsMax: budgets.reduce((sum, each) => sum + each.requestsMax, 0),
    ordersMax: spending.reduce((sum, each) => sum + each.ordersMax, 0),
    ...(currencies.size === 1 && currency !== undefined && { money: { currency, micros } }),
    expectedSeconds: budgets.reduce((sum, each) => sum + each.expectedSeconds, 0),
    wallSecondsMax: budgets.reduce((sum, each) => sum + each.wallSecondsMax, 0),
  }
}

/** What a permitted sum has to hold for a budget: k6 calls nothing back. */
export function setAsideFor({ money }: Pick<LoadBudget, 'money'>): Micros {
  return RISE_MAX * (money?.micros ?? 0n)
}

/** Why a permission does not cover the purchases of a budget; undefined where it does. */
export function whyNotPermitted(
  { ordersMax, money }: LoadBudget,
  permission: PurchasePermission | undefined,
): string | undefined {
  if (ordersMax === 0) return undefined
  if (!permission)
    return `it buys up to ${ordersMax} orders, and purchases are not permitted (--allow-purchases --max-orders N --max-spend CUR:AMOUNT)`
  if (permission.ordersMax !== undefined && ordersMax > permission.ordersMax)
    return `it buys up to ${ordersMax} orders, ${permission.ordersMax} are permitted (--max-orders)`
  const { spendMax } = permission
  if (!spendMax) return undefined
  if (money?.currency !== spendMax.currency)
    return `it buys in ${money?.currency ?? 'an unknown currency'}, permitted is ${spendMax.currency} (--max-spend)`
  const needed = setAsideFor({ money })
  return needed > spendMax.micros
    ? `it may spend ${money.currency} ${formatMoney(money.micros)}, and twice that is set aside (${formatMoney(needed)}), ${formatMoney(spendMax.micros)} are permitted (--max-spend)`
    : undefined
}
