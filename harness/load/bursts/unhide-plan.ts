import { keyOfRole } from '../../target-file/wants.ts'
import type { Lacks } from '../shared/lacks.ts'
import type { Credential } from '../../target-file/target.ts'
import { BUYER_SCOPES } from '../shared/buyer-scopes.ts'
import { admissionScript, checkoutScript, mixedCart, stateScript } from './unhide-scripts.ts'
import { unhideBudgets, type UnhideTopic } from './unhide-topics.ts'
import {
  purchasableOf,
  planBursts,
  type Purchasable,
  type ScriptDraft,
  type BurstPlan,
} from './burst-plan.ts'
import type { BurstContext } from './burst-plan.ts'

export type UnhideDraft = {
  readonly scripts: readonly ScriptDraft[]
  readonly purchasables: readonly Purchasable[]
}

/** Lays out the scripts that the target's products allow, or tells why there is none. */
export function draftUnhide(context: BurstContext): UnhideDraft | Lacks {
  const { target } = context
  if (!target.capabilities.includes('unhide')) return { lacks: 'unhide is not declared' }
  if (!context.accounts.fresh && !context.accounts.roles.includes('full'))
    return { lacks: 'there is no credential for the role full', wants: [keyOfRole('full')] }
  const voucher = purchasableOf(target, 'voucher', 1)
  if ('lacks' in voucher) return voucher
  const later = purchasableOf(target, 'voucher-async', 1)
  const waitSeconds = target.products['voucher-async']?.completesWithinSeconds
  const purchasables = [voucher]
  const scripts = [stateScript(context, 'completed', 0)]
  if (!('lacks' in later)) {
    purchasables.push(later)
    scripts.push(stateScript(context, 'pending', 1))
    const { admission } = unhideBudgets(context, 'admission')
    if (waitSeconds !== undefined && waitSeconds < admission.windowSeconds)
      scripts.push(admissionScript(context, waitSeconds))
  }
  for (const topic of ['partial', 'cancelled'] as const) {
    const ending = purchasableOf(target, `voucher-${topic}`, 1)
    if ('lacks' in ending) continue
    scripts.push(stateScript(context, topic, purchasables.length))
    purchasables.push(ending)
  }
  const cart = mixedCart(target)
  if (cart) {
    scripts.push(checkoutScript(context, cart, purchasables.length))
    purchasables.push(cart)
  }
  return { scripts, purchasables }
}

/** Leases a fresh account with budgets of its own for each script, or the account of the role full. */
export async function planUnhide(
  context: BurstContext,
  { scripts, purchasables }: UnhideDraft,
): Promise<BurstPlan> {
  const keys = await Promise.all(
    scripts.map(async ({ name }) => ({ keys: await leaseKeys(context, name as UnhideTopic) })),
  )
  return planBursts('unhide-budgets', context.target, scripts, keys, purchasables)
}

async function leaseKeys(
  context: BurstContext,
  topic: UnhideTopic,
): Promise<readonly Credential[]> {
  const { accounts } = context
  if (!accounts.make) {
    const keyring = await accounts.open({ roles: ['full'] })
    return [keyring.key('full')]
  }
  const { pending, completed } = unhideBudgets(context, topic)
  return accounts.make({
    keys: [{ scopes: BUYER_SCOPES }],
    limits: { 'orders.unhide.pending': pending, 'orders.unhide.completed': completed },
  })
}
