import type { CheckContext, CheckDefinition, Needs } from '../engine/kit.ts'
import { asText, check, inapplicable, onlyWithControlSide, untested } from '../engine/kit.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import { buyEsim, BUYS_ESIMS } from '../steps/esim.ts'
import { buy, type Bought } from '../steps/orders.ts'
import { OTHER_KINDS } from '../steps/kinds.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'
import { buyGift, BUYS_GIFTS } from '../steps/platform-gift.ts'
import { NARROW_COMPLETED, NARROW_PENDING, openUnhideAccount } from '../steps/unhide/account.ts'
import { finish, isBoughtAs, statusNow } from '../steps/unhide/orders.ts'
import { expectOwnBudget, ROUNDS_MAX } from '../steps/unhide/own-budget.ts'
import { expectOwnOfOther } from '../steps/unhide/one-budget.ts'

/** Masked reads of the keys of a file are few. */
const OWN_BUDGETS = onlyWithControlSide('accounts with unhide budgets of their own')

type Kind = {
  /** Behind `unhide.`. */
  readonly id: string
  /** For sentences, for example `a top-up`. */
  readonly what: string
  readonly needs: Needs
  readonly purchase: (context: CheckContext) => Promise<Bought>
  /** Whether another one is bought, and read once the budget of the first is spent. */
  readonly isPaired?: true
}

/** Whatever was bought, a read of it with unhide=true spends the budget of its state. */
function budgeted(
  product: ProductAbility,
  { id, what, needs, purchase, isPaired }: Kind,
): CheckDefinition {
  return check({
    id: `unhide.${id}`,
    title: `${what} has an unhide budget like an order of vouchers`,
    requirements: isPaired ? ['UNHIDE-07', 'UNHIDE-13', 'UNHIDE-14'] : ['UNHIDE-07'],
    needs: {
      ...needs,
      capabilities: ['unhide', ...(needs.capabilities ?? [])],
      roles: ['full'],
      purchases: ROUNDS_MAX + (isPaired ? 1 : 0),
      waits: [{ orders: 1, product }],
      tries: ROUNDS_MAX,
    },
    run: async (context) => {
      const unhideAccount = await openUnhideAccount(context, NARROW_COMPLETED)
      const needEnd = async (bought: Bought): Promise<void> => {
        const isDone = isBoughtAs(bought, 'SUCCESS')
        const status = isDone ? 'SUCCESS' : await finish(unhideAccount.context, product, bought)
        if (status !== 'SUCCESS')
          untested(`${what} was to end as SUCCESS, and is ${asText(status)}`)
      }
      let other: Bought | undefined
      const { burst } = await expectOwnBudget(unhideAccount, ['UNHIDE-07'], {
        what: `${what} that is SUCCESS`,
        counts: 'completed',
        open: async () => {
          const bought = await purchase(unhideAccount.context)
          // Both are under way at once, so that no time is added.
          if (isPaired) other ??= await purchase(unhideAccount.context)
          await needEnd(bought)
          if (other) await needEnd(other)
          return { filter: { orderId: bought.orderId }, before: [] }
        },
      })
      if (other) await expectOwnOfOther(unhideAccount, what, other, burst)
    },
  })
}

export const topUp = budgeted('dtu', {
  id: 'top-up',
  what: 'a top-up',
  needs: BUYS_TOP_UPS,
  purchase: (context) => buy(context, topUpOrder(context)),
  isPaired: true,
})

export const esim = budgeted('esim', {
  id: 'esim',
  what: 'an eSIM',
  needs: BUYS_ESIMS,
  purchase: (context) => buyEsim(context),
  isPaired: true,
})

export const rawEsim = budgeted('esim-raw', {
  id: 'esim-raw',
  what: 'an eSIM without a usable qrCodeText',
  needs: { ...BUYS_ESIMS, products: ['esim-raw'], ofKeysOfFile: OWN_BUDGETS },
  purchase: (context) => buyEsim(context, 'esim-raw'),
})

const LONG: Kind = {
  id: 'long-order',
  what: 'a long order',
  needs: { ...OTHER_KINDS.long.needs, ofKeysOfFile: OWN_BUDGETS },
  purchase: async (context) => buy(context, await OTHER_KINDS.long.order(context, 'full')),
}

export const longOrder = budgeted('voucher-long', LONG)

/** While it is pending, a read of it spends the pending budget. */
function pending({ id, what, needs, purchase }: Omit<Kind, 'isPaired'>): CheckDefinition {
  return check({
    id: `unhide.${id}-pending`,
    title: `${what} that is pending has an unhide budget like an order of vouchers`,
    requirements: ['UNHIDE-05'],
    needs: {
      ...needs,
      capabilities: ['unhide', ...(needs.capabilities ?? [])],
      roles: ['full'],
      purchases: ROUNDS_MAX,
      tries: ROUNDS_MAX,
    },
    run: async (context) => {
      const unhideAccount = await openUnhideAccount(context, NARROW_PENDING)
      const { context: own } = unhideAccount
      await expectOwnBudget(unhideAccount, ['UNHIDE-05'], {
        what: `${what} IN_PROGRESS`,
        counts: 'pending',
        open: async () => {
          const bought = await purchase(own)
          if (!isBoughtAs(bought, 'IN_PROGRESS')) inapplicable(`${what} is complete at once`)
          return { filter: { orderId: bought.orderId }, before: [] }
        },
        isStill: async (filter) => (await statusNow(own, filter)) === 'IN_PROGRESS',
      })
    },
  })
}

export const pendingEsim = pending({
  id: 'esim',
  what: 'an eSIM',
  needs: { ...BUYS_ESIMS, ofKeysOfFile: OWN_BUDGETS },
  purchase: (context) => buyEsim(context),
})

export const pendingLongOrder = pending(LONG)

export const gift = budgeted('platform-gift', {
  id: 'gift',
  what: 'a gift',
  needs: BUYS_GIFTS,
  purchase: (context) => buyGift(context),
})
