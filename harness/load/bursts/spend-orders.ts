import { spendEventsOf, type AttemptEvent } from '../../judge/rules/purchases.ts'
import { parseMoney, type Micros } from '../../money.ts'
import type { BurstExchange } from './burst-import.ts'
import { isDecided } from '../../../contract/answers.ts'
import { isNamed } from './burst-proof.ts'

/** Everything that was sent under one reference. */
export type Order = {
  readonly reference: number
  readonly key: number
  readonly units: number
  readonly attempts: readonly BurstExchange[]
  /** One answer for each order that was made. */
  readonly made: readonly BurstExchange[]
}

/** The orders of one script, in the order of their first attempt. */
export function ordersOf(exchanges: readonly BurstExchange[]): Order[] {
  const buys = exchanges.filter(({ kind }) => kind === 'buy')
  return [...Map.groupBy(buys, ({ reference = -1 }) => reference)].map(([reference, attempts]) => {
    const { key = 0, units = 0 } = attempts[0] ?? {}
    const named = attempts.filter(isNamed)
    const made = [...new Map(named.map((each) => [each.orderId, each])).values()]
    return { reference, key, units, attempts, made }
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

/** The purchases of one key as the spend judge wants them. */
export function eventsOf(orders: readonly Order[], unit: Micros): AttemptEvent<BurstExchange>[] {
  return orders.flatMap((order) => spendEventsOf(order, ({ units }) => BigInt(units) * unit))
}
