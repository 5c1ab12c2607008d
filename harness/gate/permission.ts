import { formatMoney } from '../money.ts'
import type { PurchasePermission } from '../quota/purchase-guard.ts'
import { isLoopback } from '../target-file/base-url.ts'
import type { Target } from '../target-file/target.ts'
import type { RunOptions } from './options.ts'

/** What the run may do to the target, and why. */
export type Permission = {
  /** Undefined: no purchase. */
  readonly purchases?: PurchasePermission
  /** Load scenarios run, and windows are spent to their limit. Without it less than a quarter of each window is spent. */
  readonly load: boolean
  readonly reason: string
}

/** Purchases and load are free on loopback and on a declared sandbox; anywhere else they need flags. */
export function permissionOf(target: Target, options: RunOptions): Permission {
  const free = whyFree(target)
  const limits = limitsOf(options)
  if (free) return { purchases: limits, load: true, reason: free }
  return {
    ...(options.allowPurchases ? { purchases: limits } : {}),
    load: options.allowLoad,
    reason: reasonFor(options),
  }
}

/** What is declared beats where it is: behind a port of this machine may stand a tunnel to production. */
function whyFree({ baseUrl, environment, origins }: Target): string | undefined {
  if (environment === 'sandbox') return 'the target is declared a sandbox'
  const isDeclared = origins['environment'] !== undefined && origins['environment'] !== 'default'
  return isLoopback(baseUrl) && !isDeclared ? 'the target is on loopback' : undefined
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
