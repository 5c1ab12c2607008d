import type { PlannedPurchase, PlannedStep } from '../../../load/protocol/bursts.ts'
import { finish } from './unhide-steps.ts'
import {
  purchasableOf,
  type Purchasable,
  type ScriptDraft,
  type BurstContext,
} from './burst-plan.ts'

/** The script of a capped key that buys what finishes later. */
export const LATER_SCRIPT = 'asynchronous orders'
/** The purchase that is waited for, and the one after it. */
export const LATER_ORDERS = { delivered: 0, beyond: 1 } as const
/** The cap has room for the first and half a unit. */
const UNITS = { delivered: 2, beyond: 1 } as const

const RETRY_ROUNDS = 1

/** What finishes later, in the currency of the vouchers; undefined where the target names none, or not how long it takes. */
export function laterPurchasable({
  target,
  accounts,
}: Pick<BurstContext, 'target' | 'accounts'>): Purchasable | undefined {
  const voucher = purchasableOf(target, 'voucher', 1)
  const purchasable = purchasableOf(target, 'voucher-async', UNITS.delivered)
  if ('lacks' in voucher || 'lacks' in purchasable || !accounts.make) return undefined
  const isTimed = target.products['voucher-async']?.completesWithinSeconds !== undefined
  return isTimed && purchasable.currency === voucher.currency ? purchasable : undefined
}

/** When a pending order uses the cap up is not shown: the next one is bought when the first has finished. */
export function laterScript(context: BurstContext, product: number, atMs: number): ScriptDraft {
  const seconds = context.target.products['voucher-async']?.completesWithinSeconds ?? 0
  const buy = (which: keyof typeof LATER_ORDERS): PlannedStep[] => {
    const reference = LATER_ORDERS[which]
    const purchase: PlannedPurchase = { key: 0, reference, product, units: UNITS[which] }
    return [
      { do: 'buy', phase: 'spare', purchases: [purchase] },
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
    ]
  }
  return {
    name: LATER_SCRIPT,
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: 1 },
      { do: 'meet', atMs },
      ...buy('delivered'),
      finish(context, [LATER_ORDERS.delivered], seconds),
      ...buy('beyond'),
    ],
  }
}
