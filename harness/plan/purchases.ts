import type { ProductAbility } from '../../contract/capabilities.ts'
import { formatMoney, parseMoney, type Micros } from '../money.ts'
import type { Target } from '../target-file/target.ts'
import { costOf, type ChosenCheck, type Reckoning } from './chains.ts'
import type { Offer } from './check-plan.ts'
import { largest, type Measured } from './costs.ts'

/** What the checks buy. */
export type PurchasesPlan = {
  /** As many as were made when the checks were measured. */
  readonly orders: number
  /** Most orders that the checks declare: every try needed, every order of a broken service. The guard stops a run at what is permitted. */
  readonly ordersMax: number
  /** By currency, at the prices of the target file. */
  readonly money: ReadonlyMap<string, Micros>
  /** The same, if each order that the checks declare was accepted: a service that lets races pass its caps sells so much. */
  readonly moneyMax: ReadonlyMap<string, Micros>
  /** What the checks on a capped key would buy, and what the target file says is left of its cap; only where all share the key. */
  readonly onCap?: {
    readonly wanted: ReadonlyMap<string, Micros>
    readonly left: string
    /** Checks that may find too little left. Which of them do depends on their order. None if the cap has room for all. */
    readonly atRisk: readonly string[]
  }
  /** Products that are bought and have no price in the target file. */
  readonly unpriced: readonly ProductAbility[]
}

type Capped = Pick<Target, 'credentials' | 'moreKeys'>

type Bill = Pick<PurchasesPlan, 'money' | 'moneyMax' | 'unpriced'>

export function purchasesOf(
  checks: readonly ChosenCheck[],
  given: Reckoning,
  target: Pick<Target, 'products'> & Capped,
): PurchasesPlan {
  const onCap = billOf(checks.filter(isCapped), given, target)
  // A key that all share buys no more than its cap, however much the checks would like to.
  const capMicros = given.isFresh ? undefined : headroomOf(target)
  const rest = billOf(
    checks.filter((check) => !isCapped(check)),
    given,
    target,
  )
  return {
    orders: checks.reduce((sum, check) => sum + largest(costOf(check, given).orders), 0),
    ordersMax: checks.reduce((sum, { purchases }) => sum + purchases, 0),
    money: sumOfMoney([rest.money, capped(onCap.money, capMicros)]),
    moneyMax: sumOfMoney([rest.moneyMax, onCap.moneyMax]),
    ...(capMicros !== undefined && {
      onCap: {
        wanted: onCap.money,
        atRisk: sumOver(onCap.money) > capMicros ? checks.filter(isCapped).map(({ id }) => id) : [],
        left: `${target.credentials.capped?.transactionLimit?.currency} ${formatMoney(capMicros)}`,
      },
    }),
    unpriced: [...new Set([...rest.unpriced, ...onCap.unpriced])],
  }
}

function sumOver(money: ReadonlyMap<string, Micros>): Micros {
  return money.values().reduce((sum, micros) => sum + micros, 0n)
}

export function isCapped({ roles }: Pick<ChosenCheck, 'roles'>): boolean {
  return roles.includes('capped')
}

function billOf(
  checks: readonly ChosenCheck[],
  given: Reckoning,
  { products }: Pick<Target, 'products'>,
): Bill {
  // A check that buys several kinds leaves out what the target does not sell.
  const bought = checks
    .flatMap((check) => unitsOf(check, given))
    .filter(([ability]) => products[ability] !== undefined)
  const unpriced = bought
    .map(([ability]) => ability)
    .filter((ability) => {
      const { unitPrice, currency } = products[ability] ?? {}
      return parseMoney(unitPrice) === undefined || currency === undefined
    })
  return {
    money: sumOfMoney(bought.flatMap(([ability, { units }]) => priceOf(products, ability, units))),
    moneyMax: sumOfMoney(
      bought.flatMap(([ability, { unitsMax }]) => priceOf(products, ability, unitsMax)),
    ),
    unpriced: [...new Set(unpriced)],
  }
}

/** Empty where the target file gives no price. */
function priceOf(
  products: Target['products'],
  ability: ProductAbility,
  units: number,
): ReadonlyMap<string, Micros>[] {
  const { unitPrice, currency } = products[ability] ?? {}
  const unit = parseMoney(unitPrice)
  return unit === undefined || currency === undefined
    ? []
    : [new Map([[currency, unit * BigInt(Math.ceil(units))]])]
}

/** With the orders that read prices before checks use windows up (conformance/engine/later-prices.ts). */
export function withPricesAhead(
  plan: PurchasesPlan,
  checks: readonly ChosenCheck[],
  given: Reckoning,
  { target: { products }, permission, isGentle = false }: Offer,
): PurchasesPlan {
  const isHeld = checks.some(({ windows }) => windows.length > 0)
  if (!permission?.spendMax || isGentle || given.isFresh || !isHeld) return plan
  const bought = checks.flatMap((check) => unitsOf(check, given).map(([ability]) => ability))
  const ahead = [...new Set(bought)].filter(
    (ability) => products[ability]?.completesWithinSeconds !== undefined,
  )
  const prices = ahead.flatMap((ability) => priceOf(products, ability, 1))
  return {
    ...plan,
    orders: plan.orders + ahead.length,
    ordersMax: plan.ordersMax + ahead.length,
    money: sumOfMoney([plan.money, ...prices]),
    moneyMax: sumOfMoney([plan.moneyMax, ...prices]),
  }
}

type Units = { readonly units: number; readonly unitsMax: number }

/** Units that a right service sells, and those that one sells that accepts every declared order. */
function unitsOf(check: ChosenCheck, given: Reckoning): [ProductAbility, Units][] {
  const { units: all, orders } = costOf(check, given)
  const factor = Math.max(1, check.purchases / Math.max(1, largest(orders)))
  const entries = Object.entries(all) as [ProductAbility, Measured][]
  return entries.map(([ability, measured]) => {
    const units = largest(measured)
    return [ability, { units, unitsMax: factor * units }]
  })
}

/** Of all keys with a cap; undefined where one does not state it. */
function headroomOf({ credentials, moreKeys = [] }: Capped): Micros | undefined {
  const keys = [credentials.capped, ...moreKeys.filter(({ role }) => role === 'capped')]
  return keys.reduce<Micros | undefined>((sum, key) => {
    const [limit, used] = [key?.transactionLimit?.limit, key?.transactionLimit?.used].map(
      parseMoney,
    )
    return sum === undefined || limit === undefined || used === undefined
      ? undefined
      : sum + limit - used
  }, 0n)
}

function capped(
  money: ReadonlyMap<string, Micros>,
  capMicros: Micros | undefined,
): ReadonlyMap<string, Micros> {
  if (capMicros === undefined) return money
  return new Map(
    [...money].map(([currency, micros]) => [currency, micros > capMicros ? capMicros : micros]),
  )
}

function sumOfMoney(all: readonly ReadonlyMap<string, Micros>[]): ReadonlyMap<string, Micros> {
  const sum = new Map<string, Micros>()
  for (const [currency, micros] of all.flatMap((money) => [...money]))
    sum.set(currency, (sum.get(currency) ?? 0n) + micros)
  return sum
}
