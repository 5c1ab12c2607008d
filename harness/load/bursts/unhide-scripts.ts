import type { PlannedRead, PlannedStep } from '../../../load/protocol/bursts.ts'
import { admissionOf, type UnhideBudgets } from '../../judge/rules/unhide.ts'
import { slackFor } from '../rate-limits/plan.ts'
import { range, type ScriptDraft, type BurstContext } from './burst-plan.ts'

/** What the orders of a script are while they are read: the budget of this state counts them. */
export type UnhideTopic = 'pending' | 'completed'

/**
 * Budgets of accounts that are made for a script: chosen so that being counted in the wrong one shows at once. The windows are so long
 * that an edge seldom falls into a run and none is waited for.
 */
const WINDOW_SECONDS = 600
const WANTED: Readonly<Record<UnhideTopic, { pending: number; completed: number }>> = {
  completed: { pending: 20, completed: 3 },
  pending: { pending: 3, completed: 20 },
}

/** Orders of a script; each is read by several readers at once, one order after the other. */
const ORDERS = 3
/** Orders are read this long after one another, beyond the slack: then no edge can lie in two of the bursts. */
const APART_MS = 60
const MEET_MS = 250
/** Reads that are released at once. */
const READERS_MAX = 40
const RETRY_ROUNDS = 3

/** Aliases share the budgets of an order. */
const NAMES = {
  completed: ['by-order', 'by-reference', 'by-both'],
  pending: ['by-order', 'by-reference'],
} as const satisfies Record<UnhideTopic, readonly PlannedRead['kind'][]>

/** The budgets of a script: its own where the target makes accounts, else those in force. */
export function unhideBudgets(
  { limits, accounts }: BurstContext,
  topic: UnhideTopic,
): UnhideBudgets {
  const own = (state: UnhideTopic): UnhideBudgets[UnhideTopic] =>
    accounts.make
      ? { count: WANTED[topic][state], windowSeconds: WINDOW_SECONDS }
      : limits[`orders.unhide.${state}`]
  const [pending, completed] = [own('pending'), own('completed')]
  return { pending, completed, admission: admissionOf(pending, completed) }
}

/** Several orders of one state, each read more often than its budget allows, by its names in turns. */
export function stateScript(
  context: BurstContext,
  topic: UnhideTopic,
  product: number,
): ScriptDraft {
  const references = range(ORDERS)
  const budgets = unhideBudgets(context, topic)
  const limit = budgets[topic]
  // One of the names then exceeds a budget that nothing bounds.
  const reads = Math.min(NAMES[topic].length * limit.count + 1, budgets.admission.count + 1)
  const apartMs = 2 * slackFor(context.target.timing, limit.windowSeconds) + APART_MS
  const purchases = references.map((reference) => ({ key: 0, units: 1, reference, product }))
  return {
    name: topic,
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: Math.min(reads, READERS_MAX) },
      { do: 'meet', atMs: MEET_MS },
      { do: 'buy', phase: 'spare', purchases },
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      ...references.flatMap((reference): PlannedStep[] => [
        { do: 'rest', ms: apartMs },
        // What follows the first release is certain to be beyond the budget.
        ...releases(readsOf(topic, reference, reads), limit.count + 1),
      ]),
    ],
  }
}

function releases(reads: readonly PlannedRead[], widthMax: number): PlannedStep[] {
  const width = Math.min(widthMax, READERS_MAX)
  return range(Math.ceil(reads.length / width)).map((index) => ({
    do: 'read',
    phase: 'attempt',
    reads: reads.slice(index * width, (index + 1) * width),
  }))
}

function readsOf(topic: UnhideTopic, reference: number, count: number): PlannedRead[] {
  const names = NAMES[topic]
  return range(count).map((index) => {
    return { key: 0, reference, kind: names[index % names.length] ?? names[0] }
  })
}
