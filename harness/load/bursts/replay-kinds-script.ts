import { limitOf } from '../../quota/effective-limits.ts'
import type { PlannedPurchase } from '../../../load/protocol/bursts.ts'
import type { Order } from './spend-orders.ts'
import { giftPurchasableOf, quoteSteps } from './gift-purchasable.ts'
import {
  purchasableOf,
  type Purchasable,
  type ScriptDraft,
  type BurstContext,
} from './burst-plan.ts'
import { isNamed } from './burst-proof.ts'

/** The script in which references of vouchers are used again for top-ups. */
export const OTHER_KIND_SCRIPT = 'another kind'
/** Bought as vouchers first. */
export const OTHER_KIND_REFERENCES: readonly number[] = [0, 1]
/** Bought as a top-up from the start, by copies and replays: that it can be bought at all. */
const TOP_UP_REFERENCE = 2

const COPIES = 3
const RETRY_ROUNDS = 1
/** Of an account, with one more round of each. */
const ORDERS = 2 * ((1 + COPIES) * OTHER_KIND_REFERENCES.length + 2 * COPIES)
const READS = OTHER_KIND_REFERENCES.length + 1

/** Top-ups; undefined where the target sells none, or its account has no room beside what other scripts send. */
export function otherKindGoods(
  { target, limits, accounts }: BurstContext,
  ofOthers: { readonly orders: number; readonly reads: number },
): Purchasable | undefined {
  const hasRoom =
    accounts.fresh ||
    (ofOthers.orders + ORDERS <= limitOf(limits, 'default', 'createOrder').count &&
      ofOthers.reads + READS <= limits['orders.filtered'].count)
  if (!hasRoom) return undefined
  const purchasable = purchasableOf(target, 'dtu', 1, 'dtu')
  return 'lacks' in purchasable ? undefined : purchasable
}

/** Vouchers and copies of a top-up, then top-ups under all of their references, several of each at once. */
export function otherKindScript(product: number, atMs: number): ScriptDraft {
  const topUp = (reference: number): PlannedPurchase => ({ key: 0, reference, product, units: 1 })
  const vouchers = OTHER_KIND_REFERENCES.map((reference) => ({ ...topUp(reference), product: 0 }))
  const references = [...OTHER_KIND_REFERENCES, TOP_UP_REFERENCE]
  const copies = Array.from({ length: COPIES }, () => topUp(TOP_UP_REFERENCE))
  const again = Array.from({ length: COPIES }, () => references.map(topUp)).flat()
  return {
    name: OTHER_KIND_SCRIPT,
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: again.length },
      { do: 'meet', atMs },
      { do: 'buy', phase: 'burst', purchases: [...vouchers, ...copies] },
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      { do: 'buy', phase: 'storm', purchases: again },
      {
        do: 'read',
        phase: 'count',
        reads: references.map((reference) => ({ key: 0, reference, kind: 'masked' })),
      },
    ],
  }
}

/** Scripts that buy one kind alone; nothing is said of a kind that cannot be bought at all. */
export const KIND_SCRIPTS: ReadonlySet<string> = new Set(['eSIMs', 'gifts'])

/** Each bought by several copies at once. */
const COPIED_REFERENCES: readonly number[] = [0, 1]

type KindScript = {
  readonly purchasable: Purchasable
  readonly script: (product: number, atMs: number) => ScriptDraft
}

/** Copies of eSIMs and of gifts; none where the target sells none, or makes no account for them. */
export function copiedKinds({ target, accounts }: BurstContext): KindScript[] {
  if (!accounts.fresh) return []
  const kinds = [
    { name: 'eSIMs', purchasable: purchasableOf(target, 'esim', 1, 'esim') },
    { name: 'gifts', purchasable: giftPurchasableOf(target) },
  ]
  return kinds.flatMap(({ name, purchasable }) =>
    'lacks' in purchasable
      ? []
      : [
          {
            purchasable,
            script: (product, atMs) => copiesScript(name, purchasable, product, atMs),
          },
        ],
  )
}

/** Copies at once, and again when they are bought: an order that is issued later is claimed at once all the same. */
function copiesScript(
  name: string,
  purchasable: Purchasable,
  product: number,
  atMs: number,
): ScriptDraft {
  const copies = Array.from({ length: COPIES }, () =>
    COPIED_REFERENCES.map((reference) => ({ key: 0, reference, product, units: 1 })),
  ).flat()
  return {
    name,
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: copies.length },
      ...quoteSteps([purchasable], product, copies),
      { do: 'meet', atMs },
      { do: 'buy', phase: 'burst', purchases: copies },
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      { do: 'buy', phase: 'storm', purchases: copies },
      {
        do: 'read',
        phase: 'count',
        reads: COPIED_REFERENCES.map((reference) => ({ key: 0, reference, kind: 'masked' })),
      },
    ],
  }
}

/** The same body under a reference of its own was sold. */
export function canBuyOtherKind(orders: readonly Order[]): boolean {
  return orders.some(
    ({ reference, attempts }) => reference === TOP_UP_REFERENCE && attempts.some(isNamed),
  )
}
