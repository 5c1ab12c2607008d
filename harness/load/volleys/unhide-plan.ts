import type { ProductAbility } from '../../../contract/capabilities.ts'
import type { WindowLimit } from '../../../contract/limits.ts'
import type { PlannedRead, PlannedStep } from '../../../load/protocol/volleys.ts'
import { admissionOf, type UnhideBudgets } from '../../judge/unhide.ts'
import type { Credential } from '../../target/target.ts'
import { slackFor } from '../windows/plan.ts'
import { goodsOf, planVolleys, type Goods, type LaneDraft, type VolleyPlan } from './volley-plan.ts'
import type { VolleyContext } from './volley-plan.ts'

/** What a lane of orders is about. */
export type UnhideTopic =
  | 'completed'
  | 'pending'
  | 'partial'
  | 'cancelled'
  | 'admission'
  | 'admission window'

/** The budget by which orders of a lane about one state are counted. */
export const STATE_OF = {
  completed: 'completed',
  pending: 'pending',
  partial: 'pending',
  cancelled: 'completed',
} as const satisfies Partial<Record<UnhideTopic, 'pending' | 'completed'>>

export type StateTopic = keyof typeof STATE_OF

/**
 * Budgets of accounts that are made for a lane: chosen so that being counted in the wrong one shows at once, in windows so long that
 * an edge seldom falls into a run and none is waited for.
 */
const WINDOW_SECONDS = 600
const WANTED: Readonly<
  Record<Exclude<UnhideTopic, 'admission window'>, { pending: number; completed: number }>
> = {
  completed: { pending: 20, completed: 3 },
  pending: { pending: 3, completed: 20 },
  partial: { pending: 3, completed: 20 },
  cancelled: { pending: 20, completed: 3 },
  admission: { pending: 3, completed: 2 },
}

/** Budgets whose windows differ, and are neither's multiple: that of admission is far shorter than both, or than any other reading. */
const UNEVEN = {
  pending: { count: 3, windowSeconds: 14 },
  completed: { count: 2, windowSeconds: 10 },
} as const
const UNEVEN_ORDERS = [0, 1] as const

/** Orders of the lanes about one state; each is read by several readers at once, one order after the other. */
const ORDERS = 3
/** Orders of the lane about admission, by the place of their reference. */
export const ADMISSION_ORDERS = {
  /** Completed; spends its budget before and is read again after: if it is refused then, no edge lay in between. */
  control: 0,
  /** Attempted as often as admission allows while pending: nothing is left when they have completed. */
  spent: [1, 2],
  /** Their pending budget is spent while pending: their completed budget is left when they have completed. */
  open: [3, 4],
} as const
const ASYNC_ORDERS = [...ADMISSION_ORDERS.spent, ...ADMISSION_ORDERS.open]

/** Of the completed ones, this is read masked before. */
export const MASKED_ORDER = 0

/** Orders are read this long after one another, beyond the slack: then no edge can lie in two of the bursts. */
const APART_MS = 60
const MEET_MS = 250
/** Reads that are released at once. */
const READERS_MAX = 40
const SETTLE_ROUNDS = 3
const POLL_MS_MAX = 2000
const SCOPES = ['product:read', 'orders:write', 'orders:read'] as const

export type UnhideDraft = {
  readonly lanes: readonly LaneDraft[]
  readonly goods: readonly Goods[]
}

/** The budgets of a lane: its own where the target makes accounts, else those in force. */
export function unhideBudgets(
  { limits, accounts }: VolleyContext,
  topic: UnhideTopic,
): UnhideBudgets {
  if (topic === 'admission window') {
    const { pending, completed } = UNEVEN
    return { pending, completed, admission: admissionOf(pending, completed) }
  }
  const wanted = (state: 'pending' | 'completed'): WindowLimit =>
    accounts.make
      ? { count: WANTED[topic][state], windowSeconds: WINDOW_SECONDS }
      : limits[`orders.unhide.${state}`]
  const [pending, completed] = [wanted('pending'), wanted('completed')]
  return { pending, completed, admission: admissionOf(pending, completed) }
}

/** Lays out the lanes that the target's products allow, or tells why there is none. */
export function draftUnhide(context: VolleyContext): UnhideDraft | { readonly lacks: string } {
  const { target } = context
  if (!target.capabilities.includes('unhide')) return { lacks: 'unhide is not declared' }
  if (!context.accounts.fresh && !context.accounts.roles.includes('full'))
    return { lacks: 'there is no credential for the role full' }
  const voucher = goodsOf(target, 'voucher', 1)
  if ('lacks' in voucher) return voucher
  const later = goodsOf(target, 'voucher-async', 1)
  const waitSeconds = target.products['voucher-async']?.completesWithinSeconds
  const lanes = [stateLane(context, 'completed', 0)]
  const goods = [voucher]
  if (!('lacks' in later)) {
    goods.push(later)
    lanes.push(stateLane(context, 'pending', 1))
    const { admission } = unhideBudgets(context, 'admission')
    if (waitSeconds !== undefined && waitSeconds < admission.windowSeconds)
      lanes.push(admissionLane(context, waitSeconds))
    if (waitSeconds !== undefined && context.accounts.make)
      lanes.push(windowLane(context, waitSeconds))
  }
  for (const topic of ['partial', 'cancelled'] as const) {
    const ending = goodsOf(target, `voucher-${topic}`, 1)
    if ('lacks' in ending) continue
    lanes.push(stateLane(context, topic, goods.length))
    goods.push(ending)
  }
  return { lanes, goods }
}

/** Several orders of one state, each read more often than its budget allows, by both of its names. */
function stateLane(context: VolleyContext, topic: StateTopic, product: number): LaneDraft {
  const { target } = context
  const budgets = unhideBudgets(context, topic)
  const limit = budgets[STATE_OF[topic]]
  const reads = Math.min(2 * limit.count + 1, budgets.admission.count + 1)
  const everyMs = 2 * slackFor(target.timing, limit.windowSeconds) + APART_MS
  const ending = target.products[`voucher-${topic}` as ProductAbility]?.completesWithinSeconds
  return {
    name: topic,
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: Math.min(reads, READERS_MAX) },
      { do: 'meet', atMs: MEET_MS },
      buy(range(ORDERS, 0).map((reference) => ({ reference, product }))),
      { do: 'settle', rounds: SETTLE_ROUNDS },
      ...(ending === undefined ? [] : [finish(context, range(ORDERS, 0), ending)]),
      ...(topic === 'completed' ? [maskedReads(limit.count)] : []),
      ...range(ORDERS, 0).flatMap((reference): PlannedStep[] => [
        { do: 'meet', atMs: MEET_MS + (reference + 1) * everyMs },
        // What follows the first release is certain to be beyond the budget.
        ...release('attempt', alternate(reference, reads), limit.count + 1),
      ]),
    ],
  }
}

/** Orders that complete after their attempts: what admission counts shows in what is left. */
function admissionLane(context: VolleyContext, waitSeconds: number): LaneDraft {
  const { pending, completed, admission } = unhideBudgets(context, 'admission')
  const { control, spent, open } = ADMISSION_ORDERS
  const attempts = [
    ...alternate(control, completed.count + 1),
    ...inTurns(spent.map((reference) => alternate(reference, admission.count))),
    ...inTurns(open.map((reference) => alternate(reference, pending.count))),
  ]
  const beyond = [
    ...alternate(control, 1),
    ...inTurns([
      ...spent.map((reference) => alternate(reference, completed.count + 1)),
      // One more than must pass: both budgets and admission are spent by then.
      ...open.map((reference) => alternate(reference, completed.count + 1)),
    ]),
  ]
  return {
    name: 'admission',
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: Math.min(attempts.length, READERS_MAX) },
      { do: 'meet', atMs: MEET_MS },
      buy([
        { reference: control, product: 0 },
        ...ASYNC_ORDERS.map((reference) => ({ reference, product: 1 })),
      ]),
      { do: 'settle', rounds: SETTLE_ROUNDS },
      ...release('attempt', attempts),
      finish(context, ASYNC_ORDERS, waitSeconds),
      ...release('beyond', beyond),
    ],
  }
}

/** All of admission is attempted while orders are pending; when they have completed and its window is over, their own budget is whole. */
function windowLane(context: VolleyContext, waitSeconds: number): LaneDraft {
  const { completed, admission } = unhideBudgets(context, 'admission window')
  const attempts = UNEVEN_ORDERS.map((reference) => alternate(reference, admission.count))
  const beyond = UNEVEN_ORDERS.map((reference) => alternate(reference, completed.count))
  const slackMs = slackFor(context.target.timing, admission.windowSeconds)
  return {
    name: 'admission window',
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: UNEVEN_ORDERS.length * admission.count },
      { do: 'meet', atMs: MEET_MS },
      buy(UNEVEN_ORDERS.map((reference) => ({ reference, product: 1 }))),
      { do: 'settle', rounds: SETTLE_ROUNDS },
      ...release('attempt', inTurns(attempts)),
      finish(context, UNEVEN_ORDERS, waitSeconds),
      { do: 'rest', ms: 1000 * admission.windowSeconds + 2 * slackMs + APART_MS },
      ...release('beyond', inTurns(beyond)),
    ],
  }
}

/** Masked reads until orders are no more pending, within the budget of masked reads; where an edge matters, a refused one is repeated. */
function finish(
  { limits }: VolleyContext,
  orders: readonly number[],
  maxSeconds: number,
): PlannedStep {
  const { count, windowSeconds } = limits['orders.filtered']
  const everyMs = Math.ceil((1.25 * orders.length * 1000 * windowSeconds) / count)
  return {
    do: 'finish',
    reads: orders.map((reference) => ({ key: 0, reference, kind: 'masked' })),
    everyMs: Math.min(POLL_MS_MAX, everyMs),
    maxSeconds,
  }
}

/** Masked reads of the first order alone: they must leave its budget as whole as those of the others. */
function maskedReads(count: number): PlannedStep {
  const read = { key: 0, reference: MASKED_ORDER, kind: 'masked' } as const
  return { do: 'read', phase: 'count', reads: range(count, 0).map(() => read) }
}

function buy(orders: readonly { reference: number; product: number }[]): PlannedStep {
  const purchases = orders.map((order) => ({ key: 0, units: 1, ...order }))
  return { do: 'buy', phase: 'spare', purchases }
}

function release(
  phase: 'attempt' | 'beyond',
  reads: readonly PlannedRead[],
  widthMax = READERS_MAX,
): PlannedStep[] {
  const width = Math.min(widthMax, READERS_MAX)
  return range(Math.ceil(reads.length / width), 0).map((index) => ({
    do: 'read',
    phase,
    reads: reads.slice(index * width, (index + 1) * width),
  }))
}

/** Reads of one order by orderId and by referenceId in turns: aliases share its budgets. */
function alternate(reference: number, count: number): PlannedRead[] {
  return range(count, 0).map((index) => {
    return { key: 0, reference, kind: index % 2 === 0 ? 'by-order' : 'by-reference' }
  })
}

function inTurns(lists: readonly (readonly PlannedRead[])[]): PlannedRead[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return range(longest, 0).flatMap((index) => lists.flatMap((list) => list[index] ?? []))
}

function range(count: number, from: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}

/** Leases a fresh account with budgets of its own for each lane, or the account of the role full. */
export async function planUnhide(
  context: VolleyContext,
  { lanes, goods }: UnhideDraft,
): Promise<VolleyPlan> {
  const keys = await Promise.all(
    lanes.map(async ({ name }) => ({ keys: await leaseKey(context, name as UnhideTopic) })),
  )
  return planVolleys('unhide-budgets', context.target, lanes, keys, goods)
}

async function leaseKey(
  context: VolleyContext,
  topic: UnhideTopic,
): Promise<readonly Credential[]> {
  const { accounts } = context
  if (!accounts.make) {
    const keyring = await accounts.open({ roles: ['full'] })
    return [keyring.key('full')]
  }
  const { pending, completed } = unhideBudgets(context, topic)
  return accounts.make({
    keys: [{ scopes: SCOPES }],
    limits: { 'orders.unhide.pending': pending, 'orders.unhide.completed': completed },
  })
}
