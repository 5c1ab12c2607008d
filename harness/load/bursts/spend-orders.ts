import type { SpendEvent } from '../../judge/spend.ts'
import { parseMoney, type Micros } from '../../money.ts'
import type { BurstExchange } from './burst-import.ts'
import { isCapRefusal, isDecided, isLost } from '../../answers.ts'
import { isNamed } from './burst-proof.ts'

/** Everything that was sent under one reference. */
export type Order = {
  readonly reference: number
  readonly key: number
  readonly units: number
  readonly attempts: readonly BurstExchange[]
}

/** The orders of one script, in the order of their first attempt. */
export function ordersOf(exchanges: readonly BurstExchange[]): Order[] {
  const buys = exchanges.filter(({ kind }) => kind === 'buy')
  return [...Map.groupBy(buys, ({ reference = -1 }) => reference)].map(([reference, attempts]) => {
    const { key = 0, units = 0 } = attempts[0] ?? {}
    return { reference, key, units, attempts }
  })
}

/** Accepted, refused by the cap, or refused for another reason: nothing more will come of it. */
export function isOrderDecided({ attempts }: Order): boolean {
  return attempts.some(isDecided)
}

/** Price of one unit by the accepted orders; undefined where they disagree or none states it. */
export function unitOf(orders: readonly Order[]): Micros | undefined {
  const stated = orders.flatMap(({ attempts }) =>
    attempts.filter(isNamed).map(({ price, units }) => {
      const micros = parseMoney(price)
      return micros === undefined || micros % BigInt(units) !== 0n
        ? undefined
        : micros / BigInt(units)
    }),
  )
  return new Set(stated).size === 1 ? stated[0] : undefined
}

/** What became of a purchase, and in which phase. */
export type OrderEvent = SpendEvent & Pick<BurstExchange, 'phase'>

/**
 * The purchases of one key as the spend judge wants them: each distinct order that was named counts, and a refusal by the cap is an event
 * of its own. An attempt without an answer counts until a later answer names its order.
 */
export function eventsOf(orders: readonly Order[], unit: Micros): OrderEvent[] {
  const amountOf = ({ units }: BurstExchange): Micros => BigInt(units) * unit
  return orders.flatMap(({ attempts }) => {
    const accepted = attempts.filter(isNamed)
    const spending = attempts.filter((each) => isNamed(each) || isLost(each))
    const sentMs = Math.min(...spending.map((each) => each.sentMs))
    const distinct = [...new Map(accepted.map((each) => [each.orderId, each])).values()]
    const events: OrderEvent[] = [
      ...distinct.map((each): OrderEvent => {
        const { receivedMs, phase } = each
        return { outcome: 'ok', amount: amountOf(each), sentMs, receivedMs, phase }
      }),
      ...attempts.filter(isCapRefusal).map((each): OrderEvent => {
        const { receivedMs, phase } = each
        const amount = amountOf(each)
        return { outcome: 'refused', amount, sentMs: each.sentMs, receivedMs, phase }
      }),
    ]
    // An unknown attempt may have bought until its reference shows otherwise, which a later answer does.
    if (accepted.length === 0 && spending.length > 0) {
      const receivedMs = Math.max(...spending.map((each) => each.receivedMs))
      const phase = attempts[0]?.phase ?? 'burst'
      const amount = spending.map(amountOf).reduce((most, each) => (each > most ? each : most))
      events.push({ outcome: 'unknown', amount, sentMs, receivedMs, phase })
    }
    return events
  })
}
