/** The orders that a scenario made or may have made, read off its evidence: one for each reference and answer that names others. */
import type { BurstProduct, PlannedStep } from '../../load/protocol/bursts.ts'
import { boughtBy, type BurstPlan } from './bursts/burst-plan.ts'
import type { OpenModelPlan } from './open-model/plan.ts'
import type { SessionTable } from './open-model/session-table.ts'
import { priceOf, purchaseOf } from './open-model/sessions-history.ts'
import type { Purchase } from './open-model/sessions-history.ts'
import { parseMoney, type Micros } from '../money.ts'
import type { OrderMade } from '../purchases/purchase.ts'
import type { BurstEvidence, BurstExchange } from './bursts/burst-import.ts'
import { isNamed } from './bursts/burst-proof.ts'
import { isAccepted, isLost } from '../../contract/answers.ts'
import { referenceIdOf } from '../../contract/reference-id.ts'

const MICROS = 1_000_000

export function* burstOrders(
  { file, budget }: BurstPlan,
  { scripts }: BurstEvidence,
): Generator<OrderMade> {
  const { currency = '' } = budget.money ?? {}
  for (const [script, { exchanges }] of scripts.entries()) {
    const planned = (file.scripts[script]?.steps ?? []).flatMap(boughtBy)
    // Copies may have another body: the first is what was bought.
    const products = new Map(
      planned.toReversed().map(({ reference, product }) => [reference, product]),
    )
    const buys = exchanges.filter(({ kind }) => kind === 'buy')
    for (const [number = -1, attempts] of Map.groupBy(buys, ({ reference }) => reference)) {
      const unit = file.products[products.get(number) ?? 0]?.unitPrice ?? 0
      const order = {
        reference: referenceIdOf(file.references, script, number),
        currency,
        ...amount('reserved', microsOf(unit * (attempts[0]?.units ?? 1))),
      }
      const reads = exchanges.filter((each) => each.reference === number && isReading(each))
      yield* namedOrders(order, attempts, reads)
    }
  }
}

/**
 * The most that purchases may cost which are on their way at one moment, at their planned prices: k6 leaves no evidence of what it was
 * waiting for when it was stopped.
 */
export function underWayMax(plan: BurstPlan | OpenModelPlan): Micros {
  if (!('scripts' in plan)) {
    const { virtualUsers, pricesMax = {} } = plan.file
    return microsOf(virtualUsers * Math.max(0, ...Object.values(pricesMax)))
  }
  const { scripts, products } = plan.file
  const dearest = scripts.map(({ steps }) =>
    Math.max(0, ...steps.map((step) => priceOfStep(step, products))),
  )
  return microsOf(dearest.reduce((sum, each) => sum + each, 0))
}

function priceOfStep(step: PlannedStep, products: readonly BurstProduct[]): number {
  return boughtBy(step).reduce(
    (sum, { product, units }) => sum + units * (products[product]?.unitPrice ?? 0),
    0,
  )
}

type Named = Pick<OrderMade, 'reference' | 'reserved' | 'currency'>

function* namedOrders(
  order: Named,
  attempts: readonly BurstExchange[],
  reads: readonly BurstExchange[],
): Generator<OrderMade> {
  const made = Map.groupBy(attempts.filter(isNamed), ({ orderId = '' }) => orderId)
  for (const [orderId, answers] of made) {
    const seen = made.size === 1 ? [...answers, ...reads] : answers
    const status = seen.findLast(({ state }) => state !== undefined)?.state
    const charged = dearest(seen.map(({ price }) => parseMoney(price)))
    yield { ...order, orderId, ...amount('charged', charged), ...stateOf(status?.split(',')) }
  }
  if (made.size === 0 && attempts.some(isLost)) yield order
}

/** A read that found what the reference bought. */
function isReading({ kind, status, items = 0 }: BurstExchange): boolean {
  return status === 200 && items > 0 && (kind === 'masked' || kind === 'by-order')
}

export function* sessionOrders(
  { file, budget, keys }: OpenModelPlan,
  sessions: SessionTable,
): Generator<OrderMade> {
  const { currency = '' } = budget.money ?? {}
  for (const session of sessions) {
    const purchase = purchaseOf(session, keys[session.key]?.account ?? '')
    if (!purchase) continue
    const reserved = microsOf(file.pricesMax?.[purchase.kind] ?? 0)
    const reference = referenceIdOf(file.references, 0, purchase.session)
    yield* ordersOf(purchase, { reference, currency, ...amount('reserved', reserved) })
  }
}

function* ordersOf(purchase: Purchase, order: Named): Generator<OrderMade> {
  const made = Map.groupBy(purchase.attempts.filter(isAccepted), ({ ids }) => ids.join(','))
  for (const [orderId, answers] of made) {
    const seen = made.size === 1 ? [...answers, ...purchase.reads, ...purchase.unhides] : answers
    const last = seen.findLast(({ state, states }) => state !== undefined || states.length > 0)
    const states = last && (last.states.length > 0 ? last.states : [last.state ?? ''])
    const charged = dearest(seen.map((answer) => priceOf({ original: answer })))
    yield { ...order, orderId, ...amount('charged', charged), ...stateOf(states) }
  }
  if (made.size === 0 && purchase.attempts.some(isLost)) yield order
}

/** Several orders of a checkout have one state where all have the same. */
function stateOf(states: readonly string[] = []): Pick<OrderMade, 'status'> {
  const all = [...new Set(states)].filter((each) => each !== '' && each !== '-')
  return all.length === 0 ? {} : { status: all.join(' ') }
}

function dearest(prices: readonly (Micros | undefined)[]): Micros | undefined {
  const known = prices.filter((each) => each !== undefined)
  return known.reduce<Micros | undefined>(
    (most, each) => (most === undefined || each > most ? each : most),
    undefined,
  )
}

function microsOf(price: number): Micros {
  return BigInt(Math.round(price * MICROS))
}

function amount<Name extends 'reserved' | 'charged'>(
  name: Name,
  micros: Micros | undefined,
): Partial<Record<Name, Micros>> {
  return micros === undefined ? {} : ({ [name]: micros } as Record<Name, Micros>)
}
