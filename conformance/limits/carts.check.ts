import { howToTell, isSizeKnown } from '../../harness/quota/effective-limits.ts'
import type { CheckContext } from '../engine/kit.ts'
import { check, inapplicable, untested } from '../engine/kit.ts'
import { checkout, CHECKS_OUT, POSITIONS, sendCart } from '../steps/cart.ts'
import { expectCounter } from '../steps/limits/counter.ts'
import {
  betweenRefusals,
  RETURN_429_UNPACED,
  type Send,
} from '../steps/rate-limits/between-refusals.ts'

/** So many replays of a checkout spend a window in little time. */
const SPENT_MAX = 60

/** A checkout that is sent again and again: it is bought once. */
async function replaying(context: CheckContext, role: 'full' | 'sibling'): Promise<Send> {
  const referenceId = context.reference()
  await checkout(context, { referenceId, role })
  return () => sendCart(context, { referenceId, role }, RETURN_429_UNPACED)
}

export const cartsSharedByKeys = check({
  id: 'limits.carts-shared-by-keys',
  title:
    'a small window of checkouts that one key has spent is spent for another key of the account',
  requirements: ['RATE-10'],
  needs: {
    ...CHECKS_OUT,
    roles: ['full', 'sibling'],
    purchases: 2 * POSITIONS,
    windows: [{ bucket: 'default', role: 'full', operation: 'createCart' }],
  },
  run: async (context) => {
    const counter = { bucket: 'default', operation: 'createCart' } as const
    const limit = context.limit('default', 'createCart')
    if (!isSizeKnown(limit))
      untested(
        `how many checkouts a window admits is not known: ${howToTell('default', 'createCart')}`,
      )
    if (limit.count > SPENT_MAX)
      inapplicable(`a window admits ${limit.count} checkouts, too many to be spent for this`)
    const probes = [await replaying(context, 'sibling')]
    const spend = await replaying(context, 'full')
    const looked = await betweenRefusals(context, { ...counter, spend, probes, sharing: true })
    expectCounter(context, 'RATE-10', looked, 'shared')
  },
})
