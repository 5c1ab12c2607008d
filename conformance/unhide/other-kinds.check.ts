import type { CheckContext, CheckDefinition, Needs } from '../engine/kit.ts'
import { asText, check, untested } from '../engine/kit.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import { buyEsim, BUYS_ESIMS, patienceSeconds, pollEsim } from '../steps/esim.ts'
import { buy, type Bought } from '../steps/orders.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'
import { buyGift, BUYS_GIFTS } from '../steps/platform-gift.ts'
import { NARROW_COMPLETED, openUnhideAccount } from '../steps/unhide/account.ts'
import { finish, isBoughtAs } from '../steps/unhide/orders.ts'
import { expectOwnBudget, ROUNDS_MAX } from '../steps/unhide/own-budget.ts'

type Kind = {
  readonly needs: Needs
  readonly purchase: (context: CheckContext) => Promise<Bought>
  /** Waits for the end and gives the last status. */
  readonly end?: typeof esimEnd
}

/** An eSIM asks for longer waits than the target file says that it takes. */
async function esimEnd(context: CheckContext, _: ProductAbility, bought: Bought): Promise<unknown> {
  const readings = await pollEsim(context, bought, { seconds: patienceSeconds(context) })
  return readings.at(-1)?.item['status']
}

/** Whatever was bought, a read of it with unhide=true spends the budget of its state. */
function budgeted(
  product: ProductAbility,
  id: string,
  what: string,
  { needs, purchase, end = finish }: Kind,
): CheckDefinition {
  return check({
    id: `unhide.${id}`,
    title: `${what} has an unhide budget like an order of vouchers`,
    requirements: ['UNHIDE-07'],
    needs: {
      ...needs,
      capabilities: ['unhide', ...(needs.capabilities ?? [])],
      roles: ['full'],
      purchases: ROUNDS_MAX,
      waits: [{ orders: 1, product }],
      tries: ROUNDS_MAX,
    },
    run: async (context) => {
      const unhideAccount = await openUnhideAccount(context, NARROW_COMPLETED)
      await expectOwnBudget(unhideAccount, ['UNHIDE-07'], {
        what: `${what} that is SUCCESS`,
        counts: 'completed',
        open: async () => {
          const bought = await purchase(unhideAccount.context)
          const isDone = isBoughtAs(bought, 'SUCCESS')
          const status = isDone ? 'SUCCESS' : await end(unhideAccount.context, product, bought)
          if (status !== 'SUCCESS')
            untested(`${what} was to end as SUCCESS, and is ${asText(status)}`)
          return { filter: { orderId: bought.orderId }, before: [] }
        },
      })
    },
  })
}

export const topUp = budgeted('dtu', 'top-up', 'a top-up', {
  needs: BUYS_TOP_UPS,
  purchase: (context) => buy(context, topUpOrder(context)),
})

export const esim = budgeted('esim', 'esim', 'an eSIM', {
  needs: BUYS_ESIMS,
  purchase: (context) => buyEsim(context),
  end: esimEnd,
})

export const gift = budgeted('platform-gift', 'gift', 'a gift', {
  needs: BUYS_GIFTS,
  purchase: (context) => buyGift(context),
})
