/** How a purchase is answered: first time or replayed, at once or accepted. */
import { HEADER, RETRY_AFTER_SECONDS } from '../../contract/wire.ts'
import type { TransactionStatus } from '../../contract/wire.ts'
import type { ApiKey } from '../auth/accounts.ts'
import type { Context } from '../context.ts'
import type { FaultSet } from '../faults.ts'
import { endOfSuccess } from '../http/answer.ts'
import type { Answer } from '../http/answer.ts'
import { CODES } from '../http/status-codes.ts'
import { moneyNumber } from '../money.ts'
import { aggregateStatus, isEsim, totalMinor } from './order.ts'
import type { Order, Purchase } from './order.ts'
import { createdAtOf, presentOrder } from './present.ts'
import type { PresentedOrder } from './present.ts'
import { usualText } from './write.ts'

/** The answer to the request that created the purchase. */
export function answerCreated(context: Context, purchase: Purchase): Answer {
  const text = usualText(context, purchase)
  if (text !== undefined) return answerUsual(text)
  return answerPurchase(context, purchase, { reveal: revealsAtOnce(context), replay: false })
}

function answerUsual(text: string): Answer {
  const start = '{"data":' + text + USUAL_END
  return { ...USUAL, prepared: { start, startBytes: start.length } }
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
  if (data !== undefined && faults.has('replay-other-price'))
    return { ...answer, data: { ...data, price: 0 } }
  if (data !== undefined && faults.has('replay-created-now'))
    return { ...answer, data: { ...data, createdAt: createdAtOf(context.clock.wallMs()) } }
  return differs && faults.has('replay-other-body-unmarked')
    ? { ...answer, statusCode: CODES.success }
    : answer
}

/** Whether the answer to a purchase shows codes in the clear. */
function revealsAtOnce({ variants }: Context): boolean {
  return !variants.has('post-answers-masked')
}

/** Faults that do not mark the replays of one kind. */
const UNMARKED = {
  esim: 'esim-replay-unmarked',
  'platform-gift': 'gift-replay-unmarked',
  shop: undefined,
  dtu: 'top-up-replay-unmarked',
} as const

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
  const saysSuccess = accepted && faults.has('async-says-success')
  return {
    httpStatus: httpStatusOf(purchase, accepted, shown, context),
    statusCode:
      shown.replay && isMarked(purchase, faults) ? CODES.idempotencyReplay : CODES.success,
    status: saysSuccess || (accepted && faults.has('async-status-success')) ? 'SUCCESS' : status,
    message: shown.replay ? 'The original result of this referenceId.' : MESSAGES[status],
    data: saysSuccess ? { ...data, status: 'SUCCESS' } : data,
    headers: accepted ? retryAfter(context, purchase.orders, clock.nowMs()) : [],
  }
}

/** Whether a replay looks at the moment of creation: by a fault for eSIMs, by a variant for the others. */
function showsCreation({ faults, variants }: Context, purchase: Purchase): boolean {
  return isEsim(purchase) ? faults.has('esim-replay-stale') : variants.has('replay-snapshot')
}

function httpStatusOf(
  purchase: Purchase,
  accepted: boolean,
  { replay }: Shown,
  { faults, variants }: Context,
): number {
  if (replay && variants.has('replay-answers-200')) return 200
  if (replay && variants.has('replay-answers-201')) return 201
  if (!accepted) return !replay && faults.has('purchase-answers-201') ? 201 : 200
  if (faults.has('async-answers-200')) return 200
  return isEsim(purchase) && faults.has('esim-answers-200') ? 200 : 202
}

const MESSAGES: Readonly<Record<TransactionStatus, string>> = {
  SUCCESS: 'The order is complete.',
  IN_PROGRESS: 'The order is accepted; poll GET /api/v1/orders until it is finished.',
  PARTIALLY_COMPLETED: 'The order is finished in part.',
  CANCELLED: 'The order was cancelled.',
}

const USUAL = {
  httpStatus: 200,
  statusCode: CODES.success,
  status: 'SUCCESS',
  message: MESSAGES.SUCCESS,
} as const
const USUAL_END = `,${endOfSuccess(USUAL)}`

function checkoutOf(
  { faults }: Context,
  { referenceId, orders }: Purchase,
  shown: readonly object[],
  status: TransactionStatus,
): object {
  const lines = orders.map((order) => order.line)
  const counted = faults.has('checkout-total-of-first') ? lines.slice(0, 1) : lines
  return {
    referenceId,
    currency: faults.has('checkout-currency-missing') ? undefined : lines[0]?.currency,
    totalPrice: moneyNumber(totalMinor(counted)),
    status: faults.has('checkout-status-unknown') ? 'DONE' : status,
    orders: shown,
  }
}

/** Only faults show other orders than those that were bought. */
function shownOrders(
  faults: FaultSet,
  orders: readonly PresentedOrder[],
  { replay }: Shown,
): readonly object[] {
  if (replay && faults.has('checkout-replay-names-none')) return []
  const [first] = orders
  const allButLast = orders.slice(0, -1)
  if (faults.has('checkout-answer-omits-last')) return allButLast
  if (faults.has('checkout-answer-repeats-first') && first) return [...allButLast, first]
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
  if (hasEsim && faults.has('esim-retry-after')) return []
  const leftMs = Math.max(...orders.map((order) => order.readyAtMs - nowMs))
  if (hasEsim && faults.has('esim-retry-after-thirty')) return [[HEADER.retryAfter, '30']]
  const seconds = hasEsim ? RETRY_AFTER_SECONDS.esimPending : Math.max(1, Math.ceil(leftMs / 1000))
  const isFractional = faults.has('pending-retry-after-fractional')
  return [[HEADER.retryAfter, isFractional ? `${seconds}.5` : String(seconds)]]
}
