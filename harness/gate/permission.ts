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
