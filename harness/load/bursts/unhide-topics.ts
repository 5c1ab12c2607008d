import { admissionOf, type UnhideBudgets } from '../../judge/unhide.ts'
import type { BurstContext } from './burst-plan.ts'

/** The budget by which orders of a script about one state are counted. */
export const STATE_OF = {
  completed: 'completed',
  pending: 'pending',
  partial: 'pending',
  cancelled: 'completed',
  checkout: 'completed',
} as const satisfies Readonly<Record<string, 'pending' | 'completed'>>

export type StateTopic = keyof typeof STATE_OF

/** What a script of orders is about. */
export type UnhideTopic = StateTopic | 'admission'

/**
 * Budgets of accounts that are made for a script: chosen so that being counted in the wrong one shows at once. The windows are so long
 * that an edge seldom falls into a run and none is waited for.
 */
const WINDOW_SECONDS = 600
const WANTED: Readonly<Record<UnhideTopic, { pending: number; completed: number }>> = {
  completed: { pending: 20, completed: 3 },
  pending: { pending: 3, completed: 20 },
  partial: { pending: 3, completed: 20 },
  cancelled: { pending: 20, completed: 3 },
  admission: { pending: 3, completed: 2 },
  checkout: { pending: 20, completed: 3 },
}

/** Orders of the script about admission, by the place of their reference. */
export const ADMISSION_ORDERS = {
  /** Completed; spends its budget before and is read again after: if it is refused then, no edge lay in between. */
  control: 0,
  /** Attempted as often as admission allows while pending: nothing is left when they have completed. */
  spent: [1, 2],
  /** Their pending budget is spent while pending: their completed budget is left when they have completed. */
  open: [3, 4],
} as const

/** Of the completed ones, this is read masked before. */
export const MASKED_ORDER = 0

/** The budget that a script is about; of admission, which counts refused attempts as well, the completed one. */
export function budgetOfTopic(topic: UnhideTopic): 'pending' | 'completed' {
  return topic === 'admission' ? 'completed' : STATE_OF[topic]
}

/** The budgets of a script: its own where the target makes accounts, else those in force. */
export function unhideBudgets(
  { limits, accounts }: BurstContext,
  topic: UnhideTopic,
): UnhideBudgets {
  const own = (state: 'pending' | 'completed'): UnhideBudgets[typeof state] =>
    accounts.make
      ? { count: WANTED[topic][state], windowSeconds: WINDOW_SECONDS }
      : limits[`orders.unhide.${state}`]
  const [pending, completed] = [own('pending'), own('completed')]
  return { pending, completed, admission: admissionOf(pending, completed) }
}
