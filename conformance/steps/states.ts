import type { ProductAbility } from '../../contract/capabilities.ts'
import { retryAfterSeconds } from '../../harness/client/headers.ts'
import { TRANSACTION_STATUSES, isTerminal } from '../../contract/wire.ts'
import type { CheckContext, Exchange, Needs } from '../engine/kit.ts'
import { showAnswer, untested } from '../engine/kit.ts'
import { findsNothing, orderIdsOf, patienceSeconds, type OrderItem } from './orders.ts'
import { needItems } from './reading.ts'

/** What every check of an asynchronous voucher order needs. */
export const BUYS_LATER = {
  capabilities: ['shop', 'async'],
  roles: ['full'],
  products: ['voucher-async'],
  orderKinds: ['shop'],
} as const satisfies Needs

const PAUSE_SECONDS_MIN = 0.25

/** `status` of the envelope. */
export function envelopeStatusOf({ json }: Exchange): unknown {
  return (json as { status?: unknown } | null | undefined)?.status
}

/** Only the four states count here: GET-02, STATE-01 and ENV-06 judge any other. */
export function isKnownStatus(status: unknown): boolean {
  return (TRANSACTION_STATUSES as readonly unknown[]).includes(status)
}

/**
 * Whether an answer to a purchase shows its order, of this status, as IN_PROGRESS. The envelope may say SUCCESS of the request, as that
 * of a list does (OPEN-89).
 */
export function isShownPending(exchange: Exchange, status: unknown): boolean {
  const envelope = envelopeStatusOf(exchange)
  if (!isKnownStatus(status)) return envelope === 'IN_PROGRESS'
  return status === 'IN_PROGRESS' && envelope !== 'CANCELLED' && envelope !== 'PARTIALLY_COMPLETED'
}

/** One attempt to read an order: the item, or nothing where it was not found. */
export type Reading = { readonly exchange: Exchange; readonly item: OrderItem | undefined }

/** Reads and picks the order out of the answer. Untested where several are found and the target file does not tell them apart. */
export async function look(
  context: CheckContext,
  query: Readonly<Record<string, string>>,
  orderId: string,
): Promise<Reading> {
  const exchange = await context.api.as('full').getOrders(query)
  const items = needItems(exchange)
  if (!items || findsNothing(exchange)) return { exchange, item: undefined }
  const ids = orderIdsOf(context, exchange)
  if (ids?.length === items.length) return { exchange, item: items[ids.indexOf(orderId)] }
  if (items.length > 1)
    untested(`several orders were found, and nothing tells them apart: ${showAnswer(exchange)}`)
  return { exchange, item: items[0] }
}

export function isFinished(reading: Reading | undefined): boolean {
  return isTerminal(reading?.item?.['status'])
}

/** Reads an order by each of the queries in turn, until each has shown it finished; last when patience ends. Never gives up on a missing order. */
export async function pollEach(
  context: CheckContext,
  product: ProductAbility,
  orderId: string,
  queries: readonly Readonly<Record<string, string>>[],
): Promise<readonly (readonly Reading[])[]> {
  const { clock } = context
  const patienceMs = patienceSeconds(context, product) * 1000
  const endMs = clock.nowMs() + patienceMs
  const rounds: Reading[][] = []
  for (;;) {
    const round: Reading[] = []
    for (const query of queries) round.push(await look(context, query, orderId))
    rounds.push(round)
    const leftMs = endMs - clock.nowMs()
    const isOver = queries.every((_, index) => rounds.some((each) => isFinished(each[index])))
    if (isOver || leftMs <= 0) return rounds
    const asked = Math.max(...round.map(({ exchange }) => retryAfterSeconds(exchange) ?? 0))
    const pauseMs = Math.max(PAUSE_SECONDS_MIN * 1000, asked * 1000, asked ? 0 : patienceMs / 20)
    await context.wait('an order to finish', Math.min(pauseMs, leftMs))
  }
}
