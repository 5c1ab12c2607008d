/** What each check costs, measured against the reference service in virtual time. */
import { BUCKETS, DEFAULT_LIMITS, type Bucket } from '../../contract/limits.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import type {
  CheckCosts,
  Cost,
  CostTable,
  CounterName,
  Holder,
  Measured,
} from '../../harness/plan/costs.ts'
import type { Target } from '../../harness/target-file/target.ts'
import type { Verdict } from '../../schemas/generated/run-record.ts'
import type { CheckDefinition } from '../../conformance/engine/check.ts'
import type { ServiceOptions } from '../../reference/base/types.ts'
import { ALL_CHECKS } from '../../conformance/registry.ts'
import { suiteRun, type Accounts, type SuiteRun } from './suite-run.ts'

/** Windows of the two measurements: the embedded service's own with short budgets, and the interface's. */
const WINDOW_SECONDS = { short: 2, full: 60 } as const
type Size = keyof typeof WINDOW_SECONDS
const SEED = 7

type StateOfGifts = Pick<ServiceOptions, 'platformGift' | 'variants'> & {
  readonly checks?: readonly CheckDefinition[]
}

/** The gate shut, and open; some checks are of gifts whose upstream lacks its quote route. */
const STATES_OF_GIFTS: readonly StateOfGifts[] = [
  { platformGift: 'disabled' },
  { platformGift: 'enabled' },
  {
    platformGift: 'enabled',
    variants: ['gift-quotes-upstream-missing'],
    checks: ALL_CHECKS.filter(({ needs }) => needs.giftQuotes === 'upstream-missing'),
  },
]

type Tally = {
  readonly requests: Map<CounterName, number>
  readonly units: Map<ProductAbility, number>
  orders: number
}

/** Runs the suite with fresh and with shared accounts, at both sizes of budgets, with the gate of gifts shut and open. */
export async function measureCosts(): Promise<CostTable> {
  const fresh = await measureWith('fresh')
  const shared = await measureWith({ shared: 'all' })
  const ids = [...new Set([...fresh.costs.keys(), ...shared.costs.keys()])].toSorted()
  const costsOf = (id: string): CheckCosts => {
    const [own, common] = [fresh.costs.get(id), shared.costs.get(id)]
    return { ...(own && { fresh: own }), ...(common && { shared: common }) }
  }
  return {
    budgets: fresh.budgets,
    checks: Object.fromEntries(ids.map((id) => [id, costsOf(id)])),
  }
}

type MeasuredWith = {
  readonly budgets: CostTable['budgets']
  readonly costs: ReadonlyMap<string, Cost>
}

async function measureWith(accounts: Accounts): Promise<MeasuredWith> {
  const sizes = {
    short: await talliesAt('short', accounts),
    full: await talliesAt('full', accounts),
  }
  const ids = new Set([...sizes.short.tallies.keys(), ...sizes.full.tallies.keys()])
  return {
    budgets: { short: sizes.short.budgets, full: sizes.full.budgets },
    costs: new Map(
      [...ids].map((id) => [id, joined(sizes.short.tallies.get(id), sizes.full.tallies.get(id))]),
    ),
  }
}

async function talliesAt(
  size: Size,
  accounts: Accounts,
): Promise<{ budgets: Record<Bucket, number>; tallies: Map<string, Tally> }> {
  const tallies = new Map<string, Tally>()
  let budgets = Object.fromEntries(
    BUCKETS.map((bucket) => [bucket, DEFAULT_LIMITS[bucket].count]),
  ) as Record<Bucket, number>
  for (const { checks, ...choices } of STATES_OF_GIFTS) {
    const run = await suiteRun({
      accounts,
      windowSeconds: WINDOW_SECONDS[size],
      service: { seed: SEED, ...choices },
      ...(checks && { checks }),
    })
    const { limits } = run.session.options
    budgets = Object.fromEntries(
      BUCKETS.map((bucket) => [bucket, limits[bucket].count]),
    ) as typeof budgets
    for (const [id, tally] of talliesOf(run)) tallies.set(id, larger(tallies.get(id), tally))
  }
  return { budgets, tallies }
}

/** What each check of one run sent and bought. */
export function talliesOf({ session, outcomes }: SuiteRun): Map<string, Tally> {
  const { target } = session.options
  const senders = new Set(session.history.all().map(({ check }) => check))
  const tallies = new Map<string, Tally>(
    outcomes
      .filter(({ check }) => !isLacking(check.verdict) || senders.has(check.id))
      .map(({ check }) => [check.id, { requests: new Map(), units: new Map(), orders: 0 }]),
  )
  const orders = new Set<string>()
  for (const exchange of session.history.all()) {
    const tally = tallies.get(exchange.check)
    if (!tally) continue
    for (const counter of countersOf(exchange))
      tally.requests.set(counter, (tally.requests.get(counter) ?? 0) + 1)
    for (const { orderId, product, units } of boughtBy(exchange, target)) {
      if (orders.has(orderId)) continue
      orders.add(orderId)
      tally.orders += 1
      if (product) tally.units.set(product, (tally.units.get(product) ?? 0) + units)
    }
  }
  return tallies
}

/** A check that lacks what it needs costs nothing; one that found out later has cost what it sent. */
function isLacking(verdict: Verdict): boolean {
  return verdict === 'untested' || verdict === 'inapplicable'
}

/** The counters whose windows a run has to live within. Unhide budgets count per order: no run waits for another's. */
function countersOf({ operation, role, request, response }: Exchange): CounterName[] {
  if (role === 'none' || role === 'invented' || operation === 'raw') return []
  const holder: Holder = role === 'stranger' ? 'other' : 'own'
  if (operation !== 'getOrders') {
    const isCheck = operation === 'createOrder' && /"checkOnly":\s*true/.test(request.body ?? '')
    return [
      `${holder} default ${operation}`,
      ...(isCheck ? [`${holder} orders.check` as const] : []),
    ]
  }
  const { searchParams } = new URL(request.url)
  if (searchParams.get('unhide') === 'true') return [`${holder} orders.unhide.admission`]
  const isFiltered = searchParams.has('orderId') || searchParams.has('referenceId')
  // Two listings in a minute decide how long a run takes: one that is refused for its key waits for none.
  if (!isFiltered && [401, 403].includes(response?.status ?? 0)) return []
  return [`${holder} orders.${isFiltered ? 'filtered' : 'list'}`]
}

type Bought = {
  readonly orderId: string
  readonly product: ProductAbility | undefined
  readonly units: number
}

/** The orders that an answer names, with what was asked for: the reference service's bodies are known here. */
function boughtBy({ operation, request, response, json }: Exchange, target: Target): Bought[] {
  const isPurchase = operation === 'createOrder' || operation === 'createCart'
  if (!isPurchase || !response || response.status >= 300) return []
  const { data } = (json ?? {}) as { data?: { orderId?: string; orders?: { orderId: string }[] } }
  const orders = data?.orders ?? (data?.orderId === undefined ? [] : [{ orderId: data.orderId }])
  const lines = linesOf(request.body)
  return orders.map(({ orderId }, index) => {
    const line = lines[index] ?? lines[0] ?? {}
    const units = Number(line['quantity'] ?? line['amount'] ?? 1)
    return { orderId, product: productOf(line, target), units: Number.isFinite(units) ? units : 1 }
  })
}

type Line = Readonly<Record<string, unknown>>

function linesOf(body: string | undefined): readonly Line[] {
  const sent = parsed(body)
  const list = Object.values(sent).find((value) => Array.isArray(value)) as Line[] | undefined
  return sent['itemId'] === undefined && list ? list : [sent]
}

/** A body that is no JSON bought nothing that could be told. */
function parsed(body: string | undefined): Line {
  try {
    return JSON.parse(body ?? '{}') as Line
  } catch {
    return {}
  }
}

function productOf(line: Line, { products }: Target): ProductAbility | undefined {
  const abilities = Object.keys(products) as ProductAbility[]
  return line['quoteToken'] === undefined
    ? abilities.find((ability) => products[ability]?.variables['itemId'] === line['itemId'])
    : 'platform-gift'
}

function larger(known: Tally | undefined, tally: Tally): Tally {
  if (!known) return tally
  return {
    orders: Math.max(known.orders, tally.orders),
    requests: largerOfEach(known.requests, tally.requests),
    units: largerOfEach(known.units, tally.units),
  }
}

function largerOfEach<Name>(a: Map<Name, number>, b: Map<Name, number>): Map<Name, number> {
  const names = [...a.keys(), ...b.keys()]
  return new Map(names.map((name) => [name, Math.max(a.get(name) ?? 0, b.get(name) ?? 0)]))
}

/** One number where both sizes gave the same. A check that only one of them decides is taken to cost the same at the other. */
function joined(short: Tally | undefined, full: Tally | undefined): Cost {
  const [a, b] = [short ?? full, full ?? short]
  if (!a || !b) throw new Error('a check that was measured has a tally')
  return {
    requests: joinedMaps(a.requests, b.requests),
    orders: measured(a.orders, b.orders),
    units: joinedMaps(a.units, b.units),
  }
}

function joinedMaps<Name extends string>(
  a: ReadonlyMap<Name, number>,
  b: ReadonlyMap<Name, number>,
): Partial<Record<Name, Measured>> {
  const names = [...new Set([...a.keys(), ...b.keys()])].toSorted()
  return Object.fromEntries(
    names.map((name) => [name, measured(a.get(name) ?? 0, b.get(name) ?? 0)]),
  ) as Partial<Record<Name, Measured>>
}

function measured(short: number, full: number): Measured {
  return short === full ? short : [short, full]
}
