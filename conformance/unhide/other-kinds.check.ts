import { check } from '../check.ts'
import { untested } from '../engine/undecided.ts'
import { buy } from '../orders/steps.ts'
import { topUpOrder } from '../orders/top-ups.ts'
import { NARROW_COMPLETED, openDesk } from './desk.ts'
import { finish, isBoughtAs } from './orders.ts'
import { expectOwnBudget, ROUNDS_MAX } from './own-budget.ts'

export const topUp = check({
  id: 'unhide.top-up',
  title: 'a top-up has an unhide budget like an order of vouchers',
  requirements: ['UNHIDE-07'],
  needs: {
    capabilities: ['unhide', 'dtu'],
    roles: ['full'],
    products: ['dtu'],
    orderKinds: ['dtu'],
    purchases: ROUNDS_MAX,
    waits: [{ orders: 1, product: 'dtu' }],
    tries: ROUNDS_MAX,
  },
  run: async (context) => {
    const desk = await openDesk(context, NARROW_COMPLETED)
    await expectOwnBudget(desk, ['UNHIDE-07'], {
      what: 'a top-up that is SUCCESS',
      counts: 'completed',
      open: async () => {
        const order = topUpOrder(context)
        const bought = await buy(desk.context, order)
        const isDone = isBoughtAs(bought, 'SUCCESS')
        const end = isDone ? 'SUCCESS' : await finish(desk.context, 'dtu', bought)
        if (end !== 'SUCCESS') untested(`the top-up was to end as SUCCESS, and is ${String(end)}`)
        return { filter: { orderId: bought.orderId }, before: [] }
      },
    })
  },
})
