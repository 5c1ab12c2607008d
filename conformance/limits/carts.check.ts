import type { CheckContext } from '../engine/kit.ts'
import { check } from '../engine/kit.ts'
import { checkout, CHECKS_OUT, POSITIONS, sendCart } from '../steps/cart.ts'
import { expectCounter } from '../steps/limits/counter.ts'
import { needSmallWindow } from '../steps/limits/small-window.ts'
import {
  betweenRefusals,
  RETURN_429_UNPACED,
  type Send,
} from '../steps/rate-limits/between-refusals.ts'

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
    needSmallWindow(context, 'createCart')
    const probes = [await replaying(context, 'sibling')]
    const spend = await replaying(context, 'full')
    const looked = await betweenRefusals(context, { ...counter, spend, probes, sharing: true })
    expectCounter(context, 'RATE-10', looked, 'shared')
  },
})
