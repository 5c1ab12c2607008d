import { type CheckDefinition, check } from '../engine/kit.ts'
import { openUnhideAccount, stretched } from '../steps/unhide/account.ts'
import { expectHeldWindow, HELD_SECONDS } from '../steps/unhide/held-window.ts'
import { buyFinished, LASTING } from '../steps/unhide/orders.ts'

/** Room for looks at an order whose budget is spent: they count for admission. */
const NARROW = { count: 2, windowSeconds: HELD_SECONDS } as const
const WIDE = { count: 60, windowSeconds: HELD_SECONDS } as const

function heldWindow(state: keyof typeof LASTING): CheckDefinition {
  const { product, ends, needs, waits } = LASTING[state]
  return check({
    id: `unhide.${state}-window`,
    title: `the ${state} budget of an order stays spent until its window is over`,
    requirements: ['RATE-02'],
    needs: {
      ...needs,
      purchases: 1,
      waits: [...waits, { windows: 2, of: [`orders.unhide.${state}`], ownSeconds: HELD_SECONDS }],
      tries: 2,
    },
    run: async (context) => {
      const wanted = { pending: WIDE, completed: WIDE, [state]: NARROW }
      const unhideAccount = await openUnhideAccount(context, await stretched(context, wanted))
      const { orderId } = await buyFinished(unhideAccount.context, product, ends)
      await expectHeldWindow(unhideAccount, state, orderId)
    },
  })
}

export const completedWindow = heldWindow('completed')
export const pendingWindow = heldWindow('pending')
