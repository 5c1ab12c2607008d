import { clearCodes, isMasked } from '../../harness/judge/codes.ts'
import { type CheckContext, check, showRequest, untested } from '../engine/kit.ts'
import { buy, pollToEnd } from '../steps/orders.ts'
import { type PendingReads, readTwicePending, showShare, statusOf } from '../steps/pending-reads.ts'
import { codesIn, reveal, vouchersOf } from '../steps/reading.ts'
import { BUYS_LATER } from '../steps/states.ts'

const PRODUCT = 'voucher-async'

/** While all checks begin, an order may end before it was looked at twice. */
const ORDERS_MAX = 3

export const codesOfFinishedOrder = check({
  id: 'states.codes-readable',
  title: 'the codes of an asynchronous order can be read once it is SUCCESS, and not before',
  requirements: ['STATE-07', 'STATE-08'],
  needs: {
    ...BUYS_LATER,
    capabilities: ['shop', 'async', 'unhide'],
    selectors: ['getOrders.codes'],
    purchases: ORDERS_MAX,
    waits: [{ orders: 1, product: PRODUCT }],
  },
  run: async (context) => {
    const { orderId, early } = await buyPending(context)
    const end = (await pollToEnd(context, PRODUCT, { orderId })).at(-1)
    if (end?.item['status'] !== 'SUCCESS') untested('the order did not end in SUCCESS')
    const revealed = early.ended ?? (await reveal(context, orderId))
    const { exchange, codes } = revealed
    if (statusOf(revealed) !== 'SUCCESS')
      untested('the order did not stay SUCCESS, which STATE-03 decides')
    context.revealed(clearCodes(codes, codesIn(context, end.exchange)))
    const vouchers = vouchersOf(exchange)
    const texts = codes.filter((code) => typeof code === 'string')
    if (texts.length > 0 && texts.every(isMasked))
      untested('the codes stay masked with unhide=true, which UNHIDE-01 decides')
    context.expect('STATE-07').that(`${showRequest(exchange)} shows the codes of the order`, {
      holds: texts.length > 0,
      expected: 'at least one code',
      observed: `${texts.length} codes among ${vouchers?.length ?? codes.length} vouchers`,
      exchanges: [end.exchange, exchange],
    })
    judgePending(context, early, texts)
  },
})

/** An order that was read twice while it was pending, or the last of several that ended before. */
async function buyPending(
  context: CheckContext,
): Promise<{ orderId: string; early: PendingReads }> {
  for (let order = 1; ; order++) {
    const { orderId } = await buy(context, { product: PRODUCT })
    const early = await readTwicePending(context, orderId)
    if (early.pending.length > 1 || order === ORDERS_MAX) return { orderId, early }
  }
}

/** A part of the codes may come before the others, and the last of them a moment before the state. */
function judgePending(context: CheckContext, early: PendingReads, codes: readonly string[]): void {
  const { pending } = early
  if (pending.length < 2) {
    const reason = 'the order ended before two reads with unhide=true'
    return context.leaveUndecided('STATE-08', reason, 'inapplicable')
  }
  const whole = pending.filter((each) => codes.every((code) => each.codes.includes(code)))
  context.expect('STATE-08').that('a pending order does not show all of its codes', {
    holds: codes.length === 0 || whole.length < pending.length,
    expected: `IN_PROGRESS, and not yet all ${codes.length} that it had when it had ended`,
    observed: `all of them ${showShare(whole, early)}`,
    exchanges: pending.map(({ exchange }) => exchange),
  })
}
