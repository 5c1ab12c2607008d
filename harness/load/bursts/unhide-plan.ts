import type { Credential } from '../../target-file/target.ts'
import { BUYER_SCOPES } from '../shared/buyer-scopes.ts'
import { addressScripts, ONE_ADDRESS, OTHER_ADDRESS } from './unhide-address-scripts.ts'
import { listingCall } from './endpoint-calls.ts'
import { checkoutScripts } from './unhide-checkout-scripts.ts'
import {
  admissionScript,
  admissionSpreadScript,
  completedScript,
  kindsScript,
  stateScript,
  unhiddenKinds,
  windowScript,
} from './unhide-scripts.ts'
import { leaseMasked, MASKED_SCRIPT, maskedScripts, SEVERAL_UNITS } from './unhide-masked-script.ts'
import { promiseScripts } from './unhide-promise-script.ts'
import { watchedScripts } from './unhide-window-scripts.ts'
import { spreadScripts } from './unhide-spread-script.ts'
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
export function draftUnhide(context: BurstContext): UnhideDraft | { readonly lacks: string } {
  const { target } = context
  if (!target.capabilities.includes('unhide')) return { lacks: 'unhide is not declared' }
  if (!context.accounts.fresh && !context.accounts.roles.includes('full'))
    return { lacks: 'there is no credential for the role full' }
  const voucher = purchasableOf(target, 'voucher', SEVERAL_UNITS)
  if ('lacks' in voucher) return voucher
  const later = purchasableOf(target, 'voucher-async', 1)
  const waitSeconds = target.products['voucher-async']?.completesWithinSeconds
  const purchasables = [voucher]
  if (!('lacks' in later)) purchasables.push(later)
  const topUp = topUpGoods(context, voucher.currency)
  const scripts = [completedScript(context, topUp && purchasables.length)]
  if (topUp) purchasables.push(topUp)
  if (!('lacks' in later)) {
    scripts.push(stateScript(context, 'pending', 1))
    const { admission } = unhideBudgets(context, 'admission')
    if (waitSeconds !== undefined && waitSeconds < admission.windowSeconds)
      scripts.push(admissionScript(context, waitSeconds))
    if (waitSeconds !== undefined && context.accounts.make)
      scripts.push(
        windowScript(context, waitSeconds),
        ...admissionSpreadScript(context, waitSeconds),
      )
  }
  scripts.push(...promiseScripts(context), ...watchedScripts(context, 'completed window', 0))
  scripts.push(...spreadScripts(context, 'completed spread', 0))
  for (const topic of ['partial', 'cancelled'] as const) {
    const ending = purchasableOf(target, `voucher-${topic}`, 1)
    if ('lacks' in ending) continue
    scripts.push(stateScript(context, topic, purchasables.length))
    if (topic === 'partial') {
      scripts.push(...watchedScripts(context, 'pending window', purchasables.length))
      scripts.push(...spreadScripts(context, 'pending spread', purchasables.length))
    }
    purchasables.push(ending)
  }
  scripts.push(...maskedScripts(context))
  scripts.push(...addressScripts(context, scripts.length))
  const kinds = context.accounts.make ? unhiddenKinds(context) : []
  if (kinds.length > 0) {
    scripts.push(kindsScript(context, kinds, purchasables.length))
    purchasables.push(...kinds)
  }
  for (const { script, cart } of checkoutScripts(context, purchasables.length)) {
    scripts.push(script)
    purchasables.push(cart)
  }
  return { scripts, purchasables }
}

/** Top-ups, whose orders have budgets as well. */
function topUpGoods({ target }: BurstContext, currency: string): Purchasable | undefined {
  const purchasable = purchasableOf(target, 'dtu', 1, 'dtu')
  return 'lacks' in purchasable || purchasable.currency !== currency ? undefined : purchasable
}

/** Leases a fresh account with budgets of its own for each script, or the account of the role full. */
export async function planUnhide(
  context: BurstContext,
  { scripts, purchasables }: UnhideDraft,
): Promise<BurstPlan> {
  const leased = new Map<string, Promise<readonly Credential[]>>()
  for (const { name } of scripts) {
    // Two addresses are to read the orders of one account.
    const shared = name === OTHER_ADDRESS ? leased.get(ONE_ADDRESS) : undefined
    leased.set(name, shared ?? leaseKeys(context, name))
  }
  const keys = await Promise.all([...leased.values()].map(async (each) => ({ keys: await each })))
  const listing = listingCall(context.target)
  const calls = listing ? [listing] : []
  const plan = planBursts('unhide-budgets', context.target, scripts, keys, purchasables, calls)
  return context.hasLocalAddresses ? { ...plan, localAddresses: scripts.length } : plan
}

async function leaseKeys(context: BurstContext, name: string): Promise<readonly Credential[]> {
  const { accounts } = context
  if (name === MASKED_SCRIPT) return leaseMasked(context)
  if (!accounts.make) {
    const keyring = await accounts.open({ roles: ['full'] })
    return [keyring.key('full')]
  }
  const { pending, completed } = unhideBudgets(context, name as UnhideTopic)
  return accounts.make({
    keys: [{ scopes: BUYER_SCOPES }],
    limits: { 'orders.unhide.pending': pending, 'orders.unhide.completed': completed },
  })
}
