import { ANNOUNCED_MS } from '../../../contract/answers.ts'
import { giftPurchasableOf, quoteSteps } from './gift-purchasable.ts'
import {
  purchasableOf,
  type Purchasable,
  type ScriptDraft,
  type BurstContext,
} from './burst-plan.ts'

const COPIES = 3
const RETRY_ROUNDS = 1

/** Scripts that buy one kind alone; nothing is said of a kind that cannot be bought at all. */
export const KIND_SCRIPTS: ReadonlySet<string> = new Set(['top-ups', 'eSIMs', 'gifts'])

/** Each bought by several copies at once. */
const COPIED_REFERENCES: readonly number[] = [0, 1]

type KindScript = {
  readonly purchasable: Purchasable
  readonly script: (product: number, atMs: number) => ScriptDraft
}

/** Copies of each kind; none where the target sells none, or makes no account for them. */
export function copiedKinds({ target, accounts }: BurstContext): KindScript[] {
  if (!accounts.fresh) return []
  const kinds = [
    { name: 'top-ups', purchasable: purchasableOf(target, 'dtu', { kind: 'dtu' }) },
    { name: 'eSIMs', purchasable: purchasableOf(target, 'esim', { kind: 'esim' }) },
    { name: 'gifts', purchasable: giftPurchasableOf(target) },
  ]
  return kinds.flatMap(({ name, purchasable }) =>
    'lacks' in purchasable
      ? []
      : [
          {
            purchasable,
            script: (product, atMs) => copiesScript({ name, purchasable, product, atMs }),
          },
        ],
  )
}

/** Which purchasable is copied, by its index in the plan too, and when. */
type Copied = {
  readonly name: string
  readonly purchasable: Purchasable
  readonly product: number
  readonly atMs: number
}

/** Copies at once, and again when they are bought: an order that is issued later is claimed at once all the same. */
function copiesScript({ name, purchasable, product, atMs }: Copied): ScriptDraft {
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
      { do: 'rest', ms: ANNOUNCED_MS },
      {
        do: 'read',
        phase: 'count',
        reads: COPIED_REFERENCES.map((reference) => ({ key: 0, reference, kind: 'masked' })),
      },
    ],
  }
}
