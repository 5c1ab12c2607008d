import type { ProductAbility } from '../../../contract/capabilities.ts'
import type { PlannedRead, PlannedStep } from '../../../load/protocol/bursts.ts'
import type { Target } from '../../target-file/target.ts'
import { slackFor } from '../rate-limits/plan.ts'
import { cartPurchasableOf } from './cart-purchasable.ts'
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
  readsOf,
  release,
} from './unhide-steps.ts'
import { ADMISSION_ORDERS, MASKED_ORDER, STATE_OF, unhideBudgets } from './unhide-topics.ts'
import type { StateTopic } from './unhide-topics.ts'
import type { Purchasable, ScriptDraft, BurstContext } from './burst-plan.ts'

/** Orders of the scripts about one state; each is read by several readers at once, one order after the other. */
const ORDERS = 3
const ASYNC_ORDERS = [...ADMISSION_ORDERS.spent, ...ADMISSION_ORDERS.open]

/** Several orders of one state, each read more often than its budget allows, by its names in turns. */
export function stateScript(
  context: BurstContext,
  topic: Exclude<StateTopic, 'checkout'>,
  product: number,
): ScriptDraft {
  const ending = context.target.products[`voucher-${topic}` as ProductAbility]
  return scriptOf(context, topic, product, {
    waitSeconds: ending?.completesWithinSeconds,
    readsOf: (reference, count) =>
      // All but the one that is read masked before are read by both names together as well.
      topic === 'completed' && reference !== MASKED_ORDER
        ? alternateAll(reference, count)
        : alternate(reference, count),
  })
}

/** The completed order stands neither first nor last, so that neither place can decide. */
const AROUND = ['voucher-partial', 'voucher-async'] as const

/** A checkout with one completed order and others that are not; undefined where the target sells none. */
export function mixedCart(target: Target): Purchasable | undefined {
  const carts = AROUND.map((product) =>
    cartPurchasableOf(target, [{ product }, { product: 'voucher' }, { product }]),
  )
  return carts.flatMap((cart) => ('lacks' in cart ? [] : [cart]))[0]
}

/** Such checkouts, read by their reference more often than the completed budget allows. */
export function checkoutScript(
  context: BurstContext,
  cart: Purchasable,
  product: number,
): ScriptDraft {
  return scriptOf(context, 'checkout', product, {
    waitSeconds: waitSecondsOf(context.target, cart),
    readsOf: (reference, count) => readsOf(['by-reference'], reference, count),
  })
}

/** Until no order is pending; where pending ones are what makes a checkout mixed, it is read at once. */
function waitSecondsOf({ products }: Target, { lines = [] }: Purchasable): number | undefined {
  if (lines.some(({ product }) => product === 'voucher-async')) return undefined
  const seconds = lines.flatMap(({ product }) => products[product]?.completesWithinSeconds ?? [])
  return seconds.length === 0 ? undefined : Math.max(...seconds)
}

function scriptOf(
  context: BurstContext,
  topic: StateTopic,
  product: number,
  how: {
    readonly waitSeconds: number | undefined
    readonly readsOf: (reference: number, count: number) => readonly PlannedRead[]
  },
): ScriptDraft {
  const references = range(ORDERS, 0)
  const budgets = unhideBudgets(context, topic)
  const limit = budgets[STATE_OF[topic]]
  const reads = Math.min(2 * limit.count + 1, budgets.admission.count + 1)
  const apartMs = 2 * slackFor(context.target.timing, limit.windowSeconds) + APART_MS
  return {
    name: topic,
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: Math.min(reads, READERS_MAX) },
      { do: 'meet', atMs: MEET_MS },
      buy(references.map((reference) => ({ reference, product }))),
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      ...(how.waitSeconds === undefined ? [] : [finish(context, references, how.waitSeconds)]),
      ...(topic === 'completed' ? [maskedReads(limit.count)] : []),
      ...references.flatMap((reference): PlannedStep[] => [
        { do: 'rest', ms: apartMs },
        // What follows the first release is certain to be beyond the budget.
        ...release('attempt', how.readsOf(reference, reads), limit.count + 1),
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

/** Masked reads of the first order alone: they must leave its budget as whole as those of the others. */
function maskedReads(count: number): PlannedStep {
  return { do: 'read', phase: 'count', reads: readsOf(['masked'], MASKED_ORDER, count) }
}
