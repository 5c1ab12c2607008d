import { clearCodes } from '../../harness/judge/codes.ts'
import type { CheckContext, Exchange, Needs } from '../engine/kit.ts'
import { check, needSuccess, show, showAnswer, untested } from '../engine/kit.ts'
import { itemsOf, pollToEnd } from '../steps/orders.ts'
import { isRepeated, codesIn, expectClear, vouchersIn } from '../steps/reading.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'
import { statusesOf } from '../steps/unhide/account.ts'
import {
  checkoutOfThree,
  CHECKS_OUT,
  entriesOf,
  needIds,
  type SentCheckout,
  THREE_LINES,
} from '../steps/cart.ts'

function revealsEveryOrder(
  id: string,
  what: string,
  product: 'voucher' | 'voucher-async',
  capabilities: Needs['capabilities'] = [],
): ReturnType<typeof check> {
  return check({
    id,
    title: `unhide=true with the reference of a checkout shows the vouchers of all its ${what} in clear`,
    requirements: ['ORD-03', 'UNHIDE-01'],
    needs: {
      ...CHECKS_OUT,
      products: [product],
      capabilities: ['cart', 'unhide', ...capabilities],
      selectors: ['getOrders.codes'],
      purchases: THREE_LINES.length,
      waits: [{ orders: 1, product }],
    },
    run: async (context) => {
      const full = context.api.as('full')
      const done = await checkoutOfThree(context, product)
      const { referenceId } = done
      for (const orderId of needIds(done)) await pollToEnd(context, product, { orderId })
      const masked = needSuccess(await full.getOrders({ referenceId }))
      needAllDone(masked, done.positions)
      const clear = needSuccess(await full.getOrders({ referenceId, unhide: true }))
      judgeDelivered(context, done, { masked, clear })
      judgeCodes(context, { masked, clear, positions: done.positions })
      for (const orderId of needIds(done)) {
        const query = { referenceId, orderId, unhide: true }
        // The read of the checkout may have counted for its orders too (OPEN-74).
        const child = await full.getOrders(query, RETURN_429_UNPACED)
        if (itemsOf(child)?.length === 1)
          judgeCodes(context, { masked, clear: child, positions: 1 })
      }
    },
  })
}

export const revealsOrders = revealsEveryOrder('cart.revealed-codes', 'orders', 'voucher')

export const revealsLaterOrders = revealsEveryOrder(
  'cart.revealed-later-codes',
  'orders that are delivered later',
  'voucher-async',
  ['async'],
)

function needAllDone(exchange: Parameters<typeof statusesOf>[0], positions: number): void {
  const statuses = statusesOf(exchange)
  const isDone = statuses.length === positions && statuses.every((each) => each === 'SUCCESS')
  if (!isDone) untested(`the orders of the checkout are not all SUCCESS: ${showAnswer(exchange)}`)
}

/** Each position delivers what it is for. Where prices do not differ, the body does not ask for several pieces. */
function judgeDelivered(
  context: CheckContext,
  { exchange, sent }: SentCheckout,
  { masked, clear }: Omit<Readings, 'positions'>,
): void {
  const prices = (entriesOf(exchange) ?? []).map((each) =>
    Number((each as { price?: unknown } | null)?.price),
  )
  const lists = (itemsOf(clear) ?? []).map(vouchersIn)
  if (!(Math.max(...prices) > Math.min(...prices)) || lists.some((each) => each === undefined)) {
    const reason = 'the positions cost the same, or the list keeps vouchers elsewhere'
    context.leaveUndecided('ORD-03', reason, 'inapplicable')
    return
  }
  const wanted = sent.lines.reduce((sum, { quantity = 1 }) => sum + quantity, 0)
  const count = lists.reduce<number>((sum, each) => sum + (each?.length ?? 0), 0)
  const shown = clearCodes(codesIn(context, clear), codesIn(context, masked))
  const isRepeat = lists.some((each = []) => isRepeated(each, each.map(pinOf), shown))
  context.expect('ORD-03').that('the orders of a checkout have a voucher for each piece', {
    holds: count >= wanted && !isRepeat,
    expected: `${wanted} vouchers at least`,
    observed: isRepeat ? 'one voucher for several pieces' : `${count} vouchers`,
    exchanges: [exchange, clear],
  })
}

/** Undefined where codes stand elsewhere: those are not compared. */
function pinOf(voucher: unknown): unknown {
  return (voucher as { pin?: unknown } | null | undefined)?.pin
}

type Readings = Readonly<Record<'masked' | 'clear', Exchange>> & { readonly positions: number }

function judgeCodes(context: CheckContext, { masked, clear, positions }: Readings): void {
  const values = codesIn(context, clear)
  const codes = clearCodes(values, codesIn(context, masked))
  context.revealed(codes)
  if (values.length === 0) untested('no voucher was found where the target file says codes are')
  expectClear(context, 'the codes of every order of the checkout are in clear', {
    codes: values,
    clear: codes,
    clearMin: positions,
    note: `: ${show(statusesOf(clear))}`,
    exchanges: [masked, clear],
  })
}
