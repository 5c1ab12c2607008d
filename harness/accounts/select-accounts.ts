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

/** The currency of caps: that of what is bought with them. */
export function capCurrencyOf(target: Target): string {
  return target.products.voucher?.currency ?? 'USD'
}
