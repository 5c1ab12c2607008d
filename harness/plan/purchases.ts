import type { ProductAbility } from '../../contract/capabilities.ts'
import { formatMoney, parseMoney, type Micros } from '../money.ts'
import type { Target } from '../target/target.ts'
import { largest } from './costs.ts'
import { costOf, type ChosenCheck, type Reckoning } from './chains.ts'

/** What the checks buy. */
export type PurchasesPlan = {
  /** As many as were made when the checks were measured. */
  readonly orders: number
  /** Most orders that the checks declare: every try needed, every order of a broken service. The guard stops a run at what is permitted. */
  readonly ordersMax: number
  /** By currency, at the prices of the target file. */
  readonly money: ReadonlyMap<string, Micros>
  /** Products that are bought and have no price in the target file. */
  readonly unpriced: readonly ProductAbility[]
}

export function purchasesOf(
  checks: readonly ChosenCheck[],
  given: Reckoning,
  { products, credentials }: Target,
): PurchasesPlan {
  const money = new Map<string, Micros>()
  const unpriced = new Set<ProductAbility>()
  const add = (some: readonly ChosenCheck[], capMicros?: Micros): void => {
    const own = new Map<string, Micros>()
    for (const [ability, units] of some.flatMap((check) => unitsOf(check, given))) {
      const unit = parseMoney(products[ability]?.unitPrice)
      const currency = products[ability]?.currency
      if (unit === undefined || currency === undefined) unpriced.add(ability)
      else own.set(currency, (own.get(currency) ?? 0n) + unit * BigInt(Math.ceil(units)))
    }
    for (const [currency, micros] of own) {
      const spent = capMicros !== undefined && micros > capMicros ? capMicros : micros
      money.set(currency, (money.get(currency) ?? 0n) + spent)
    }
  }
  const isCapped = ({ roles }: ChosenCheck): boolean => roles.includes('capped')
  const cap = credentials.capped?.transactionLimit
  const [limit, used] = [parseMoney(cap?.limit), parseMoney(cap?.used)]
  add(checks.filter((check) => !isCapped(check)))
  // A key that all share buys no more than its cap, however much the checks would like to.
  add(
    checks.filter(isCapped),
    given.isFresh || limit === undefined || used === undefined ? undefined : limit - used,
  )
  return {
    orders: checks.reduce((sum, check) => sum + largest(costOf(check, given).orders), 0),
    ordersMax: checks.reduce((sum, { purchases }) => sum + purchases, 0),
    money,
    unpriced: [...unpriced],
  }
}

function unitsOf(check: ChosenCheck, given: Reckoning): [ProductAbility, number][] {
  const units = Object.entries(costOf(check, given).units) as [
    ProductAbility,
    Parameters<typeof largest>[0],
  ][]
  return units.map(([ability, measured]) => [ability, largest(measured)])
}

/** Amounts with their currency, as `USD 12.50 and EUR 3.00`. */
export function moneyText(money: ReadonlyMap<string, Micros>): string {
  const amounts = [...money].map(([currency, micros]) => `${currency} ${formatMoney(micros)}`)
  return amounts.length === 0 ? 'nothing' : amounts.join(' and ')
}
