import { plural } from '../../harness/text.ts'
import { formatMoney } from '../../harness/money.ts'
import type { CheckContext, Exchange, Needs } from '../engine/kit.ts'
import {
  check,
  inapplicable,
  isAccepted,
  isThrottled,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { expectHeadroomWhole } from '../steps/cap/headroom.ts'
import { openCappedKey, CAPPED_KEY_PURCHASES, SPENDS_A_CAP } from '../steps/cap/capped-key.ts'
import { capMovedByOthers } from '../steps/cap/watch.ts'
import { balanceMovedByOthers, measureBalance, READS_THE_BALANCE } from '../steps/funds.ts'
import { findUnder } from '../steps/idempotency.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'
import { buy, BUYS_VOUCHERS, findsNothing, orderIdOf, orderIdsOf } from '../steps/orders.ts'

const PRODUCT = 'voucher-upstream-limited'

/** A product that the shop service always refuses for its own rate limit is hardly sold anywhere: without one nothing can be decided. */
function needLimited({ target }: CheckContext): void {
  if (target.products[PRODUCT] === undefined)
    inapplicable(
      `the target file names no product "${PRODUCT}", which the shop service refuses for its own rate limit`,
    )
}

export const upstreamLimit = check({
  id: 'orders.upstream-limit',
  title: 'a rate limit of the shop service is passed on as 429, and leaves nothing behind',
  requirements: ['ERR-04'],
  needs: { ...BUYS_VOUCHERS, roles: ['full'], purchases: 3 },
  run: async (context) => {
    const { api, expect, reference } = context
    needLimited(context)
    const full = api.as('full')
    await buy(context)
    const referenceId = reference()
    const refused = await full.createOrder({ product: PRODUCT, referenceId }, RETURN_429_UNPACED)
    expect('ERR-04').limitReached(refused)
    expect('ERR-04').retryAfter(refused, { min: 1 })
    const found = await full.getOrders({ referenceId })
    const again = await full.createOrder({ product: 'voucher', referenceId })
    expect('ERR-04').that('the reference of the purchase that the shop service refused', {
      holds: findsNothing(found) && isAccepted(again),
      expected: 'no order, then a purchase under it',
      observed: `${showAnswer(found)}; then ${showAnswer(again)}`,
      exchanges: [refused, found, again],
    })
    if (!isAccepted(again)) return
    const kept = await findUnder(context, referenceId)
    const isBought = orderIdsOf(context, kept.exchange)?.includes(orderIdOf(again)) ?? true
    expect('ERR-04').that('the purchase under that reference is an order', {
      holds: kept.count === 1 && isBought,
      expected: 'one order, that of the second purchase',
      observed: `${plural(kept.count, 'order')}; ${showAnswer(kept.exchange)}`,
      exchanges: [refused, again, kept.exchange],
    })
  },
})

/** So many that what each would use up adds up to more than the one unit that the judgement leaves out. */
const TIMES = 3

/** Purchases that the shop service refuses, by the key of the role. */
async function refusedBy(context: CheckContext, role: 'full' | 'capped'): Promise<Exchange[]> {
  const refused: Exchange[] = []
  for (let count = 0; count < TIMES; count++) {
    const order = { product: PRODUCT, referenceId: context.reference() } as const
    refused.push(await context.api.as(role).createOrder(order, RETURN_429_UNPACED))
  }
  const other = refused.find((each) => !isThrottled(each))
  if (other) untested(`it was answered otherwise, which ERR-04 decides: ${showAnswer(other)}`)
  return refused
}

const SPENDS = {
  ...SPENDS_A_CAP,
  transactionLimit: '13.50',
  purchases: CAPPED_KEY_PURCHASES + 2 + TIMES,
} as const satisfies Needs

export const upstreamLimitIsNotCharged = check({
  id: 'orders.upstream-limit-not-charged',
  title: 'purchases that the shop service refuses for its rate limit use nothing of the cap up',
  requirements: ['ERR-04'],
  needs: SPENDS,
  movedByOthers: capMovedByOthers('ERR-04'),
  run: async (context) => {
    needLimited(context)
    using cappedKey = await openCappedKey(context)
    cappedKey.needUnits(2)
    const refused = await refusedBy(context, 'capped')
    const what = 'what was left before the shop service refused purchases'
    await expectHeadroomWhole(cappedKey, 'ERR-04', what, refused)
  },
})

export const upstreamLimitIsNotDebited = check({
  id: 'orders.upstream-limit-not-debited',
  title: 'purchases that the shop service refuses for its rate limit take nothing from the balance',
  requirements: ['ERR-04'],
  needs: {
    ...BUYS_VOUCHERS,
    ...READS_THE_BALANCE,
    capabilities: [...BUYS_VOUCHERS.capabilities, ...READS_THE_BALANCE.capabilities],
    purchases: 2 * TIMES,
  },
  movedByOthers: balanceMovedByOthers('ERR-04'),
  run: async (context) => {
    needLimited(context)
    const { before, done, after } = await measureBalance(context, () => refusedBy(context, 'full'))
    context.expect('ERR-04').that('the balance after purchases that the shop service refused', {
      holds: after.balance >= before.balance,
      expected: formatMoney(before.balance),
      observed: formatMoney(after.balance),
      exchanges: [before.exchange, ...done, after.exchange],
    })
  },
})
