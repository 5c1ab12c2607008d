import type { Role } from '../../contract/capabilities.ts'
import { check, type CheckDefinition } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { askForCheck, CHECKS_TOP_UPS } from './steps.ts'

/** A check is a POST of orders: it costs nothing, and asks for the scope all the same. */
function deniedTo(role: Role): CheckDefinition {
  return check({
    id: `dtu-check.scopes-${role}`,
    title: `a key of the role ${role}, which lacks orders:write, checks no top-up`,
    requirements: ['SCOPE-03'],
    needs: { ...CHECKS_TOP_UPS, roles: ['full', role] },
    run: async (context) => {
      needSuccess(await askForCheck(context))
      context.expect('SCOPE-03').status(await askForCheck(context, { role }), 403)
    },
  })
}

export const browserChecksNothing = deniedTo('browser')
export const pollerChecksNothing = deniedTo('poller')
