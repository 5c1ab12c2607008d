import { HarnessError } from '../errors.ts'
import { formatMoney } from '../money.ts'
import type { PurchasePermission } from '../purchases/purchase.ts'
import { whyFreeToTest } from '../target-file/free-to-test.ts'
import type { Target } from '../target-file/target.ts'
import type { Permission } from '../plan/permission.ts'
import type { RunOptions } from './options.ts'

/** Purchases and load are free on loopback and on a declared sandbox; anywhere else they need flags. */
export function permissionOf(target: Target, options: RunOptions): Permission {
  const free = whyFreeToTest(target)
  const limits = limitsOf(options)
  if (free) return { purchases: limits, load: true, reason: free }
  return {
    ...(options.allowPurchases ? { purchases: limits } : {}),
    load: options.allowLoad,
    reason: reasonFor(options),
  }
}

function limitsOf({ ordersMax, spendMax }: RunOptions): PurchasePermission {
  return { ...(ordersMax === undefined ? {} : { ordersMax }), ...(spendMax ? { spendMax } : {}) }
}

function reasonFor({
  allowPurchases,
  ordersMax,
  spendMax,
  allowLoad,
  requestsMax,
}: RunOptions): string {
  const spend = spendMax ? `${spendMax.currency} ${formatMoney(spendMax.micros)}` : ''
  return [
    'the target is declared production, or neither on loopback nor declared a sandbox',
    allowPurchases
      ? `purchases are permitted up to ${ordersMax} orders and ${spend}`
      : 'purchases are not permitted (--allow-purchases --max-orders N --max-spend CUR:AMOUNT)',
    allowLoad
      ? `load is permitted up to ${requestsMax} requests`
      : 'load is not permitted, and less than a quarter of each window is spent (--allow-load)',
  ].join('; ')
}

/** Refuses money in a currency in which no product is sold: every purchase would be refused, one after the other. Throws E_BUDGET. */
export function requireCurrency(
  { products }: Pick<Target, 'products'>,
  { spendMax }: Pick<RunOptions, 'spendMax'>,
): void {
  const known = Object.values(products).flatMap(({ currency }) => currency ?? [])
  const currencies = [...new Set(known)].toSorted()
  if (!spendMax || currencies.length === 0 || currencies.includes(spendMax.currency)) return
  throw new HarnessError(
    'E_BUDGET',
    `--max-spend permits ${spendMax.currency}, and the products of the target file are sold in ${currencies.join(', ')}`,
    `Permit their currency, for example --max-spend ${currencies[0]}:${formatMoney(spendMax.micros)}.`,
  )
}
