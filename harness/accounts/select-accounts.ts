import type { Target } from '../target-file/target.ts'
import type { AccountSource } from './accounts.ts'
import { controlAccounts } from './control-accounts.ts'
import { controlClient } from './control-client.ts'
import { staticAccounts } from './static-accounts.ts'

/** Fresh accounts where the target offers them, else those of the target file. */
export function accountsOf(target: Target): AccountSource {
  if (!target.control) return staticAccounts(target)
  return controlAccounts(controlClient(target.control.baseUrl), capCurrencyOf(target))
}

/** The currency of caps: that of vouchers or, where none are sold, the stated one. Top-ups come next: eSIMs are always in USD. */
export function capCurrencyOf({
  products,
  credentials,
}: Pick<Target, 'products' | 'credentials'>): string {
  return (
    products.voucher?.currency ??
    credentials.capped?.transactionLimit?.currency ??
    products.dtu?.currency ??
    products.quantity?.currency ??
    'USD'
  )
}
