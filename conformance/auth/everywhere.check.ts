import type { Role } from '../../contract/capabilities.ts'
import type { RequirementId } from '../../contract/requirements/index.ts'
import type { Caller } from '../../harness/client/api.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import { CHECKS_OUT, LINES, needPositions, POSITIONS } from '../steps/cart.ts'
import { check, type CheckContext, type CheckDefinition, type Needs } from '../engine/check.ts'
import { needSuccess } from '../engine/controls.ts'
import { showRequest } from '../engine/describe.ts'
import { LOOKS_UP, pairOf } from '../steps/lookup.ts'
import { BUYS_VOUCHERS } from '../steps/orders.ts'
import { expectRefused } from '../steps/key-refused.ts'

/** One operation as whoever is asked to carry it out. */
type Operation = {
  readonly needs: Needs
  readonly call: (context: CheckContext, caller: Caller) => Promise<Exchange>
}

const PURCHASE: Operation = {
  needs: { ...BUYS_VOUCHERS, purchases: 3 },
  call: ({ api, reference }, caller) =>
    api.as(caller).createOrder({ product: 'voucher', referenceId: reference() }),
}

const CHECKOUT: Operation = {
  needs: { ...CHECKS_OUT, purchases: 3 * POSITIONS },
  call: (context, caller) => {
    needPositions(context, LINES)
    return context.api.as(caller).createCart({ lines: LINES, referenceId: context.reference() })
  },
}

const LOOKUP: Operation = {
  needs: LOOKS_UP,
  call: (context, caller) =>
    context.api.as(caller).aboutProduct('lookupItems', 'voucher', pairOf(context, 'voucher') ?? {}),
}

const STRANGERS: readonly (readonly [Caller, RequirementId])[] = [
  ['none', 'AUTH-01'],
  ['invented', 'AUTH-02'],
]

/** A key is looked for at every endpoint, not only at those that read. */
function closedToStrangers(name: string, title: string, operation: Operation): CheckDefinition {
  const { needs, call } = operation
  return check({
    id: `auth.keyless-${name}`,
    title: `${title} without a key that was issued`,
    requirements: ['AUTH-01', 'AUTH-02'],
    needs: { ...needs, roles: ['full'] },
    run: async (context) => {
      needSuccess(await call(context, 'full'))
      for (const [caller, requirement] of STRANGERS) {
        const exchange = await call(context, caller)
        const who = caller === 'none' ? 'without a key' : 'with a key that was never issued'
        expectRefused(context, requirement, exchange, `${showRequest(exchange)} ${who}`)
      }
    },
  })
}

export const strangersBuyNothing = closedToStrangers('purchase', 'nothing is bought', PURCHASE)
export const strangersBuyNoCart = closedToStrangers('cart', 'no cart is bought', CHECKOUT)
export const strangersLookNothingUp = closedToStrangers('lookup', 'nothing is looked up', LOOKUP)

function deadKeyBuysNothing(
  role: Extract<Role, 'revoked' | 'expired'>,
  requirement: RequirementId,
): CheckDefinition {
  return check({
    id: `auth.${role}-purchase`,
    title: `nothing is bought with a key that is ${role}`,
    requirements: [requirement],
    needs: { ...PURCHASE.needs, roles: ['full', role], purchases: 2 },
    run: async (context) => {
      needSuccess(await PURCHASE.call(context, 'full'))
      expectRefused(context, requirement, await PURCHASE.call(context, role))
    },
  })
}

export const revokedKeyBuysNothing = deadKeyBuysNothing('revoked', 'AUTH-03')
export const expiredKeyBuysNothing = deadKeyBuysNothing('expired', 'AUTH-04')
