import { limitOf } from '../../quota/effective-limits.ts'
import type { PlannedPurchase, PlannedStep } from '../../../load/protocol/bursts.ts'
import type { Target } from '../../target-file/target.ts'
import { buyerKeys } from '../shared/buyer-keys.ts'
import type { Lacks } from '../shared/lacks.ts'
import { cappedKinds, capsOfKinds, kindsScript, KINDS_SCRIPT } from './spend-kinds-script.ts'
import { staticKeys, staticScript } from './spend-static-plan.ts'
import { purchasableOf, MEET, planBursts, range } from './burst-plan.ts'
import type { BurstDraft, ScriptDraft, BurstPlan, BurstContext } from './burst-plan.ts'

/** Purchases released at once on one key. */
const BURST_SIZE_MAX = 20
/** Fewer requests per window leave no room for a burst, its retries and the boundary of the cap. */
const WINDOW_COUNT_MIN = 24
/** Scripts with one capped key each; they take turns between room for one order and room for half of them. */
const SINGLE_SCRIPTS = 6
const KEYS_OF_MANY = 3
/** Orders that are sent twice in the same burst; first of all, while there is room for them. */
const COPIES = 2
/** Orders of the key without a cap, in the burst. */
const COMPANIONS = 2
const RETRY_ROUNDS = 3
const CONTENDED_LOOKS = 3

/** Lays out the scripts, or tells why they cannot be. */
export function draftSpend(context: BurstContext): BurstDraft | Lacks {
  const { target, limits, accounts } = context
  const { count } = limitOf(limits, 'default', 'createOrder')
  if (count < WINDOW_COUNT_MIN)
    return { lacks: `a window of ${count} requests has no room for a burst and its retries` }
  if (!accounts.make) {
    const script = staticScript(target, count)
    return 'lacks' in script ? script : drafted(target, [script])
  }
  const size = Math.min(BURST_SIZE_MAX, Math.floor(count / 3))
  const scripts = [
    ...Array.from({ length: SINGLE_SCRIPTS }, (_, index) => singleScript(index, size)),
    manyKeysScript(SINGLE_SCRIPTS, size),
  ]
  const draft = drafted(target, scripts)
  return 'lacks' in draft ? draft : withKinds(target, draft)
}

/** Other kinds on caps of their own, after the bursts of vouchers. */
function withKinds(target: Target, draft: BurstDraft): BurstDraft {
  const kinds = cappedKinds(target)
  if (kinds.length === 0) return draft
  const { scripts, purchasables } = draft
  const atMs = MEET.firstMs + scripts.length * MEET.everyMs
  return {
    scripts: [...scripts, kindsScript(kinds, purchasables.length, atMs)],
    purchasables: [...purchasables, ...kinds.map(({ purchasable }) => purchasable)],
  }
}

function drafted(target: Target, scripts: readonly ScriptDraft[]): BurstDraft | Lacks {
  const unitsMax =
    Math.max(...scripts.flatMap(({ headroomUnits }) => headroomUnits.map(Number))) + 1
  const purchasable = purchasableOf(target, 'voucher', { unitsMax })
  return 'lacks' in purchasable ? purchasable : { scripts, purchasables: [purchasable] }
}

/** One capped key, and one without a cap that buys at the same time and goes on when the cap is used up. */
function singleScript(index: number, size: number): ScriptDraft {
  const hasRoomForOne = index % 2 === 0
  const units = hasRoomForOne ? 4 : 3
  const headroom = hasRoomForOne ? 2 * units - 1 : units * Math.floor(size / 2) + 2
  const orders = Array.from({ length: size }, (_, reference) => purchase(0, reference, units))
  const copies = hasRoomForOne ? [] : orders.slice(0, COPIES)
  const companions = range(COMPANIONS).map((each) => purchase(1, size + each, 1))
  const next = size + COMPANIONS
  return {
    name: `${hasRoomForOne ? 'room for one' : 'room for half'} ${1 + (index >> 1)}`,
    headroomUnits: [headroom, null],
    steps: [
      ...opening(index, size + copies.length + COMPANIONS),
      { do: 'buy', phase: 'burst', purchases: [...copies, ...orders, ...companions] },
      { do: 'read-contended', contendedMax: CONTENDED_LOOKS },
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      { do: 'cap-boundary', key: 0, reference: next },
      { do: 'buy', phase: 'spare', purchases: [purchase(1, next + 3, 1)] },
    ],
  }
}

/** Several capped keys, whose orders are mixed in one burst. */
function manyKeysScript(index: number, size: number): ScriptDraft {
  const units = 2
  const ordersPerKey = Math.max(3, Math.floor(size / KEYS_OF_MANY))
  const headroom = units * Math.floor(ordersPerKey / 2) + 1
  const orders = range(ordersPerKey * KEYS_OF_MANY).map((reference) =>
    purchase(reference % KEYS_OF_MANY, reference, units),
  )
  return {
    name: 'several keys',
    headroomUnits: range(KEYS_OF_MANY).map(() => headroom),
    steps: [
      ...opening(index, orders.length),
      { do: 'buy', phase: 'burst', purchases: orders },
      { do: 'read-contended', contendedMax: CONTENDED_LOOKS },
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      ...range(KEYS_OF_MANY).map((key): PlannedStep => {
        return { do: 'cap-boundary', key, reference: orders.length + 3 * key }
      }),
    ],
  }
}

function opening(index: number, width: number): PlannedStep[] {
  return [
    { do: 'warm', count: width },
    { do: 'meet', atMs: MEET.firstMs + index * MEET.everyMs },
    { do: 'warm', count: width },
  ]
}

function purchase(key: number, reference: number, units: number): PlannedPurchase {
  return { key, reference, product: 0, units }
}

/** Leases a fresh account for each script, or the keys of the target file for the one that there is. */
export async function planSpend(context: BurstContext, draft: BurstDraft): Promise<BurstPlan> {
  const { target, accounts } = context
  const unit = draft.purchasables[0]?.unit ?? 0n
  const keys = await Promise.all(
    draft.scripts.map(async ({ name, headroomUnits }) => {
      if (!accounts.make) return { keys: staticKeys(target) }
      const caps =
        name === KINDS_SCRIPT
          ? capsOfKinds(cappedKinds(target))
          : headroomUnits.map((units) => (units === null ? undefined : BigInt(units) * unit))
      return { keys: await accounts.make({ keys: buyerKeys(...caps) }) }
    }),
  )
  return planBursts('spend-contention', target, draft, keys)
}
