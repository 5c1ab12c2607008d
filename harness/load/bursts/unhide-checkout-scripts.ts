import type { CartLine } from '../../client/bodies.ts'
import type { PlannedRead, PlannedStep } from '../../../load/protocol/bursts.ts'
import type { Target } from '../../target-file/target.ts'
import { slackFor } from '../rate-limits/plan.ts'
import { cartPurchasableOf } from './cart-purchasable.ts'
import {
  APART_MS,
  MEET_MS,
  READERS_MAX,
  RETRY_ROUNDS,
  buy,
  finish,
  inTurns,
  range,
  release,
} from './unhide-steps.ts'
import { unhideBudgets } from './unhide-topics.ts'
import type { Purchasable, ScriptDraft, BurstContext } from './burst-plan.ts'

type CheckoutScript = { readonly script: ScriptDraft; readonly cart: Purchasable }

/** Of each script; read by several readers at once, one after the other. */
const CHECKOUTS = 3

/** The completed order stands neither first nor last, so that neither place can decide. */
const AROUND = ['voucher-partial', 'voucher-async'] as const
/** What is cancelled has completed as well. */
const CANCELLED_AMONG: readonly CartLine[] = [
  { product: 'voucher-partial' },
  { product: 'voucher-cancelled' },
  { product: 'voucher-partial' },
]
type MixedTopic = 'checkout' | 'cancelled checkout'
type CheckoutTopic = MixedTopic | 'pending checkout' | 'children' | 'children first'

const PENDING: readonly CartLine[] = [{ product: 'voucher-async' }, { product: 'voucher-async' }]

/** Orders of one checkout that are read each by itself. */
const CHILDREN: readonly CartLine[] = [{ product: 'voucher' }, { product: 'voucher', quantity: 2 }]

/** Checkouts of which one order has completed or was cancelled, and children of checkouts whose own budget is spent; none where there are no carts. */
export function checkoutScripts(context: BurstContext, firstProduct: number): CheckoutScript[] {
  const { target } = context
  const children = cartPurchasableOf(target, CHILDREN)
  if ('lacks' in children) return []
  const mixed = AROUND.map((product) =>
    cartPurchasableOf(target, [{ product }, { product: 'voucher' }, { product }]),
  ).find((cart) => !('lacks' in cart))
  const cancelled = cartPurchasableOf(target, CANCELLED_AMONG)
  const scripts = [
    { script: childrenScript(context, firstProduct), cart: children },
    { script: childrenFirstScript(context, firstProduct + 1), cart: children },
  ]
  for (const [topic, cart] of [
    ['checkout', mixed],
    ['cancelled checkout', cancelled],
  ] as const) {
    if (cart === undefined || 'lacks' in cart) continue
    scripts.push({ script: mixedScript(context, topic, firstProduct + scripts.length, cart), cart })
  }
  const pending = cartPurchasableOf(target, PENDING)
  if (!('lacks' in pending))
    scripts.push({ script: pendingScript(context, firstProduct + scripts.length), cart: pending })
  return scripts
}

/** Read by their reference more often than the completed budget allows. */
function mixedScript(
  context: BurstContext,
  topic: MixedTopic,
  product: number,
  cart: Purchasable,
): ScriptDraft {
  const budgets = unhideBudgets(context, topic)
  const { count } = budgets.completed
  const reads = Math.min(2 * count + 1, budgets.admission.count + 1)
  return scriptOf(topic, product, reads, [
    ...endOf(context, waitSecondsOf(context.target, cart)),
    ...atTurns(context, topic, (reference) =>
      // What follows the first release is certain to be beyond the budget.
      release('attempt', byReference(reference, reads), count + 1),
    ),
  ])
}

/** Each child is read beyond a budget of its own while that of the whole checkout is spent: it is refused before and after. */
function childrenScript(context: BurstContext, product: number): ScriptDraft {
  const { count } = unhideBudgets(context, 'children').completed
  return scriptOf('children', product, CHILDREN.length * (count + 1), [
    ...endOf(context, context.target.products.voucher?.completesWithinSeconds),
    ...atTurns(context, 'children', (reference) => [
      ...release('attempt', byReference(reference, count + 1)),
      ...release('beyond', childReads(reference, count + 1)),
      ...release('beyond', byReference(reference, 1)),
    ]),
  ])
}

/** The same the other way round: children are read beyond their budgets, and that of the whole checkout is whole then. */
function childrenFirstScript(context: BurstContext, product: number): ScriptDraft {
  const { count } = unhideBudgets(context, 'children first').completed
  return scriptOf('children first', product, CHILDREN.length * (count + 1), [
    ...endOf(context, context.target.products.voucher?.completesWithinSeconds),
    ...atTurns(context, 'children first', (reference) => [
      ...release('attempt', childReads(reference, count + 1)),
      ...release('beyond', byReference(reference, count)),
    ]),
  ])
}

function childReads(reference: number, count: number): PlannedRead[] {
  return inTurns(
    CHILDREN.map((_, child) =>
      range(count, 0).map((): PlannedRead => ({ key: 0, reference, kind: 'child', child })),
    ),
  )
}

/** Checkouts of which every order is pending: read more often than the completed budget would allow. */
function pendingScript(context: BurstContext, product: number): ScriptDraft {
  const { pending, completed } = unhideBudgets(context, 'pending checkout')
  const reads = Math.min(pending.count, 2 * completed.count)
  return scriptOf(
    'pending checkout',
    product,
    reads,
    range(CHECKOUTS, 0).flatMap((reference) => release('attempt', byReference(reference, reads))),
  )
}

function scriptOf(
  name: CheckoutTopic,
  product: number,
  widest: number,
  steps: readonly PlannedStep[],
): ScriptDraft {
  return {
    name,
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: Math.min(widest, READERS_MAX) },
      { do: 'meet', atMs: MEET_MS },
      buy(range(CHECKOUTS, 0).map((reference) => ({ reference, product }))),
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      ...steps,
    ],
  }
}

/** One checkout after the other, so far apart that no edge can lie in the reads of two. */
function atTurns(
  context: BurstContext,
  topic: CheckoutTopic,
  stepsOf: (reference: number) => readonly PlannedStep[],
): PlannedStep[] {
  const { windowSeconds } = unhideBudgets(context, topic).completed
  const apartMs = 2 * slackFor(context.target.timing, windowSeconds) + APART_MS
  return range(CHECKOUTS, 0).flatMap((reference): PlannedStep[] => [
    { do: 'rest', ms: apartMs },
    ...stepsOf(reference),
  ])
}

function endOf(
  context: BurstContext,
  maxSeconds: number | undefined,
  references: readonly number[] = range(CHECKOUTS, 0),
): PlannedStep[] {
  return maxSeconds === undefined ? [] : [finish(context, references, maxSeconds)]
}

/** Until no order is pending; where pending ones are what makes a checkout mixed, it is read at once. */
function waitSecondsOf({ products }: Target, { lines = [] }: Purchasable): number | undefined {
  if (lines.some(({ product }) => product === 'voucher-async')) return undefined
  const seconds = lines.flatMap(({ product }) => products[product]?.completesWithinSeconds ?? [])
  return seconds.length === 0 ? undefined : Math.max(...seconds)
}

function byReference(reference: number, count: number): PlannedRead[] {
  return range(count, 0).map(() => ({ key: 0, reference, kind: 'by-reference' }))
}
