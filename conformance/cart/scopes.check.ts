import type { Role } from '../../contract/capabilities.ts'
import { check, type CheckDefinition } from '../check.ts'
import { checkout, CHECKS_OUT, POSITIONS, sendCart } from './steps.ts'

function deniedTo(role: Role): CheckDefinition {
  return check({
    id: `cart.scopes-${role}`,
    title: `a key of the role ${role}, which lacks orders:write, buys no cart`,
    requirements: ['SCOPE-04'],
    needs: { ...CHECKS_OUT, roles: ['full', role], purchases: 2 * POSITIONS },
    run: async (context) => {
      await checkout(context)
      context.expect('SCOPE-04').status(await sendCart(context, { role }), 403)
    },
  })
}

export const browserBuysNoCart = deniedTo('browser')
export const pollerBuysNoCart = deniedTo('poller')
