import { formatMoney, inHundredths, parseMoney, type Micros } from '../../harness/money.ts'
import type { Target } from '../../harness/target-file/target.ts'
import type { Needs } from './check.ts'

const ONE: Micros = 1_000_000n

type Products = Pick<Target, 'products'>

/**
 * The cap to ask the control side for, as a decimal amount: so many units of the voucher as the check names, and what else it covers,
 * at the prices that the target file states. A price that it does not state is taken for 1.00. Undefined where the check needs no cap.
 */
export function capOf(
  { transactionLimit, capCovers = {} }: Needs,
  target: Products,
): string | undefined {
  if (transactionLimit === undefined) return undefined
  const units = parseMoney(transactionLimit)
  if (units === undefined) throw new Error(`${transactionLimit} is no number of units`)
  const vouchers = (units * priceOf('voucher', target)) / ONE
  const others = Object.entries(capCovers).map(
    ([product, count]) => BigInt(count) * priceOf(product as keyof typeof capCovers, target),
  )
  const cap = others.reduce((sum, each) => sum + each, vouchers)
  return formatMoney(inHundredths(cap))
}

function priceOf(product: keyof NonNullable<Needs['capCovers']>, { products }: Products): Micros {
  const price = parseMoney(products[product]?.unitPrice)
  return price === undefined || price <= 0n ? ONE : price
}
