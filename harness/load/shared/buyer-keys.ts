import { BUYER_SCOPES } from '../../../contract/capabilities.ts'
import { formatMoney, inHundredths, type Micros } from '../../money.ts'

type BuyerKey = { readonly scopes: typeof BUYER_SCOPES; readonly transactionLimit?: string }

/** Keys that may buy, as accounts are made with them: one for each of these caps; undefined: without a cap. */
export function buyerKeys(...caps: readonly (Micros | undefined)[]): BuyerKey[] {
  return caps.map((cap) => ({
    scopes: BUYER_SCOPES,
    ...(cap !== undefined && { transactionLimit: formatMoney(inHundredths(cap)) }),
  }))
}
