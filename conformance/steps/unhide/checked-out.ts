import { renderCart } from '../../../harness/client/bodies.ts'
import { retryAfterSeconds } from '../../../harness/client/headers.ts'
import { selectEach } from '../../../harness/target-file/select.ts'
import type { CartLine, Exchange, Needs } from '../../engine/kit.ts'
import { needSuccess, showAnswer, untested } from '../../engine/kit.ts'
import { patienceSeconds } from '../orders.ts'
import { statusesOf, UNHIDES, type UnhideAccount } from './account.ts'

/** What checks of the unhide budgets of checkouts need besides their products. */
export const UNHIDES_CHECKOUTS = {
  ...UNHIDES,
  capabilities: ['shop', 'unhide', 'cart'],
  operations: ['createCart'],
} as const satisfies Needs

/** Between two looks where no Retry-After says otherwise. */
const POLL_SECONDS = 1

/** So long an order that a checkout announced may be found later than the others, which have ended. */
const LATER_SECONDS_MAX = 10

export type Checkout = {
  readonly referenceId: string
  readonly orderIds: readonly string[]
  readonly statuses: readonly unknown[]
}

/** Buys several vouchers at once and looks at their orders with masked reads. */
export async function checkOut(
  unhideAccount: UnhideAccount,
  lines: readonly CartLine[],
  ordersMin = 2,
): Promise<Checkout> {
  const { target } = unhideAccount.context
  const { exchange, referenceId } = await sendLines(unhideAccount, lines)
  needSuccess(exchange)
  const selector = target.operations.createCart.selectors['orderIds'] ?? '$.data.orders[*].orderId'
  const orderIds = selectEach(selector, exchange.json).filter((id) => typeof id === 'string')
  if (orderIds.length < ordersMin)
    untested(`a checkout of ${ordersMin} orders was expected: ${showAnswer(exchange)}`)
  return {
    referenceId,
    orderIds,
    statuses: await statusesAtEnd(unhideAccount, { referenceId, orders: orderIds.length }),
  }
}

type Sent = { readonly exchange: Exchange; readonly referenceId: string }

/** A cart may be refused because it has one product at two positions. Each then stands once, where two are left. */
async function sendLines(unhideAccount: UnhideAccount, lines: readonly CartLine[]): Promise<Sent> {
  const { api, reference, target } = unhideAccount.context
  const cart = { referenceId: reference(), lines }
  if (!renderCart(target, cart))
    untested('the target file gives no body for carts whose positions can be recognized')
  const exchange = await api.as('full').createCart(cart)
  const different = lines.filter(
    ({ product }, index) => lines.findIndex((each) => each.product === product) === index,
  )
  const isLess = different.length >= 2 && different.length < lines.length
  if (exchange.response?.status === 422 && isLess) return sendLines(unhideAccount, different)
  return { exchange, referenceId: cart.referenceId }
}

/** Waits with masked reads until all orders of a checkout are there and none is pending, as long as one voucher may take. */
async function statusesAtEnd(
  { context }: UnhideAccount,
  { referenceId, orders }: { readonly referenceId: string; readonly orders: number },
): Promise<readonly unknown[]> {
  const { api, clock } = context
  const startMs = clock.nowMs()
  const patienceMs = patienceSeconds(context, 'voucher') * 1000
  for (;;) {
    const exchange = needSuccess(await api.as('full').getOrders({ referenceId }))
    const statuses = statusesOf(exchange)
    const pauseMs = (retryAfterSeconds(exchange) ?? POLL_SECONDS) * 1000
    const isPending = statuses.length === 0 || statuses.includes('IN_PROGRESS')
    const waitMs = isPending ? patienceMs : Math.min(patienceMs, LATER_SECONDS_MAX * 1000)
    const leftMs = startMs + waitMs - clock.nowMs()
    const isAtEnd = statuses.length >= orders && !isPending
    if (isAtEnd || leftMs <= 0) return statuses
    await context.wait('the orders of a checkout to finish', Math.min(pauseMs, leftMs))
  }
}
