import {
  type CartLine,
  type CheckDefinition,
  type Needs,
  check,
  onlyWithControlSide,
} from '../engine/kit.ts'
import { type Checkout, checkOut, UNHIDES_CHECKOUTS } from '../steps/unhide/checked-out.ts'
import {
  type Filter,
  NARROW_COMPLETED,
  NARROW_PENDING,
  openUnhideAccount,
  type UnhideAccount,
} from '../steps/unhide/account.ts'
import { expectOwnBudget, type Opened, ROUNDS_MAX } from '../steps/unhide/own-budget.ts'

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

/** What checks need that read checkouts of partially completed orders. */
const NEEDS_PARTIALS = {
  ...UNHIDES_CHECKOUTS,
  products: ['voucher-partial'],
  purchases: MIXED_LENGTH * ROUNDS_MAX,
  waits: [{ orders: 1, product: 'voucher-partial' }],
  tries: ROUNDS_MAX,
} as const satisfies Needs

/** A checkout of partially completed orders; `filterOf` says by what it is read. */
async function openPartials(
  unhideAccount: UnhideAccount,
  filterOf: (checkout: Checkout) => Filter,
): Promise<Opened> {
  const checkout = await checkOut(unhideAccount, mixedLines('voucher-partial'))
  const { statuses } = checkout
  if (statuses.some((each) => each !== 'PARTIALLY_COMPLETED'))
    return { unusable: `the checkout has orders ${statuses.map(String).join(', ')}` }
  return { filter: filterOf(checkout), before: [] }
}

export const partialCheckout = check({
  id: 'unhide.partial-checkout',
  title: 'a checkout without an order that is SUCCESS or CANCELLED is read from the pending budget',
  requirements: ['UNHIDE-15'],
  needs: NEEDS_PARTIALS,
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, NARROW_PENDING)
    await expectOwnBudget(unhideAccount, ['UNHIDE-15'], {
      what: 'a checkout of partially completed orders',
      counts: 'pending',
      open: () => openPartials(unhideAccount, ({ referenceId }) => ({ referenceId })),
    })
  },
})

export const childOnce = check({
  id: 'unhide.child-counted-once',
  title: 'an order of a checkout, read by reference and orderId, is counted once for each read',
  requirements: ['UNHIDE-16'],
  needs: {
    ...NEEDS_PARTIALS,
    ofKeysOfFile: onlyWithControlSide('accounts with unhide budgets of their own'),
  },
  run: async (context) => {
    const unhideAccount = await openUnhideAccount(context, NARROW_PENDING)
    await expectOwnBudget(unhideAccount, ['UNHIDE-16'], {
      what: 'an order of a checkout, by reference and orderId',
      counts: 'pending',
      open: () =>
        openPartials(unhideAccount, ({ referenceId, orderIds }) => ({
          referenceId,
          orderId: orderIds[0] as string,
        })),
    })
  },
})
