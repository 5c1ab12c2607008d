import { isTerminal } from '../../contract/wire.ts'
import { check } from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import { replay } from '../steps/idempotency.ts'
import { buy, type Bought } from '../steps/orders.ts'
import {
  isPast,
  NARROW_COMPLETED,
  NARROW_PENDING,
  openUnhideAccount,
  outcomeOf,
  readClear,
  UNHIDES,
  UNHIDES_VOUCHERS,
  type UnhideAccount,
} from '../steps/unhide/account.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'
import { sendMany } from '../steps/rate-limits/probe.ts'
import { buyFinished, finish, statusNow } from '../steps/unhide/orders.ts'
import { POLLS_IN_TIME } from '../steps/rate-limits/counters.ts'
import {
  expectOwnBudget,
  ROUNDS_MAX,
  type Opened,
  type Subject,
} from '../steps/unhide/own-budget.ts'
import { expectOwnOfOther } from '../steps/unhide/one-budget.ts'

const ASYNC = { ...UNHIDES, capabilities: ['shop', 'unhide', 'async'] } as const

export const inProgress = check({
  id: 'unhide.in-progress',
  title: 'reading an IN_PROGRESS order with unhide spends its pending budget',
  requirements: ['UNHIDE-05'],
  needs: {
    ...ASYNC,
    products: ['voucher-async'],
    purchases: 2 * ROUNDS_MAX,
    windows: [POLLS_IN_TIME],
    tries: ROUNDS_MAX,
  },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, NARROW_PENDING)
    await expectOfTwo(unhideAccount, ['UNHIDE-05'], {
      what: 'an order IN_PROGRESS',
      counts: 'pending',
      open: async () => {
        const { orderId } = await buy(unhideAccount.context, { product: 'voucher-async' })
        return { filter: { orderId }, before: [] }
      },
      isStill: async (filter) => (await statusNow(unhideAccount.context, filter)) === 'IN_PROGRESS',
    })
  },
})

/** Where accounts can be made, a second order of one is held to the same budget. */
async function expectOfTwo(
  unhideAccount: UnhideAccount,
  requirements: Parameters<typeof expectOwnBudget>[1],
  subject: Subject,
): Promise<void> {
  await expectOwnBudget(unhideAccount, requirements, subject)
  if (unhideAccount.context.makeAccount) await expectOwnBudget(unhideAccount, requirements, subject)
}

/** An order that stays as it ended. */
function ended(
  { context }: UnhideAccount,
  product: Parameters<typeof buyFinished>[1],
  status: Parameters<typeof buyFinished>[2],
): Subject {
  return {
    what: `an order that is ${status}`,
    counts: status === 'PARTIALLY_COMPLETED' ? 'pending' : 'completed',
    open: async (): Promise<Opened> => {
      const { orderId } = await buyFinished(context, product, status)
      return { filter: { orderId }, before: [] }
    },
  }
}

export const partiallyCompleted = check({
  id: 'unhide.partially-completed',
  title: 'reading a PARTIALLY_COMPLETED order with unhide spends its pending budget',
  requirements: ['UNHIDE-06'],
  needs: {
    ...UNHIDES,
    products: ['voucher-partial'],
    purchases: 2 * ROUNDS_MAX,
    waits: [{ orders: 2, product: 'voucher-partial' }],
    tries: ROUNDS_MAX,
  },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, NARROW_PENDING)
    await expectOfTwo(
      unhideAccount,
      ['UNHIDE-06'],
      ended(unhideAccount, 'voucher-partial', 'PARTIALLY_COMPLETED'),
    )
  },
})

export const cancelled = check({
  id: 'unhide.cancelled',
  title: 'reading a CANCELLED order with unhide spends its completed budget',
  requirements: ['UNHIDE-08'],
  needs: {
    ...UNHIDES,
    products: ['voucher-cancelled'],
    purchases: ROUNDS_MAX,
    waits: [{ orders: 1, product: 'voucher-cancelled' }],
    tries: ROUNDS_MAX,
  },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, NARROW_COMPLETED)
    await expectOwnBudget(
      unhideAccount,
      ['UNHIDE-08'],
      ended(unhideAccount, 'voucher-cancelled', 'CANCELLED'),
    )
  },
})

export const succeeded = check({
  id: 'unhide.success',
  formerIds: ['unhide.aliases', 'unhide.separate-orders'],
  title:
    'reads of a SUCCESS order with unhide, by any name of it, spend its own completed budget, and then get 429 until its window ends',
  requirements: ['UNHIDE-07', 'UNHIDE-10', 'UNHIDE-13', 'UNHIDE-14'],
  needs: {
    ...UNHIDES_VOUCHERS,
    purchases: 2 * ROUNDS_MAX + 1,
  },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, NARROW_COMPLETED)
    const { burst } = await expectOwnBudget(
      unhideAccount,
      ['UNHIDE-07', 'UNHIDE-10'],
      ended(unhideAccount, 'voucher', 'SUCCESS'),
    )
    const other = await buyFinished(unhideAccount.context, 'voucher', 'SUCCESS')
    await expectOwnOfOther(unhideAccount, 'an order of vouchers', other, burst)
    // The windows of the keys of a file may be too short for so much, and their masked reads are few.
    if (!context.makeAccount) return
    await aside(async () => {
      await expectOwnBudget(unhideAccount, ['UNHIDE-10'], askedForBetween(unhideAccount))
    })
  },
})

/** Neither who sends the purchase again nor who reads or lists it masked gets its codes once more. */
function askedForBetween({ context }: UnhideAccount): Subject {
  let bought: Bought | undefined
  return {
    what: 'a SUCCESS order that is sent again, read masked and listed in between',
    counts: 'completed',
    open: async (): Promise<Opened> => {
      bought = await buyFinished(context, 'voucher', 'SUCCESS')
      return { filter: { orderId: bought.orderId }, before: [] }
    },
    between: async () => {
      if (!bought) return
      const { orderId } = bought
      await replay(context, bought)
      await context.api.as('full').getOrders({ orderId }, RETURN_429_UNPACED)
      await context.api.as('full').getOrders({}, RETURN_429_UNPACED)
    },
  }
}

/** Short enough to be waited for. */
const BRIEF_SECONDS = 2

export const nextWindow = check({
  id: 'unhide.next-window',
  title: 'a completed order can be read in clear again in the next window',
  requirements: ['UNHIDE-11'],
  needs: {
    ...UNHIDES_VOUCHERS,
    purchases: 1,
    waits: [{ windows: 1, of: ['orders.unhide.completed'], ownSeconds: BRIEF_SECONDS }],
  },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, {
      pending: { count: 8, windowSeconds: BRIEF_SECONDS },
      completed: { count: 1, windowSeconds: BRIEF_SECONDS },
    })
    const { orderId } = await buyFinished(unhideAccount.context, 'voucher', 'SUCCESS')
    const reads = [await readClear(unhideAccount, { orderId })]
    for (let more = unhideAccount.budgets.completed.count; more > 0; more--)
      reads.push(await readClear(unhideAccount, { orderId }))
    reads.forEach(outcomeOf)
    const { windowSeconds } = unhideAccount.budgets.completed
    await context.wait('the next window of one order', windowSeconds * 1000 + 2 * context.slackMs)
    const again = await readClear(unhideAccount, { orderId })
    context.expect('UNHIDE-11').that('the order is readable in clear a window later', {
      holds: outcomeOf(again) === 'completed',
      expected: `the order, ${windowSeconds} s after its budget was spent`,
      exchanges: [...reads, again],
    })
  },
})

/** Pending reads before the order completes. */
const PENDING_READS = 2

export const firstCompleted = check({
  id: 'unhide.first-completed',
  title: 'the first answer that has an order as completed spends its completed budget',
  requirements: ['UNHIDE-09'],
  needs: {
    ...ASYNC,
    products: ['voucher-async'],
    purchases: ROUNDS_MAX,
    waits: [{ orders: 1, product: 'voucher-async' }],
    tries: ROUNDS_MAX,
  },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, NARROW_COMPLETED)
    await expectOwnBudget(unhideAccount, ['UNHIDE-09'], {
      what: 'an order that completed after it was read as pending',
      counts: 'completed',
      open: async () => {
        const bought = await buy(unhideAccount.context, { product: 'voucher-async' })
        const { orderId } = bought
        const before = await sendMany(() => readClear(unhideAccount, { orderId }), PENDING_READS)
        if (before.some((exchange) => outcomeOf(exchange) !== 'pending'))
          return {
            unusable: 'the order was not pending long enough to be read',
            isPast: isPast(before),
          }
        const status = await finish(unhideAccount.context, 'voucher-async', bought)
        if (!isTerminal(status)) return { unusable: 'the order did not finish' }
        return { filter: { orderId }, before }
      },
    })
  },
})
