import type { ProductAbility } from '../../../contract/capabilities.ts'
import type { PlannedStep } from '../../../load/protocol/bursts.ts'
import { slackFor } from '../rate-limits/plan.ts'
import { giftPurchasableOf, quoteSteps } from './gift-purchasable.ts'
import {
  APART_MS,
  MEET_MS,
  READERS_MAX,
  RETRY_ROUNDS,
  alternate,
  alternateAll,
  buy,
  finish,
  inTurns,
  range,
  release,
} from './unhide-steps.ts'
import { ADMISSION_ORDERS, MASKED_ORDER, STATE_OF, unhideBudgets } from './unhide-topics.ts'
import type { StateTopic } from './unhide-topics.ts'
import {
  purchasableOf,
  type Purchasable,
  type ScriptDraft,
  type BurstContext,
} from './burst-plan.ts'

/** Orders of the scripts about one state; each is read by several readers at once, one order after the other. */
const ORDERS = 3
/** Of the script about the window of admission. */
const UNEVEN_ORDERS = [0, 1] as const
const ASYNC_ORDERS = [...ADMISSION_ORDERS.spent, ...ADMISSION_ORDERS.open]

/** Several orders of one state, each read more often than its budget allows, by both of its names. */
export function stateScript(
  context: BurstContext,
  topic: StateTopic,
  product: number,
): ScriptDraft {
  return scriptOf(context, topic, Array<number>(ORDERS).fill(product), alternate)
}

/**
 * The same of orders that are complete when they are bought: vouchers, and one top-up where `topUp` is its place among the purchasables. All
 * but the one that is read masked before are read by both names together as well.
 */
export function completedScript(context: BurstContext, topUp: number | undefined): ScriptDraft {
  const products = [...Array<number>(ORDERS).fill(0), ...(topUp === undefined ? [] : [topUp])]
  return scriptOf(context, 'completed', products, (reference, count) =>
    reference === MASKED_ORDER || reference === ORDERS
      ? alternate(reference, count)
      : alternateAll(reference, count),
  )
}

/** What completes after a while and is no voucher: each is read by its names, when it has. */
export function kindsScript(
  context: BurstContext,
  purchasables: readonly Purchasable[],
  firstProduct: number,
): ScriptDraft {
  const { completed } = unhideBudgets(context, 'other kinds')
  const orders = purchasables.map((_, index) => ({
    reference: index,
    product: firstProduct + index,
  }))
  const references = orders.map(({ reference }) => reference)
  const waits = purchasables.map(({ ability }) => completesWithin(context, ability) ?? 0)
  const purchases = orders.map((order) => ({ key: 0, units: 1, ...order }))
  return {
    name: 'other kinds',
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: 2 * completed.count + 1 },
      ...quoteSteps(purchasables, firstProduct, purchases),
      { do: 'meet', atMs: MEET_MS },
      buy(orders),
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      finish(context, references, Math.max(...waits)),
      ...references.flatMap((reference) =>
        release('attempt', alternate(reference, 2 * completed.count + 1), completed.count + 1),
      ),
    ],
  }
}

/** Kinds for that script, as far as the target says when they are complete. */
export function unhiddenKinds(context: BurstContext): readonly Purchasable[] {
  const { target } = context
  return [purchasableOf(target, 'esim', 1, 'esim'), giftPurchasableOf(target)].flatMap(
    (purchasable) =>
      'lacks' in purchasable || completesWithin(context, purchasable.ability) === undefined
        ? []
        : [purchasable],
  )
}

function completesWithin({ target }: BurstContext, ability: ProductAbility): number | undefined {
  return target.products[ability]?.completesWithinSeconds
}

function scriptOf(
  context: BurstContext,
  topic: StateTopic,
  products: readonly number[],
  readsOf: typeof alternate,
): ScriptDraft {
  const references = range(products.length, 0)
  const { target } = context
  const budgets = unhideBudgets(context, topic)
  const limit = budgets[STATE_OF[topic]]
  const reads = Math.min(2 * limit.count + 1, budgets.admission.count + 1)
  const apartMs = 2 * slackFor(target.timing, limit.windowSeconds) + APART_MS
  const ending = target.products[`voucher-${topic}` as ProductAbility]?.completesWithinSeconds
  return {
    name: topic,
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: Math.min(reads, READERS_MAX) },
      { do: 'meet', atMs: MEET_MS },
      buy(products.map((product, reference) => ({ reference, product }))),
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      ...(ending === undefined ? [] : [finish(context, references, ending)]),
      ...(topic === 'completed' ? [maskedReads(limit.count)] : []),
      ...references.flatMap((reference): PlannedStep[] => [
        { do: 'rest', ms: apartMs },
        // What follows the first release is certain to be beyond the budget.
        ...release('attempt', readsOf(reference, reads), limit.count + 1),
      ]),
    ],
  }
}

/** Orders that complete after their attempts: what admission counts shows in what is left. */
export function admissionScript(context: BurstContext, waitSeconds: number): ScriptDraft {
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
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      ...release('attempt', attempts),
      finish(context, ASYNC_ORDERS, waitSeconds),
      ...release('beyond', beyond),
    ],
  }
}

/** All of admission is attempted while orders are pending; when they have completed and its window is over, their own budget is whole. */
export function windowScript(context: BurstContext, waitSeconds: number): ScriptDraft {
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
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      ...release('attempt', inTurns(attempts)),
      finish(context, UNEVEN_ORDERS, waitSeconds),
      { do: 'rest', ms: 1000 * admission.windowSeconds + 2 * slackMs + APART_MS },
      ...release('beyond', inTurns(beyond)),
    ],
  }
}

/** An edge that meets the first two has passed before the others are bought. */
const SPREAD_ORDERS = [
  [0, 1],
  [2, 3],
] as const
/** Between the first attempt and the others: longer than that between two looks. */
const SPREAD_PAUSE_MS = 500
const LOOK_EVERY_MS = 250

/**
 * All of admission is attempted while orders are pending, one attempt sooner than the others; when they have completed they are looked
 * at until reads pass: of a fixed window all of the completed budget comes back at once, of one that slides the one attempt.
 */
export function admissionSpreadScript(context: BurstContext, waitSeconds: number): ScriptDraft[] {
  const { admission } = unhideBudgets(context, 'admission spread')
  const { windowSeconds } = admission
  if (!context.accounts.make || waitSeconds >= windowSeconds) return []
  const spent = (orders: readonly number[]): PlannedStep[] => [
    buy(orders.map((reference) => ({ reference, product: 1 }))),
    { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
    ...attemptsOf(orders, 1),
    { do: 'rest', ms: SPREAD_PAUSE_MS },
    ...attemptsOf(orders, admission.count - 1),
    finish(context, orders, waitSeconds),
  ]
  return [
    {
      name: 'admission spread',
      headroomUnits: [null],
      steps: [
        { do: 'warm', count: 2 * (admission.count - 1) },
        { do: 'meet', atMs: MEET_MS },
        ...SPREAD_ORDERS.flatMap(spent),
        {
          do: 'watch',
          reads: SPREAD_ORDERS.flat().flatMap((reference) => alternate(reference, 1)),
          everyMs: LOOK_EVERY_MS,
          forMs: 1000 * windowSeconds,
        },
      ],
    },
  ]
}

function attemptsOf(orders: readonly number[], count: number): PlannedStep[] {
  return release('attempt', inTurns(orders.map((reference) => alternate(reference, count))))
}

/** Masked reads of the first order alone: they must leave its budget as whole as those of the others. */
function maskedReads(count: number): PlannedStep {
  const read = { key: 0, reference: MASKED_ORDER, kind: 'masked' } as const
  return { do: 'read', phase: 'count', reads: range(count, 0).map(() => read) }
}
