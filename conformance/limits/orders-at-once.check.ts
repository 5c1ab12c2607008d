import { check, inapplicable, inconclusive, type Exchange } from '../engine/kit.ts'
import { BURSTS_MAX, judgeBursts } from '../steps/limits/window-bursts.ts'
import { needSmallWindow } from '../steps/limits/small-window.ts'
import { buy, BUYS_VOUCHERS } from '../steps/orders.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'

export const ordersAtOnce = check({
  id: 'limits.orders-at-once',
  title: 'a small window of POST /orders admits no more where requests arrive together',
  requirements: ['RATE-02'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full'],
    purchases: 1,
    windows: [{ bucket: 'default', role: 'full', operation: 'createOrder' }],
    waits: [{ seconds: 1, reason: 'what arrived together to be counted' }],
    tries: BURSTS_MAX,
    // Others buy in the window that it spends.
    isAlone: true,
  },
  run: async (context) => {
    // Accounts that are made have smaller windows, of every endpoint.
    if (context.isFresh) inapplicable('limits.every-window decides it with accounts that are made')
    const limit = needSmallWindow(context, 'createOrder')
    const { referenceId } = await buy(context)
    // Sent again and again, it is bought once.
    const order = { product: 'voucher', referenceId } as const
    const send = (): Promise<Exchange> =>
      context.api.as('full').createOrder(order, RETURN_429_UNPACED)
    const outcome = await judgeBursts(context, { name: 'POST /orders', send, limit })
    if (outcome === 'uncounted') inapplicable('replays of an order are not counted')
    if (outcome === 'open') inconclusive('edges of windows may explain what passed')
  },
})
