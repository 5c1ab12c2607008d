import { check } from '../engine/kit.ts'
import { openUnhideAccount, stretched, UNHIDES, UNHIDES_VOUCHERS } from '../steps/unhide/account.ts'
import { expectHeldWindow, HELD_SECONDS } from '../steps/unhide/held-window.ts'
import { buyFinished } from '../steps/unhide/orders.ts'

/** Room for looks at an order whose budget is spent: they count for admission. */
const NARROW = { count: 2, windowSeconds: HELD_SECONDS } as const
const WIDE = { count: 60, windowSeconds: HELD_SECONDS } as const

export const completedWindow = check({
  id: 'unhide.completed-window',
  title: 'the completed budget of an order stays spent until its window is over',
  requirements: ['RATE-02'],
  needs: {
    ...UNHIDES_VOUCHERS,
    purchases: 1,
    waits: [{ windows: 2, of: ['orders.unhide.completed'], ownSeconds: HELD_SECONDS }],
    tries: 2,
  },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(
      context,
      await stretched(context, { pending: WIDE, completed: NARROW }),
    )
    const { orderId } = await buyFinished(unhideAccount.context, 'voucher', 'SUCCESS')
    await expectHeldWindow(unhideAccount, 'completed', orderId)
  },
})

export const pendingWindow = check({
  id: 'unhide.pending-window',
  title: 'the pending budget of an order stays spent until its window is over',
  requirements: ['RATE-02'],
  needs: {
    ...UNHIDES,
    products: ['voucher-partial'],
    purchases: 1,
    waits: [
      { orders: 1, product: 'voucher-partial' },
      { windows: 2, of: ['orders.unhide.pending'], ownSeconds: HELD_SECONDS },
    ],
    tries: 2,
  },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(
      context,
      await stretched(context, { pending: NARROW, completed: WIDE }),
    )
    const { orderId } = await buyFinished(
      unhideAccount.context,
      'voucher-partial',
      'PARTIALLY_COMPLETED',
    )
    await expectHeldWindow(unhideAccount, 'pending', orderId)
  },
})
