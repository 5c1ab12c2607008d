import { isSameLimit } from '../../harness/quota/effective-limits.ts'
import { POSITIONS } from '../steps/cart.ts'
import type { CallOptions, CheckContext, Exchange } from '../engine/kit.ts'
import { Undecided, check, inapplicable } from '../engine/kit.ts'
import { sendAnyway } from '../steps/dtu-spent.ts'
import { buy, BUYS_VOUCHERS, orderIdOf } from '../steps/orders.ts'
import {
  ATTEMPTS_MAX,
  betweenRefusals,
  RETURN_429_UNPACED,
  type BetweenRefusals,
  type Send,
} from '../steps/rate-limits/between-refusals.ts'
import { waitWhileLate } from '../steps/reading.ts'
import { FILTERED_OF_FULL, LISTING_OF_FULL, ORDERS_OF_FULL } from '../steps/rate-limits/counters.ts'
import { expectCounter } from '../steps/limits/counter.ts'
import { BESIDE_ORDERS, sendsOf, setAsideOf } from '../steps/limits/endpoints.ts'

/** Spends the window of POST /orders by bodies that buy nothing. */
async function whileOrdersAreSpent(
  context: CheckContext,
  probes: Send[],
): Promise<BetweenRefusals> {
  const spend = (): Promise<Exchange> =>
    context.api.as('full').send('createOrder', { body: {} }, RETURN_429_UNPACED)
  return betweenRefusals(context, {
    bucket: 'default',
    spend,
    probes,
    operation: 'createOrder',
  }).catch((cause: unknown) => {
    if (cause instanceof Undecided && cause.verdict === 'untested')
      return inapplicable(
        `bodies that are not valid are not counted here, and nothing else spends POST /orders without buying: ${cause.message}`,
      )
    throw cause
  })
}

export const ordersApart = check({
  id: 'limits.orders-apart',
  title: 'the spent window of POST /orders refuses no other endpoint',
  requirements: ['RATE-11'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full'],
    purchases: POSITIONS,
    windows: [ORDERS_OF_FULL, ...setAsideOf(BESIDE_ORDERS)],
  },
  movedByOthers: { requirements: ['RATE-11'] },
  run: async (context) => {
    const probes = await sendsOf(context, BESIDE_ORDERS)
    expectCounter(context, 'RATE-11', await whileOrdersAreSpent(context, probes), 'separate')
  },
})

export const readsApart = check({
  id: 'limits.reads-apart',
  title: 'a spent window of reading orders refuses neither other reads nor purchases',
  requirements: ['RATE-11', 'RATE-15', 'UNHIDE-23'],
  needs: {
    ...BUYS_VOUCHERS,
    capabilities: ['shop', 'unhide'],
    roles: ['full'],
    purchases: 1 + 4 * ATTEMPTS_MAX,
    windows: [
      FILTERED_OF_FULL,
      { ...LISTING_OF_FULL, units: 'all' },
      { ...ORDERS_OF_FULL, units: 1 + 4 * ATTEMPTS_MAX },
    ],
  },
  movedByOthers: { requirements: ['RATE-11', 'RATE-15', 'UNHIDE-23'] },
  run: async (context) => {
    const { limit, leaveUndecided } = context
    const full = context.api.as('full')
    const purchase = (options: CallOptions): Promise<Exchange> =>
      full.createOrder({ product: 'voucher', referenceId: context.reference() }, options)
    // Real orders that are found: what counts a read of none is not shown.
    const { referenceId } = await buy(context)
    const unread = [await purchase({}), await purchase({})]
    await waitWhileLate(context)
    const filtered = (): Promise<Exchange> => full.getOrders({ referenceId }, RETURN_429_UNPACED)
    const listing = (): Promise<Exchange> => full.getOrders({}, RETURN_429_UNPACED)
    const buyOne = (): Promise<Exchange> => sendAnyway(context, () => purchase(RETURN_429_UNPACED))
    const another = async (): Promise<Exchange> => {
      const bought = await purchase({})
      await waitWhileLate(context)
      return bought
    }
    // Of another order each time, or its own budget would be in the way.
    const reveal = async (): Promise<Exchange> => {
      const orderId = orderIdOf(unread.pop() ?? (await another()))
      return full.getOrders({ orderId, unhide: true }, RETURN_429_UNPACED)
    }
    for (const [requirement, bucket, spend, probe] of [
      ['RATE-15', 'orders.filtered', filtered, listing],
      ['RATE-11', 'orders.filtered', filtered, buyOne],
      ['UNHIDE-23', 'orders.filtered', filtered, reveal],
      ['RATE-11', 'orders.list', listing, buyOne],
      ['UNHIDE-23', 'orders.list', listing, reveal],
    ] as const) {
      const isDefault = isSameLimit(limit(bucket), limit('default'))
      if (requirement !== 'RATE-11' && isDefault)
        leaveUndecided(
          requirement,
          `${bucket} has the global default, whose window may be that of all reads`,
          'inapplicable',
        )
      else
        expectCounter(
          context,
          requirement,
          await betweenRefusals(context, { bucket, spend, probes: [probe] }),
          'separate',
        )
    }
  },
})
