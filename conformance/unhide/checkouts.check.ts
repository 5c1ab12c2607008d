import { type CartLine, type CheckDefinition, check, onlyWithControlSide } from '../engine/kit.ts'
import { checkOut, UNHIDES_CHECKOUTS } from '../steps/unhide/checked-out.ts'
import { NARROW_COMPLETED, NARROW_PENDING, openUnhideAccount } from '../steps/unhide/account.ts'
import { expectOwnBudget, ROUNDS_MAX } from '../steps/unhide/own-budget.ts'

/** The completed order stands neither first nor last, so that neither place can decide. */
function mixedLines(product: CartLine['product']): readonly CartLine[] {
  return [{ product: 'voucher-partial' }, { product }, { product: 'voucher-partial' }]
}
const MIXED_LENGTH = 3

function mixed(
  name: string,
  product: 'voucher' | 'voucher-cancelled',
  status: 'SUCCESS' | 'CANCELLED',
): CheckDefinition {
  return check({
    id: `unhide.${name}`,
    title: `one ${status} order in a checkout makes its unhide reads spend the completed budget`,
    requirements: ['UNHIDE-15'],
    needs: {
      ...UNHIDES_CHECKOUTS,
      products: [product, 'voucher-partial'],
      purchases: MIXED_LENGTH * ROUNDS_MAX,
      waits: [{ orders: 1, product: 'voucher-partial' }],
      tries: ROUNDS_MAX,
    },
    run: async (context) => {
      const unhideAccount = await openUnhideAccount(context, NARROW_COMPLETED)
      await expectOwnBudget(unhideAccount, ['UNHIDE-15'], {
        what: 'a checkout with one completed order',
        counts: 'completed',
        open: async () => {
          const { referenceId, statuses } = await checkOut(unhideAccount, mixedLines(product))
          const completed = statuses.filter((each) => each === 'SUCCESS' || each === 'CANCELLED')
          if (completed.length !== 1 || completed[0] !== status)
            return { unusable: `the checkout has orders ${statuses.map(String).join(', ')}` }
          return { filter: { referenceId }, before: [] }
        },
      })
    },
  })
}

export const mixedCheckout = mixed('mixed-checkout', 'voucher', 'SUCCESS')
export const cancelledInCheckout = mixed('cancelled-in-checkout', 'voucher-cancelled', 'CANCELLED')

export const partialCheckout = check({
  id: 'unhide.partial-checkout',
  title: 'a checkout without an order that is SUCCESS or CANCELLED is read from the pending budget',
  requirements: ['UNHIDE-15'],
  needs: {
    ...UNHIDES_CHECKOUTS,
    products: ['voucher-partial'],
    purchases: MIXED_LENGTH * ROUNDS_MAX,
    waits: [{ orders: 1, product: 'voucher-partial' }],
    tries: ROUNDS_MAX,
  },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, NARROW_PENDING)
    await expectOwnBudget(unhideAccount, ['UNHIDE-15'], {
      what: 'a checkout of partially completed orders',
      counts: 'pending',
      open: async () => {
        const { referenceId, statuses } = await checkOut(
          unhideAccount,
          mixedLines('voucher-partial'),
        )
        if (statuses.some((each) => each !== 'PARTIALLY_COMPLETED'))
          return { unusable: `the checkout has orders ${statuses.map(String).join(', ')}` }
        return { filter: { referenceId }, before: [] }
      },
    })
  },
})

export const childOnce = check({
  id: 'unhide.child-counted-once',
  title: 'an order of a checkout, read by reference and orderId, is counted once for each read',
  requirements: ['UNHIDE-16'],
  needs: {
    ...UNHIDES_CHECKOUTS,
    products: ['voucher-partial'],
    purchases: MIXED_LENGTH * ROUNDS_MAX,
    waits: [{ orders: 1, product: 'voucher-partial' }],
    tries: ROUNDS_MAX,
    ofKeysOfFile: onlyWithControlSide('accounts with unhide budgets of their own'),
  },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, NARROW_PENDING)
    await expectOwnBudget(unhideAccount, ['UNHIDE-16'], {
      what: 'an order of a checkout, by reference and orderId',
      counts: 'pending',
      open: async () => {
        const { referenceId, orderIds, statuses } = await checkOut(
          unhideAccount,
          mixedLines('voucher-partial'),
        )
        const [orderId] = orderIds
        if (orderId === undefined || statuses.some((each) => each !== 'PARTIALLY_COMPLETED'))
          return { unusable: `the checkout has orders ${statuses.map(String).join(', ')}` }
        return { filter: { referenceId, orderId }, before: [] }
      },
    })
  },
})
