import type { WindowLimit } from '../../../contract/limits.ts'
import { admissionOf, type UnhideBudgets } from '../../judge/unhide.ts'
import type { BurstContext } from './burst-plan.ts'

/** What a script of orders is about. */
export type UnhideTopic =
  | 'completed'
  | 'pending'
  | 'partial'
  | 'cancelled'
  | 'admission'
  | 'admission window'
  | 'admission spread'
  | 'checkout'
  | 'cancelled checkout'
  | 'pending checkout'
  | 'other kinds'
  | 'children'
  | 'children first'
  | 'promise'
  | SpreadTopic
  | 'one address'
  | WindowTopic

/** Scripts whose reads are spread over a window, by the state of their order. */
export type SpreadTopic = 'pending spread' | 'completed spread'

/** Scripts that look through whole windows of one order. */
export type WindowTopic = 'completed window' | 'pending window'

/** The budget by which orders of a script about one state are counted. */
export const STATE_OF = {
  completed: 'completed',
  pending: 'pending',
  partial: 'pending',
  cancelled: 'completed',
  checkout: 'completed',
  children: 'completed',
} as const satisfies Partial<Record<UnhideTopic, 'pending' | 'completed'>>

export type StateTopic = keyof typeof STATE_OF

/**
 * Budgets of accounts that are made for a script: chosen so that being counted in the wrong one shows at once, in windows so long that
 * an edge seldom falls into a run and none is waited for.
 */
const WINDOW_SECONDS = 600
const WANTED: Readonly<
  Record<Exclude<UnhideTopic, keyof typeof OTHER_WINDOWS>, { pending: number; completed: number }>
> = {
  completed: { pending: 20, completed: 3 },
  pending: { pending: 3, completed: 20 },
  partial: { pending: 3, completed: 20 },
  cancelled: { pending: 20, completed: 3 },
  admission: { pending: 3, completed: 2 },
  checkout: { pending: 20, completed: 3 },
  'cancelled checkout': { pending: 20, completed: 3 },
  'pending checkout': { pending: 20, completed: 3 },
  children: { pending: 20, completed: 3 },
  'children first': { pending: 20, completed: 3 },
  'other kinds': { pending: 20, completed: 3 },
  'one address': { pending: 20, completed: 3 },
}

const OTHER_WINDOWS = {
  /** Windows differ, and are neither's multiple: that of admission is far shorter than both, or than any other reading. */
  'admission window': {
    pending: { count: 3, windowSeconds: 14 },
    completed: { count: 2, windowSeconds: 10 },
  },
  /** Long beside the time that an order takes. */
  'admission spread': {
    pending: { count: 3, windowSeconds: 8 },
    completed: { count: 2, windowSeconds: 8 },
  },
  /** Short enough to be waited for twice, and long enough that a second is too short a wait. */
  promise: {
    pending: { count: 20, windowSeconds: 4 },
    completed: { count: 2, windowSeconds: 4 },
  },
  /** A half of it is longer than the slack; two other reads beside the first. */
  'pending spread': {
    pending: { count: 3, windowSeconds: 3 },
    completed: { count: 60, windowSeconds: 4 },
  },
  'completed spread': {
    pending: { count: 60, windowSeconds: 4 },
    completed: { count: 3, windowSeconds: 3 },
  },
  /** Short enough to be looked through twice; a quarter of them is more than the slack and the gaps between looks. */
  'completed window': {
    pending: { count: 60, windowSeconds: 4 },
    completed: { count: 1, windowSeconds: 4 },
  },
  'pending window': {
    pending: { count: 1, windowSeconds: 4 },
    completed: { count: 60, windowSeconds: 4 },
  },
} as const satisfies Partial<Record<UnhideTopic, Omit<UnhideBudgets, 'admission'>>>

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
  if (topic === 'pending window' || topic === 'pending spread') return 'pending'
  return topic in STATE_OF ? STATE_OF[topic as StateTopic] : 'completed'
}

/** The budgets of a script: its own where the target makes accounts, else those in force. */
export function unhideBudgets(
  { limits, accounts }: BurstContext,
  topic: UnhideTopic,
): UnhideBudgets {
  const wanted = (state: 'pending' | 'completed'): WindowLimit => {
    if (!accounts.make) return limits[`orders.unhide.${state}`]
    return topic in OTHER_WINDOWS
      ? OTHER_WINDOWS[topic as keyof typeof OTHER_WINDOWS][state]
      : { count: WANTED[topic as keyof typeof WANTED][state], windowSeconds: WINDOW_SECONDS }
  }
  const [pending, completed] = [wanted('pending'), wanted('completed')]
  return { pending, completed, admission: admissionOf(pending, completed) }
}

/** Whether each order of a checkout is read by itself in a script. */
export function isOfChildren(topic: string): boolean {
  return topic === 'children' || topic === 'children first'
}
