import type { Role } from '../../contract/capabilities.ts'
import type { CheckContext, CheckDefinition, Exchange, RequirementId } from '../engine/kit.ts'
import { check, needSuccess, showAnswer } from '../engine/kit.ts'
import { buy, BUYS_VOUCHERS, orderIdsOf, type Bought } from '../steps/orders.ts'
import { expectRefused } from '../steps/key-refused.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'
import { FILTERED_OF_FULL, LISTING_OF_FULL } from '../steps/rate-limits/counters.ts'

/** unhide=true without a filter: what it does is not shown, but not that it shows what the key may not see. */
function shownTo(role: Role, requirement: RequirementId, whose: string): CheckDefinition {
  return check({
    id: `reading.${role}-listing-unhide`,
    title: `a listing with unhide=true shows a key of ${whose} no order that it did not create`,
    requirements: [requirement],
    needs: {
      ...BUYS_VOUCHERS,
      capabilities: ['shop', 'unhide'],
      roles: ['full', role],
      selectors: ['getOrders.orderIds'],
      purchases: 1,
      // Whether it counts as a listing is not shown: nobody else lists meanwhile, nor does the check wait for its own read.
      windows: [
        { ...LISTING_OF_FULL, role },
        { ...FILTERED_OF_FULL, units: 1 },
      ],
    },
    run: async (context) => {
      const bought = await buy(context)
      const own = needSuccess(await context.api.as('full').getOrders({ orderId: bought.orderId }))
      const listed = await context.api.as(role).getOrders({ unhide: true })
      context.observe('OPEN-45', `a listing with unhide=true: ${showAnswer(listed)}`, [listed])
      judge(context, requirement, { bought, own, listed })
    },
  })
}

/** An order is there by the identifier that its creator reads. */
function judge(
  context: CheckContext,
  requirement: RequirementId,
  seen: { readonly bought: Bought; readonly own: Exchange; readonly listed: Exchange },
): void {
  const { bought, own, listed } = seen
  const ids = orderIdsOf(context, own) ?? []
  const shown = orderIdsOf(context, listed) ?? []
  context.expect(requirement).that('the listing with unhide=true', {
    holds: !shown.some((id) => ids.includes(id)),
    expected: `no order ${bought.orderId}`,
    exchanges: [bought.exchange, own, listed],
  })
}

export const siblingListingUnhide = shownTo('sibling', 'GET-10', 'the same account')
export const strangerListingUnhide = shownTo('stranger', 'GET-11', 'another account')

export const closedListingUnhide = check({
  id: 'reading.closed-listing-unhide',
  title: 'a listing with unhide=true is given neither without a key nor without orders:read',
  requirements: ['AUTH-01', 'SCOPE-05'],
  needs: { capabilities: ['unhide'], roles: ['full', 'browser'] },
  run: async (context) => {
    const { api, expect, once } = context
    needSuccess(await once('listing', () => api.as('full').getOrders()))
    const listAs = (caller: 'none' | 'browser'): Promise<Exchange> =>
      api.as(caller).getOrders({ unhide: true }, RETURN_429_UNPACED)
    expectRefused(context, 'AUTH-01', await listAs('none'))
    expect('SCOPE-05').status(await listAs('browser'), 403)
  },
})
