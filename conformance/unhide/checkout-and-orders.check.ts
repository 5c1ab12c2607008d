import type { CartLine, Exchange } from '../engine/kit.ts'
import { check, isThrottled, showAnswer } from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import { ATTEMPTS_MAX, betweenRefusals } from '../steps/rate-limits/between-refusals.ts'
import { checkOut, UNHIDES_CHECKOUTS, type Checkout } from '../steps/unhide/checked-out.ts'
import {
  NARROW_COMPLETED,
  openUnhideAccount,
  readClear,
  type UnhideAccount,
} from '../steps/unhide/account.ts'

const COMPLETED: readonly CartLine[] = [{ product: 'voucher' }, { product: 'voucher' }]

/** An edge between two reads may make one of both ways look otherwise; it does so once. */
const ROUNDS_MAX = 2

/** A read while the budget of something else is spent, with the refusals before and after it. */
type Look = { readonly probe: Exchange; readonly exchanges: readonly Exchange[] }

/** Budgets of one checkout at a time, that are spent and then looked at beside. */
type Spending = { checkout: Checkout; isProbed: boolean }

async function spendOne(
  unhideAccount: UnhideAccount,
  spending: Spending,
  read: () => Promise<Exchange>,
): Promise<Exchange> {
  const exchange = await read()
  // A pair of refusals that an edge opens takes another checkout, whose budgets are whole and equal for sure.
  if (spending.isProbed && !isThrottled(exchange)) {
    spending.checkout = await checkOut(unhideAccount, COMPLETED)
    spending.isProbed = false
  }
  return exchange
}

/** The whole checkout and another of its orders, read while the budget of one order is spent. */
async function afterOrder(
  unhideAccount: UnhideAccount,
): Promise<{ readonly sibling: Look; readonly whole: Look }> {
  const spending = { checkout: await checkOut(unhideAccount, COMPLETED), isProbed: false }
  const { before, probes, after } = await betweenRefusals(unhideAccount.context, {
    bucket: 'orders.unhide.completed',
    spend: () =>
      spendOne(unhideAccount, spending, () => readOrder(unhideAccount, spending.checkout, -1)),
    probes: [
      () => {
        spending.isProbed = true
        return readOrder(unhideAccount, spending.checkout, 0)
      },
      () => readWhole(unhideAccount, spending.checkout),
    ],
  })
  const [sibling, whole] = probes.map((probe) => ({ probe, exchanges: [before, probe, after] }))
  if (!sibling || !whole) throw new Error('a pair of refusals gives an answer for each probe')
  return { sibling, whole }
}

function readOrder(
  unhideAccount: UnhideAccount,
  { referenceId, orderIds }: Checkout,
  which: number,
): Promise<Exchange> {
  return readClear(unhideAccount, { referenceId, orderId: orderIds.at(which) ?? '' })
}

function readWhole(
  unhideAccount: UnhideAccount,
  { referenceId }: Pick<Checkout, 'referenceId'>,
): Promise<Exchange> {
  return readClear(unhideAccount, { referenceId })
}

/** One order of a checkout, read while the budget of the whole checkout is spent. */
async function afterCheckout(unhideAccount: UnhideAccount): Promise<Look> {
  const spending = { checkout: await checkOut(unhideAccount, COMPLETED), isProbed: false }
  const { before, probes, after } = await betweenRefusals(unhideAccount.context, {
    bucket: 'orders.unhide.completed',
    spend: () =>
      spendOne(unhideAccount, spending, () => readWhole(unhideAccount, spending.checkout)),
    probes: [
      () => {
        spending.isProbed = true
        return readOrder(unhideAccount, spending.checkout, 0)
      },
    ],
  })
  const [probe] = probes
  if (!probe) throw new Error('a pair of refusals gives an answer for each probe')
  return { probe, exchanges: [before, probe, after] }
}

/** Whether a checkout of one order has the counter of that order (OPEN-46). */
async function observeOnlyOrder(unhideAccount: UnhideAccount): Promise<void> {
  const { referenceId, orderIds } = await checkOut(unhideAccount, [{ product: 'voucher' }], 1)
  const [orderId = ''] = orderIds
  const reads: Exchange[] = []
  while (reads.length <= unhideAccount.budgets.completed.count && !reads.some(isThrottled))
    reads.push(await readClear(unhideAccount, { orderId }))
  const whole = await readClear(unhideAccount, { referenceId })
  unhideAccount.context.observe(
    'OPEN-46',
    `a checkout of one order has ${isThrottled(whole) ? 'the counter of that order' : 'a counter of its own'}`,
    [...reads.slice(-1), whole],
  )
}

export const checkoutAndOrders = check({
  id: 'unhide.checkout-and-orders',
  formerIds: ['unhide.checkout-after-child', 'unhide.child-of-checkout'],
  title: 'orders of a checkout have counters of their own, whether or not its reads count for them',
  requirements: ['UNHIDE-16'],
  needs: {
    ...UNHIDES_CHECKOUTS,
    products: ['voucher'],
    purchases: COMPLETED.length * 2 * ATTEMPTS_MAX * ROUNDS_MAX + 1,
    waits: [{ orders: 1, product: 'voucher' }],
    tries: ROUNDS_MAX,
  },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, NARROW_COMPLETED)
    for (let round = 1; ; round++) {
      const { sibling, whole } = await afterOrder(unhideAccount)
      const order = await afterCheckout(unhideAccount)
      const counts = [whole, order].map(({ probe }) => isThrottled(probe))
      const isOne = counts[0] === counts[1]
      if (!isOne && round < ROUNDS_MAX) continue
      context.observe(
        'OPEN-74',
        isOne && counts[0] === true
          ? 'the unhide read of a checkout counts for each of its orders'
          : 'the unhide read of a checkout counts for itself alone',
        [whole.probe, order.probe],
      )
      context
        .expect('UNHIDE-16')
        .that('an order is read while another of its checkout is refused', {
          holds: !isThrottled(sibling.probe),
          expected: 'the order, not 429: it has a counter of its own',
          observed: showAnswer(sibling.probe),
          exchanges: sibling.exchanges,
        })
      context.expect('UNHIDE-16').that('a checkout and its orders count for each other, or not', {
        holds: isOne,
        expected:
          'the checkout is read while an order is refused and the order while the checkout is, or both are refused',
        observed: `checkout: ${showAnswer(whole.probe)}; order: ${showAnswer(order.probe)}`,
        exchanges: [...whole.exchanges, ...order.exchanges],
      })
      break
    }
    await aside(() => observeOnlyOrder(unhideAccount))
  },
})
