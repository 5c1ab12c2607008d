import type { Role } from '../../contract/capabilities.ts'
import { STATUS_CODE } from '../../contract/wire.ts'
import type { CheckContext, Exchange, OrderRequest, RequirementId } from '../engine/kit.ts'
import { NAMED_CODES, show, showAnswer, statusCodeOf, untested } from '../engine/kit.ts'
import { buy, dataOf, findsNothing, itemsOf, orderIdOf, orderIdsOf, type Bought } from './orders.ts'

/** What a replay must repeat of the original result. */
export function resultOf(exchange: Exchange): readonly [unknown, unknown, unknown] {
  const { orderId, price, currency } = dataOf(exchange)
  return [orderId, price, currency]
}

/** Sends a purchase again under its reference. */
export function replay(
  { api }: CheckContext,
  { referenceId }: Pick<Bought, 'referenceId'>,
  { role = 'full', ...order }: Partial<OrderRequest> & { readonly role?: Role } = {},
): Promise<Exchange> {
  return api.as(role).createOrder({ product: 'voucher', ...order, referenceId })
}

/** A replay that names the original order, or the check has nothing to look at: that it does is decided by IDEM-03 and IDEM-06. */
export async function replayOfSameOrder(
  context: CheckContext,
  bought: Bought,
  order: Partial<OrderRequest> = {},
  role: Role = 'full',
): Promise<Exchange> {
  const again = await replay(context, bought, { ...order, role })
  if (orderIdOf(again) !== bought.orderId)
    untested(`the second request did not give the original order: ${showAnswer(again)}`)
  return again
}

/** Replays are marked by the number that the target file states, or else by one that no first success has. */
export function expectMarked(
  { expect, leaveUndecided, target }: CheckContext,
  requirement: RequirementId,
  firsts: readonly Exchange[],
  replays: readonly Exchange[],
): void {
  const codes = [...new Set(replays.map(statusCodeOf))]
  if (!codes.every(isStatusCode)) {
    const reason = `a replay has no statusCode of the envelope, which ENV-07 decides: ${show(codes)}`
    return leaveUndecided(requirement, reason)
  }
  const { replayStatusCode } = target.answers
  const taken = [...NAMED_CODES, ...firsts.map(statusCodeOf)]
  const isRight = (code: unknown): boolean =>
    replayStatusCode === undefined ? !taken.includes(code) : code === replayStatusCode
  expect(requirement).that('replays are marked by the statusCode IDEMPOTENCY_REPLAY', {
    holds: codes.length === 1 && codes.every(isRight),
    expected:
      replayStatusCode === undefined
        ? `one number in ${STATUS_CODE.min}..${STATUS_CODE.max} for all replays, none of ${show(taken)}`
        : `${replayStatusCode}, as the target file states`,
    observed: show(codes),
    exchanges: [...firsts, ...replays],
  })
}

function isStatusCode(code: unknown): boolean {
  const { min, max } = STATUS_CODE
  return Number.isInteger(code) && Number(code) >= min && Number(code) <= max
}

/**
 * Makes sure that the filter `referenceId` filters, or nothing could be counted by it: GET-04 decides that. The key must have an
 * order already, which a missing filter would show.
 */
export async function needReferenceFilter(
  context: CheckContext,
  role: Role = 'full',
): Promise<void> {
  const exchange = await context.api.as(role).getOrders({ referenceId: context.reference() })
  if (!findsNothing(exchange))
    untested(`a referenceId that was never used finds something: ${showAnswer(exchange)}`)
}

export type Under = {
  readonly exchange: Exchange
  readonly count: number
  /** Undefined where the target file does not tell how to read them. */
  readonly ids: readonly unknown[] | undefined
}

/** What a reference finds, or an order of it. */
export async function findUnder(
  context: CheckContext,
  filter: string | { readonly referenceId?: string; readonly orderId: string },
  role: Role = 'full',
): Promise<Under> {
  const query = typeof filter === 'string' ? { referenceId: filter } : filter
  const exchange = await context.api.as(role).getOrders(query)
  if (findsNothing(exchange)) return { exchange, count: 0, ids: [] }
  const items = itemsOf(exchange)
  if (!items) untested(`orders could not be counted: ${showAnswer(exchange)}`)
  return { exchange, count: items.length, ids: orderIdsOf(context, exchange) }
}

/** A quantity that is sold and costs something else than one piece: a body that asks for something else. */
export const OTHER_QUANTITY = 2

/** Makes sure that the other body is a valid one, and really another. */
export async function needOtherBody(context: CheckContext, bought: Bought): Promise<void> {
  const other = await buy(context, { quantity: OTHER_QUANTITY })
  const [, price] = resultOf(bought.exchange)
  const [, otherPrice] = resultOf(other.exchange)
  if (price === otherPrice)
    untested(
      `quantity ${OTHER_QUANTITY} costs ${show(otherPrice)} as one piece does: the body template does not ask for something else`,
    )
}

const MARGIN_MS = 500

/** What a check has to wait for that asks whether a reference outlives the window of its endpoint. */
export const A_WINDOW = {
  windows: 1,
  of: ['default'],
  beforeReplay: true,
} as const

/** Longer where the target is given more time: a service may keep references for some minutes. */
export async function waitAWindow({ limit, target, wait }: CheckContext): Promise<void> {
  const windowMs = limit('default').windowSeconds * 1000 + MARGIN_MS
  await wait(
    'the time before a replay',
    Math.max(windowMs, 1000 * (target.replayAfterSeconds ?? 0)),
  )
}
