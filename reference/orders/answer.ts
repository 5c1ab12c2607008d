/** How a purchase is answered: first time or replayed, at once or accepted. */
import { HEADER, RETRY_AFTER_SECONDS, type TransactionStatus } from '../../contract/wire.ts'
import type { ApiKey } from '../model/accounts.ts'
import type { Context } from '../model/context.ts'
import type { FaultSet } from '../faults/faults.ts'
import type { Answer } from '../http/answer.ts'
import { CODES } from '../http/status-codes.ts'
import { moneyNumber } from '../base/money.ts'
import { aggregateStatus, isEsim, totalMinor } from '../model/order.ts'
import type { Order, OrderLine, Purchase } from '../model/order.ts'
import { type PresentedOrder, createdAtOf, presentOrder } from './present.ts'

/** The answer to the request that created the purchase. */
export function answerCreated(context: Context, purchase: Purchase): Answer {
  const shown = { reveal: revealsAtOnce(context), replay: false }
  const answer = answerPurchase(context, purchase, shown)
  const isPending = answer.status === 'IN_PROGRESS' && purchase.kind === 'order' && isEsim(purchase)
  return isPending && context.faults.has('esim-pending-with-vouchers')
    ? { ...answer, data: { ...answer.data, result: { vouchers: [] } } }
    : answer
}

/** The answer to a later request with the same reference. Another key of the account sees codes masked. */
export function answerReplayed(
  context: Context,
  purchase: Purchase,
  key: ApiKey,
  differs = false,
): Answer {
  const { faults } = context
  const reveal = purchase.key === key && revealsAtOnce(context)
  const answer = answerPurchase(context, purchase, { reveal, replay: true })
  const { data } = answer
  const changed = changeOfReplay(context, purchase, data)
  if (isEsim(purchase) && faults.has('esim-replay-without-wait')) return { ...answer, headers: [] }
  if (changed !== undefined) return { ...answer, data: { ...data, ...changed } }
  return differs && faults.has('replay-other-body-unmarked')
    ? { ...answer, statusCode: CODES.success }
    : answer
}

/** What only faults give another value in a replay. */
function changeOfReplay(
  { faults, clock }: Context,
  { kind, orders, referenceId }: Purchase,
  data: Answer['data'] & { readonly status?: unknown; readonly result?: unknown } = {},
): object | undefined {
  if (faults.isEmpty) return undefined
  if (faults.has('replay-other-price')) return { price: 0 }
  if (kind === 'order' && faults.has('replay-other-currency')) return { currency: 'EUR' }
  if (faults.has('replay-created-now')) return { createdAt: createdAtOf(clock.wallMs()) }
  if (kind === 'checkout') {
    if (faults.has('checkout-replay-total-zero')) return { totalPrice: 0 }
    if (faults.has('checkout-replay-other-vouchers')) return withOtherOrders(data)
    if (faults.has('checkout-replay-other-currency')) return inEur(data)
    if (faults.has('checkout-replay-without-total')) return { totalPrice: undefined }
    return faults.has('checkout-replay-other-reference')
      ? { referenceId: `${referenceId}-again` }
      : undefined
  }
  const [order] = orders
  if (order === undefined) return undefined
  if (data.status === 'CANCELLED' && faults.has('cancelled-replay-failed'))
    return { status: 'FAILED' }
  if (data.status === 'PARTIALLY_COMPLETED' && faults.has('partial-replay-success'))
    return { status: 'SUCCESS' }
  return changeOfResult(faults, order, data) ?? changeOfLater(faults, order, data)
}

/** Only faults: with another last letter of each code. */
export function withOtherCodes(result: unknown): unknown {
  const text = JSON.stringify(result ?? null)
  return JSON.parse(text.replaceAll(/("(?:pin|qrCodeText)":"[^"]*?)[^"]"/g, '$1Q"'))
}

/** Only a fault. */
function inEur(data: Answer['data']): object {
  const { orders } = data as { orders: readonly object[] }
  return { currency: 'EUR', orders: orders.map((order) => ({ ...order, currency: 'EUR' })) }
}

function withOtherOrders(data: Answer['data']): object {
  const { orders } = data as { orders: readonly { readonly result?: unknown }[] }
  return { orders: orders.map((order) => ({ ...order, result: withOtherCodes(order.result) })) }
}

function changeOfResult(
  faults: FaultSet,
  { line }: Order,
  { status, result }: { readonly status?: unknown; readonly result?: unknown },
): object | undefined {
  if (line.ordersType === 'esim' && status === 'SUCCESS')
    return faults.has('esim-replay-other-activation')
      ? { result: withOtherCodes(result) }
      : undefined
  if (line.ordersType === 'esim' && status === 'IN_PROGRESS')
    return faults.has('esim-replay-placeholder')
      ? { result: { esim: { qrCodeText: '' } } }
      : undefined
  if (line.ordersType === 'dtu' && faults.has('top-up-replay-without-attributes'))
    return { result: {} }
  if (line.ordersType === 'dtu' && faults.has('top-up-replay-in-progress'))
    return { status: 'IN_PROGRESS' }
  if (line.ordersType === 'platform-gift' && faults.has('gift-replay-without-snapshot'))
    return { result: null }
  if (line.ordersType !== 'shop' || status !== 'SUCCESS') return undefined
  if (line.delivery.asynchronous && faults.has('later-replay-other-vouchers'))
    return { result: withOtherCodes(result) }
  if (faults.has('replay-without-result')) return { result: undefined }
  if (!faults.has('replay-lacks-vouchers')) return undefined
  const { vouchers } = result as { vouchers: readonly unknown[] }
  return { result: { vouchers: vouchers.slice(0, 1) } }
}

function changeOfLater(
  faults: FaultSet,
  { line, createdAtWallMs }: Order,
  { status }: { readonly status?: unknown },
): object | undefined {
  if (!line.delivery.asynchronous) return undefined
  if (faults.has('later-replay-other-price')) return { price: 0 }
  return status !== 'IN_PROGRESS' && faults.has('later-replay-created-at-end')
    ? { createdAt: createdAtOf(createdAtWallMs + LATER_MS) }
    : undefined
}

/** How late one fault is. */
const LATER_MS = 60_000

/** Whether the answer to a purchase shows codes in the clear. */
function revealsAtOnce({ variants }: Context): boolean {
  return !variants.has('post-answers-masked')
}

/** Faults that do not mark the replays of one kind. */
const UNMARKED = {
  esim: 'esim-replay-unmarked',
  'platform-gift': 'gift-replay-unmarked',
  shop: undefined,
  dtu: undefined,
} as const

/** What two faults mark replays of one kind with. */
const OTHER_MARK = 11

function markOf({ orders }: Purchase, faults: FaultSet): number {
  const kind = orders[0]?.line.ordersType
  const isOther =
    (kind === 'dtu' && faults.has('top-up-replay-other-code')) ||
    (kind === 'platform-gift' && faults.has('gift-replay-other-code'))
  return isOther ? OTHER_MARK : CODES.idempotencyReplay
}

function isMarked({ orders }: Purchase, faults: FaultSet): boolean {
  if (faults.has('async-replay-unmarked') && orders.some(isLater)) return false
  const unmarked = orders.map((order) => UNMARKED[order.line.ordersType])
  return !(
    faults.has('replay-status-code') ||
    unmarked.every((name) => name !== undefined && faults.has(name))
  )
}

function isLater({ line }: Order): boolean {
  return line.ordersType === 'shop' && line.delivery.asynchronous
}

type Shown = { readonly reveal: boolean; readonly replay: boolean }

function answerPurchase(context: Context, purchase: Purchase, shown: Shown): Answer {
  const { faults, clock } = context
  // A stale replay looks at the moment of creation.
  const isStale = shown.replay && showsCreation(context, purchase)
  const nowMs = isStale ? Number.NEGATIVE_INFINITY : clock.nowMs()
  const presented = purchase.orders.map((order) =>
    presentOrder(context, order, { nowMs, reveal: shown.reveal }),
  )
  const status = aggregateStatus(presented.map((order) => order.status))
  const accepted = status === 'IN_PROGRESS'
  const data =
    purchase.kind === 'order'
      ? (presented[0] ?? {})
      : checkoutOf(context, purchase, shownOrders(context.faults, presented, shown), status)
  const isTopUp = purchase.orders[0]?.line.ordersType === 'dtu'
  const told = isTopUp && faults.has('top-up-envelope-in-progress') ? 'IN_PROGRESS' : status
  return {
    httpStatus: httpStatusOf(purchase, accepted, shown, context),
    statusCode:
      shown.replay && isMarked(purchase, faults) ? markOf(purchase, faults) : CODES.success,
    status: accepted && faults.has('async-says-success') ? 'SUCCESS' : told,
    message: shown.replay ? 'The original result of this referenceId.' : MESSAGES[status],
    data: accepted ? { ...data, ...changeOfPending(faults) } : data,
    headers: accepted ? retryAfter(context, purchase.orders, clock.nowMs()) : [],
  }
}

/** Only faults change the status of a pending order, or leave its price out. */
function changeOfPending(faults: FaultSet): object {
  return {
    ...(faults.has('async-says-success') && { status: 'SUCCESS' }),
    ...(faults.has('pending-price-missing') && { price: undefined }),
  }
}

/** Whether a replay looks at the moment of creation: by a fault for eSIMs, by a variant for the others. */
function showsCreation({ faults, variants }: Context, purchase: Purchase): boolean {
  if (!isEsim(purchase)) return variants.has('replay-snapshot')
  const isUnread = !purchase.orders.some(({ id }) => faults.hasNoted('esim-replay-until-read', id))
  if (faults.has('esim-replay-stale-in-turn')) return isThirdReplay(faults, purchase)
  return faults.has('esim-replay-stale') || (isUnread && faults.has('esim-replay-until-read'))
}

/** Whether two replays came before, since the last one that was stale. */
function isThirdReplay(faults: FaultSet, { orders }: Purchase): boolean {
  const name = 'esim-replay-stale-in-turn'
  const turns = [1, 2].map((turn) => `${orders[0]?.id ?? ''} ${turn}`)
  const next = turns.find((turn) => !faults.hasNoted(name, turn))
  if (next === undefined) for (const turn of turns) faults.forget(name, turn)
  else faults.note(name, next)
  return next === undefined
}

function httpStatusOf(
  purchase: Purchase,
  accepted: boolean,
  { replay }: Shown,
  { faults, variants }: Context,
): number {
  if (replay && variants.has('replay-answers-200')) return 200
  if (replay && variants.has('replay-answers-201')) return 201
  const [line] = purchase.orders.map((order) => order.line)
  if (!accepted) {
    if (line?.ordersType === 'dtu' && faults.has('top-up-answers-202')) return 202
    return !replay && faults.has('purchase-answers-201') ? 201 : 200
  }
  if (faults.has('async-answers-200')) return 200
  if (line?.isLong === true && faults.has('long-order-answers-200')) return 200
  if (line?.ordersType === 'platform-gift' && faults.has('gift-answers-200')) return 200
  return isEsim(purchase) && faults.has('esim-answers-200') ? 200 : 202
}

const MESSAGES: Readonly<Record<TransactionStatus, string>> = {
  SUCCESS: 'The order is complete.',
  IN_PROGRESS: 'The order is accepted; poll GET /api/v1/orders until it is finished.',
  PARTIALLY_COMPLETED: 'The order is finished in part.',
  CANCELLED: 'The order was cancelled.',
}

function checkoutOf(
  { faults }: Context,
  { referenceId, orders }: Purchase,
  shown: readonly object[],
  status: TransactionStatus,
): object {
  const lines = orders.map((order) => order.line)
  const counted = countedOf(faults, lines)
  return {
    referenceId,
    currency: currencyOf(faults, lines),
    totalPrice: moneyNumber(totalMinor(counted)),
    status: faults.has('checkout-status-unknown') ? 'DONE' : status,
    orders: shown,
  }
}

/** Only faults name no currency, or another one than that of the prices. */
function currencyOf(faults: FaultSet, [first]: readonly OrderLine[]): string | undefined {
  if (faults.has('checkout-currency-missing')) return undefined
  return faults.has('checkout-total-in-eur') ? 'EUR' : first?.currency
}

/** Only faults leave something out of a total. */
function countedOf(faults: FaultSet, lines: readonly OrderLine[]): readonly OrderLine[] {
  if (faults.has('checkout-total-of-first')) return lines.slice(0, 1)
  return faults.has('checkout-total-of-two') ? lines.slice(0, 2) : lines
}

/** Only faults show other orders than those that were bought. */
function shownOrders(
  faults: FaultSet,
  orders: readonly PresentedOrder[],
  { replay }: Shown,
): readonly object[] {
  if (replay && faults.has('checkout-replay-names-none')) return []
  if (replay && faults.has('checkout-replay-names-two')) return orders.slice(0, 2)
  if (faults.has('cart-esim-entry-without-price'))
    return orders.map((order) =>
      order['ordersType'] === 'esim' ? { ...order, price: undefined } : order,
    )
  const [first] = orders
  const allButLast = orders.slice(0, -1)
  if (faults.has('checkout-answer-omits-last')) return allButLast
  if (faults.has('checkout-answer-repeats-first') && first) return [...allButLast, first]
  if (orders.length === 3 && first && faults.has('checkout-answer-of-three-repeats-first'))
    return [...allButLast, first]
  if (!faults.has('checkout-entry-without-result')) return orders
  return orders.map((order) => ({ ...order, result: undefined }))
}

/** When to ask again: stated as 15 for an eSIM, what is left for everything else. */
export function retryAfter(
  { faults, variants }: Context,
  orders: readonly Order[],
  nowMs: number,
): NonNullable<Answer['headers']> {
  const hasEsim = orders.some((order) => order.line.ordersType === 'esim')
  if (!hasEsim && variants.has('pending-retry-after-absent')) return []
  const isRaw = orders.some(({ line }) => line.delivery.rawPayload === true)
  if (isRaw && faults.has('raw-esim-without-wait')) return []
  const leftMs = Math.max(...orders.map((order) => order.readyAtMs - nowMs))
  if (hasEsim && faults.has('esim-retry-after-thirty')) return [[HEADER.retryAfter, '30']]
  const seconds = hasEsim ? RETRY_AFTER_SECONDS.esimPending : Math.max(1, Math.ceil(leftMs / 1000))
  const isFractional = faults.has('pending-retry-after-fractional')
  return [[HEADER.retryAfter, isFractional ? `${seconds}.5` : String(seconds)]]
}
