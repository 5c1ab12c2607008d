import type { Credential } from '../../target-file/target.ts'
import { BUYER_SCOPES } from '../shared/buyer-scopes.ts'
import { addressLanes, ONE_ADDRESS, OTHER_ADDRESS } from './unhide-address-scripts.ts'
import { listingCall } from './endpoint-calls.ts'
import { checkoutLanes } from './unhide-checkout-scripts.ts'
import {
  admissionLane,
  admissionSpreadLane,
  completedLane,
  kindsLane,
  stateLane,
  unhiddenKinds,
  windowLane,
} from './unhide-scripts.ts'
import { leaseMasked, MASKED_LANE, maskedLanes, SEVERAL_UNITS } from './unhide-masked-script.ts'
import { promiseLanes } from './unhide-promise-script.ts'
import { watchedLanes } from './unhide-window-scripts.ts'
import { spreadLanes } from './unhide-spread-script.ts'
import { unhideBudgets, type UnhideTopic } from './unhide-topics.ts'
import { goodsOf, planBursts, type Goods, type LaneDraft, type BurstPlan } from './burst-plan.ts'
import type { BurstContext } from './burst-plan.ts'

export type UnhideDraft = {
  readonly lanes: readonly LaneDraft[]
  readonly goods: readonly Goods[]
}

/** Lays out the lanes that the target's products allow, or tells why there is none. */
export function draftUnhide(context: BurstContext): UnhideDraft | { readonly lacks: string } {
  const { target } = context
  if (!target.capabilities.includes('unhide')) return { lacks: 'unhide is not declared' }
  if (!context.accounts.fresh && !context.accounts.roles.includes('full'))
    return { lacks: 'there is no credential for the role full' }
  const voucher = goodsOf(target, 'voucher', SEVERAL_UNITS)
  if ('lacks' in voucher) return voucher
  const later = goodsOf(target, 'voucher-async', 1)
  const waitSeconds = target.products['voucher-async']?.completesWithinSeconds
  const goods = [voucher]
  if (!('lacks' in later)) goods.push(later)
  const topUp = topUpGoods(context, voucher.currency)
  const lanes = [completedLane(context, topUp && goods.length)]
  if (topUp) goods.push(topUp)
  if (!('lacks' in later)) {
    lanes.push(stateLane(context, 'pending', 1))
    const { admission } = unhideBudgets(context, 'admission')
    if (waitSeconds !== undefined && waitSeconds < admission.windowSeconds)
      lanes.push(admissionLane(context, waitSeconds))
    if (waitSeconds !== undefined && context.accounts.make)
      lanes.push(windowLane(context, waitSeconds), ...admissionSpreadLane(context, waitSeconds))
  }
  lanes.push(...promiseLanes(context), ...watchedLanes(context, 'completed window', 0))
  lanes.push(...spreadLanes(context, 'completed spread', 0))
  for (const topic of ['partial', 'cancelled'] as const) {
    const ending = goodsOf(target, `voucher-${topic}`, 1)
    if ('lacks' in ending) continue
    lanes.push(stateLane(context, topic, goods.length))
    if (topic === 'partial') {
      lanes.push(...watchedLanes(context, 'pending window', goods.length))
      lanes.push(...spreadLanes(context, 'pending spread', goods.length))
    }
    goods.push(ending)
  }
  lanes.push(...maskedLanes(context))
  lanes.push(...addressLanes(context, lanes.length))
  const kinds = context.accounts.make ? unhiddenKinds(context) : []
  if (kinds.length > 0) {
    lanes.push(kindsLane(context, kinds, goods.length))
    goods.push(...kinds)
  }
  for (const { lane, cart } of checkoutLanes(context, goods.length)) {
    lanes.push(lane)
    goods.push(cart)
  }
  return { lanes, goods }
}

/** Top-ups, whose orders have budgets as well. */
function topUpGoods({ target }: BurstContext, currency: string): Goods | undefined {
  const goods = goodsOf(target, 'dtu', 1, 'dtu')
  return 'lacks' in goods || goods.currency !== currency ? undefined : goods
}

/** Leases a fresh account with budgets of its own for each lane, or the account of the role full. */
export async function planUnhide(
  context: BurstContext,
  { lanes, goods }: UnhideDraft,
): Promise<BurstPlan> {
  const leased = new Map<string, Promise<readonly Credential[]>>()
  for (const { name } of lanes) {
    // Two addresses are to read the orders of one account.
    const shared = name === OTHER_ADDRESS ? leased.get(ONE_ADDRESS) : undefined
    leased.set(name, shared ?? leaseKeys(context, name))
  }
  const keys = await Promise.all([...leased.values()].map(async (each) => ({ keys: await each })))
  const listing = listingCall(context.target)
  const calls = listing ? [listing] : []
  const plan = planBursts('unhide-budgets', context.target, lanes, keys, goods, calls)
  return context.hasLocalAddresses ? { ...plan, localAddresses: lanes.length } : plan
}

async function leaseKeys(context: BurstContext, name: string): Promise<readonly Credential[]> {
  const { accounts } = context
  if (name === MASKED_LANE) return leaseMasked(context)
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
