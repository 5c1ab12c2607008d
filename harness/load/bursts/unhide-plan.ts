import { keyOfRole } from '../../target-file/wants.ts'
import type { Lacks } from '../shared/lacks.ts'
import type { Credential } from '../../target-file/target.ts'
import { buyerKeys } from '../shared/buyer-keys.ts'
import { stateScript, unhideBudgets, type UnhideTopic } from './unhide-scripts.ts'
import { purchasableOf, planBursts, type BurstDraft, type BurstPlan } from './burst-plan.ts'
import type { BurstContext } from './burst-plan.ts'

/** Lays out the scripts that the target's products allow, or tells why there is none. */
export function draftUnhide(context: BurstContext): BurstDraft | Lacks {
  const { target } = context
  if (!target.capabilities.includes('unhide')) return { lacks: 'unhide is not declared' }
  if (!context.accounts.fresh && !context.accounts.roles.includes('full'))
    return { lacks: 'there is no credential for the role full', wants: [keyOfRole('full')] }
  const voucher = purchasableOf(target, 'voucher')
  if ('lacks' in voucher) return voucher
  const later = purchasableOf(target, 'voucher-async')
  const purchasables = [voucher]
  const scripts = [stateScript(context, 'completed', 0)]
  if (!('lacks' in later)) {
    purchasables.push(later)
    scripts.push(stateScript(context, 'pending', 1))
  }
  return { scripts, purchasables }
}

/** Leases a fresh account with budgets of its own for each script, or the account of the role full. */
export async function planUnhide(context: BurstContext, draft: BurstDraft): Promise<BurstPlan> {
  const keys = await Promise.all(
    draft.scripts.map(async ({ name }) => ({
      keys: await leaseKeys(context, name as UnhideTopic),
    })),
  )
  return planBursts('unhide-budgets', context.target, draft, keys)
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
    keys: buyerKeys(undefined),
    limits: { 'orders.unhide.pending': pending, 'orders.unhide.completed': completed },
  })
}
