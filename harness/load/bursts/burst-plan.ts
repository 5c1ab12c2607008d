import { memberOfFile, productFor } from '../../target-file/wants.ts'
import type { Lacks } from '../shared/lacks.ts'
import type { ProductAbility } from '../../../contract/capabilities.ts'
import type { OperationName } from '../../../contract/operations.ts'
import { newReferences } from '../../client/references.ts'
import {
  BURSTS_VERSION,
  type PlannedScript,
  type PlannedPurchase,
  type PlannedStep,
  type BurstFile,
  type BurstProduct,
  type BurstReads,
} from '../../../load/protocol/bursts.ts'
import type { AccountSource } from '../../accounts/accounts.ts'
import { renderCart, renderOrder, type CartLine } from '../../client/bodies.ts'
import { parseMoney, type Micros } from '../../money.ts'
import type { EffectiveLimits } from '../../quota/effective-limits.ts'
import type { OrderKind, Scalar, Target } from '../../target-file/target.ts'
import { START_SECONDS, type LoadBudget } from '../shared/budget.ts'
import { BURST_RUNTIME } from '../shared/k6-runtime.ts'
import { operationUrl } from '../shared/operation-url.ts'
import { GIFT, quotesOf, TOKEN_MARK } from './gift-quotes.ts'
import { readsOf } from './read-steps.ts'
import { nameSecrets, REQUEST_TIMEOUT_SECONDS } from '../rate-limits/plan.ts'
import type { K6Plan, LoadKey } from '../rate-limits/plan.ts'

/** What scenarios of bursts are planned for. */
export type BurstContext = {
  readonly target: Target
  readonly limits: EffectiveLimits
  readonly accounts: AccountSource
}

/** One script as the planner lays it out, before there are keys. */
export type ScriptDraft = {
  readonly name: string
  readonly headroomUnits: readonly (number | null)[]
  readonly stopsOverCap?: true
  readonly steps: readonly PlannedStep[]
}

/** A script with the keys that it was given, in the order of its plan. */
export type ScriptKeys = { readonly keys: readonly LoadKey[] }

export type BurstPlan = K6Plan & {
  readonly file: BurstFile
  readonly scripts: readonly ScriptKeys[]
  readonly budget: LoadBudget
}

/** A product of the target that is bought by the unit, or a checkout of several. */
export type Purchasable = {
  readonly ability: ProductAbility
  readonly kind: OrderKind
  /** The positions of a checkout. */
  readonly lines?: readonly CartLine[]
  readonly unit: Micros
  readonly currency: string
  /** Most units of one order. */
  readonly unitsMax: number
}

/** What a scenario of bursts lays out before there are keys. */
export type BurstDraft = {
  readonly scripts: readonly ScriptDraft[]
  readonly purchasables: readonly Purchasable[]
}

/** Stands in rendered bodies for the reference. */
const REFERENCE_MARK = 'harness-load-reference'
const SPARE_SECONDS = 10
const MICROS = 1_000_000

/** Scripts meet at this time, when connections are open, and then one after the other, so that two cores release one burst at a time. */
export const MEET = { firstMs: 600, everyMs: 60 } as const

/** The purchasables, or why they cannot be bought with a budget. */
export function purchasableOf(
  target: Target,
  ability: ProductAbility,
  { kind = 'shop', unitsMax = 1 }: { readonly kind?: OrderKind; readonly unitsMax?: number } = {},
): Purchasable | Lacks {
  if (kind !== 'shop' && !target.capabilities.includes(kind))
    return { lacks: `the capability ${kind} is not declared` }
  const product = target.products[ability]
  const unit = parseMoney(product?.unitPrice)
  if (!product)
    return {
      lacks: `the target file names no product "${ability}"`,
      wants: [productFor(ability)],
    }
  if (unit === undefined || unit <= 0n || product.currency === undefined)
    return {
      lacks: `the product "${ability}" of the target file has no unitPrice and currency`,
      wants: [memberOfFile('price', `products.${ability}.unitPrice, with its currency`)],
    }
  if (target.operations.createOrder.bodies[kind] === undefined)
    return {
      lacks: `the target file gives no body for orders of kind ${kind}`,
      wants: [memberOfFile('body template', `operations.createOrder.bodies.${kind}`)],
    }
  return { ability, kind, unit, currency: product.currency, unitsMax }
}

/** Steps and purchasables, counted: what all scripts spend at most. */
export function budgetOf(
  scripts: readonly ScriptDraft[],
  purchasables: readonly Purchasable[],
): LoadBudget {
  const spent = scripts.flatMap((script) =>
    script.steps.map((step) => costOf(step, script, purchasables)),
  )
  const sum = (of: (cost: Cost) => number): number =>
    spent.reduce((total, cost) => total + of(cost), 0)
  const longest = (seconds: (cost: Cost) => number): number =>
    Math.max(
      0,
      ...scripts.map((script) =>
        script.steps.reduce(
          (total, step) => total + seconds(costOf(step, script, purchasables)),
          0,
        ),
      ),
    )
  const [first] = purchasables
  return {
    requestsMax: sum(({ requestsMax }) => requestsMax),
    ordersMax: sum(({ orders }) => orders),
    ...(first && {
      money: {
        currency: first.currency,
        micros: scripts.reduce((total, script) => total + moneyOf(script, purchasables), 0n),
      },
    }),
    expectedSeconds: START_SECONDS + longest(({ usualSeconds }) => usualSeconds),
    wallSecondsMax: Math.ceil(SPARE_SECONDS + longest(({ seconds }) => seconds)),
  }
}

/** What a script pays at most. One that stops over the cap buys no more than its room and the burst that exceeds it. */
function moneyOf(script: ScriptDraft, purchasables: readonly Purchasable[]): Micros {
  const { steps, headroomUnits, stopsOverCap } = script
  if (!stopsOverCap)
    return steps.reduce((sum, step) => sum + costOf(step, script, purchasables).micros, 0n)
  const headroom = headroomUnits.reduce<number>((sum, units) => sum + (units ?? 0), 0)
  const units = (step: PlannedStep, isCapped: boolean): number =>
    boughtBy(step)
      .filter(({ key }) => (headroomUnits[key] === null) !== isCapped)
      .reduce((sum, each) => sum + each.units, 0)
  const beyond = Math.max(...steps.map((step) => units(step, true)))
  const uncapped = steps.reduce((sum, step) => sum + units(step, false), 0)
  return priceOf(headroom + beyond + uncapped, purchasables)
}

/** Steps that are carried out whatever the answers are. */
function certainSteps({ steps, stopsOverCap }: ScriptDraft): readonly PlannedStep[] {
  const burst = steps.findIndex((step) => boughtBy(step).length > 1)
  return stopsOverCap ? steps.slice(0, burst + 1) : steps
}

type Cost = {
  readonly requestsMin: number
  readonly requestsMax: number
  readonly orders: number
  readonly micros: Micros
  /** At most. */
  readonly seconds: number
  readonly usualSeconds: number
}

const FREE: Cost = {
  requestsMin: 0,
  requestsMax: 0,
  orders: 0,
  micros: 0n,
  seconds: 0,
  usualSeconds: 0,
}
const RETRY_SECONDS = 10
/** What is contended is typically decided after one wait of so long (Errors). */
const CONTENDED_SECONDS = 1

function costOf(
  step: PlannedStep,
  script: ScriptDraft,
  purchasables: readonly Purchasable[],
): Cost {
  switch (step.do) {
    case 'warm':
      return { ...FREE, requestsMin: step.count, requestsMax: step.count }
    case 'meet':
      return { ...FREE, ...sleeping(step.atMs / 1000) }
    case 'rest':
      return { ...FREE, ...sleeping(step.ms / 1000) }
    case 'buy': {
      const requests = step.purchases.length
      const micros = step.purchases.reduce(
        (sum, { product, units }) => sum + BigInt(units) * (purchasables[product]?.unit ?? 0n),
        0n,
      )
      const orders = step.purchases.reduce(
        (sum, { product }) => sum + ordersOf(purchasables[product]),
        0,
      )
      return { ...FREE, requestsMin: requests, requestsMax: requests, orders, micros }
    }
    case 'quote':
      return { ...FREE, requestsMin: step.quotes.length, requestsMax: step.quotes.length }
    case 'read-contended':
      return { ...FREE, requestsMax: step.contendedMax + 1 }
    case 'retry-until-decided': {
      const open = script.steps.reduce((sum, each) => sum + boughtBy(each).length, 0)
      const usualSeconds = CONTENDED_SECONDS
      const seconds = RETRY_SECONDS * step.rounds
      return { ...FREE, requestsMax: open * step.rounds, seconds, usualSeconds }
    }
    case 'cap-boundary': {
      const units = BigInt((script.headroomUnits[step.key] ?? 0) + 1)
      return { ...FREE, requestsMax: 3, orders: 3, micros: units * (purchasables[0]?.unit ?? 0n) }
    }
    case 'read':
      return { ...FREE, requestsMin: step.reads.length, requestsMax: step.reads.length }
  }
}

function sleeping(seconds: number): Pick<Cost, 'seconds' | 'usualSeconds'> {
  return { seconds, usualSeconds: seconds }
}

/** Orders that one purchase makes. */
function ordersOf(purchasables: Pick<Purchasable, 'lines'> | undefined): number {
  return purchasables?.lines?.length ?? 1
}

function priceOf(units: number, purchasables: readonly Purchasable[]): Micros {
  return BigInt(units) * (purchasables[0]?.unit ?? 0n)
}

/** Each is sent when the one before has been answered. */
export function oneByOne(purchases: readonly PlannedPurchase[]): PlannedStep[] {
  return purchases.map((each) => ({ do: 'buy', phase: 'spare', purchases: [each] }))
}

/** Purchases that a step names. */
export function boughtBy(step: PlannedStep): readonly PlannedPurchase[] {
  return step.do === 'buy' ? step.purchases : []
}

/** Puts keys to the scripts and renders the bodies: what k6 reads. */
export function planBursts(
  scenario: string,
  target: Target,
  { scripts, purchasables }: BurstDraft,
  scriptKeys: readonly ScriptKeys[],
): BurstPlan {
  const secrets = nameSecrets(scriptKeys)
  const budget = budgetOf(scripts, purchasables)
  const planned = scripts.map((script, index): PlannedScript => {
    const keys = scriptKeys[index]?.keys ?? []
    const costs = certainSteps(script).map((step) => costOf(step, script, purchasables))
    return {
      name: script.name,
      keyEnvs: keys.map(({ secret }) => secrets.get(secret) as string),
      headroomUnits: script.headroomUnits,
      ...(script.stopsOverCap && { stopsOverCap: true as const }),
      steps: script.steps,
      requestsMin: costs.reduce((sum, { requestsMin }) => sum + requestsMin, 0),
    }
  })
  const file: BurstFile = {
    version: BURSTS_VERSION,
    scenario,
    scripts: planned,
    references: newReferences(target.referenceForm),
    warmUrl: urlOf(target, 'listServices', { limit: '1' }),
    products: purchasables.map((each) => productOf(target, each)),
    readUrl: urlOf(target, 'getOrders'),
    listed: readsOf(target, 'getOrders', { items: 'items', price: 'prices', state: 'statuses' }),
    ...(purchasables.some(({ kind }) => kind === GIFT) && quotesOf(target)),
    referenceMark: REFERENCE_MARK,
    widest: Math.max(1, ...scripts.flatMap(({ steps }) => steps.map(widthOf))),
    requestTimeoutSeconds: REQUEST_TIMEOUT_SECONDS,
    maxSeconds: budget.wallSecondsMax,
  }
  return {
    scenario,
    file,
    scripts: scriptKeys,
    unitsMax: scripts.length,
    units: scripts.map((script) => budgetOf([script], purchasables)),
    budget,
    runtime: BURST_RUNTIME,
    secrets: Object.fromEntries([...secrets].map(([secret, name]) => [name, secret])),
    requestsMin: planned.reduce((sum, { requestsMin }) => sum + requestsMin, 0),
    requestsMax: budget.requestsMax,
    wallSecondsMax: budget.wallSecondsMax,
  }
}

function urlOf(
  target: Target,
  operation: OperationName,
  query: Readonly<Record<string, string>> = {},
): string {
  return (
    operationUrl(target, operation, { variables: target.products.voucher?.variables, query }) ?? ''
  )
}

function productOf(target: Target, purchasable: Purchasable): BurstProduct {
  const { lines, unit } = purchasable
  return {
    url: urlOf(target, lines ? 'createCart' : 'createOrder'),
    bodies: bodiesOf(target, purchasable),
    unitPrice: Number(unit) / MICROS,
    reads: lines ? cartReads(target) : readsOf(target, 'createOrder', READS_OF_ORDER),
  }
}

function bodiesOf(target: Target, purchasable: Purchasable): string[] {
  const { ability, kind, lines, unitsMax } = purchasable
  if (lines)
    return [JSON.stringify(renderCart(target, { referenceId: REFERENCE_MARK, lines })?.body)]
  return Array.from({ length: unitsMax }, (_, index) => {
    const order = {
      product: ability,
      referenceId: REFERENCE_MARK,
      quantity: index + 1,
      variables: kind === GIFT ? { quoteToken: TOKEN_MARK } : {},
    }
    const amount = kind === 'dtu' ? { amount: amountOf(target, ability, index + 1) } : {}
    return JSON.stringify(renderOrder(target, { ...order, ...amount }, kind))
  })
}

/** So many times the amount that the target file gives of a top-up, which its unitPrice is for, else so many units. */
function amountOf(target: Target, ability: ProductAbility, units: number): Scalar {
  const own = target.products[ability]?.variables['amount']
  if (own === undefined) return units
  return typeof own === 'number' ? own * units : own
}

/** Requests that a step releases at once. */
export function widthOf(step: PlannedStep): number {
  if (step.do === 'buy') return step.purchases.length
  if (step.do === 'read') return step.reads.length
  if (step.do === 'warm') return step.count
  if (step.do === 'quote') return step.quotes.length
  return step.do === 'read-contended' ? step.contendedMax + 1 : 1
}

/** Whole numbers, as many as asked for. */
export function range(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}

const READS_OF_ORDER = {
  id: 'orderId',
  price: 'price',
  currency: 'currency',
  state: 'status',
} as const

/** The currency of the total stands beside it (CheckoutResponse). */
function cartReads(target: Target): BurstReads {
  const { total } = readsOf(target, 'createCart', { total: 'totalPrice' })
  return {
    ...readsOf(target, 'createCart', { id: 'orderIds', price: 'totalPrice', state: 'status' }),
    ...(total && { currency: [...total.slice(0, -1), 'currency'] }),
  }
}
