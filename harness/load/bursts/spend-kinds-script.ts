import type { PlannedPurchase, PlannedStep } from '../../../load/protocol/bursts.ts'
import { inHundredths, type Micros } from '../../money.ts'
import type { OrderKind, Target } from '../../target-file/target.ts'
import { cartPurchasableOf } from './cart-purchasable.ts'
import { giftPurchasableOf, quoteSteps } from './gift-purchasable.ts'
import { purchasableOf, oneByOne, type Purchasable, type ScriptDraft } from './burst-plan.ts'

/** The script in which other kinds of orders are held to caps. */
export const KINDS_SCRIPT = 'other kinds'

/** The requirement of each kind that the cap holds for it. */
const CAPPED_KINDS = [
  { kind: 'dtu', requirement: 'CAP-18' },
  { kind: 'esim', requirement: 'CAP-19' },
  { kind: 'platform-gift', requirement: 'CAP-20' },
] as const satisfies readonly { kind: OrderKind; requirement: string }[]

/** Released at once on each key, whose cap has room for two of them and a half. */
const PURCHASES = 5
const HALVES_OF_CAP = 5n
const RETRY_ROUNDS = 3
/** Of each kind on the key that buys all of them, whose cap has room for the dearest alone. */
const PURCHASES_OF_ALL = 2
/** Units of a top-up: then what two of them leave has room for a voucher that costs as much as one unit. */
const TOP_UP_UNITS = 2
/** References of purchases on the key of all kinds begin here, and those of vouchers that fit into what is left. */
const FIRST_OF_ALL = 500
export const FIRST_PROBE = 900

/** A kind with its cap: what one purchase of it costs, by the target file, and how many units that is. */
export type CappedKind = {
  readonly name: string
  readonly requirement: 'CAP-18' | 'CAP-19' | 'CAP-20' | 'CAP-21'
  readonly purchasable: Purchasable
  readonly units: number
  readonly price: Micros
  /** What is left of its cap has room for a voucher. */
  readonly isProbed: boolean
}

/** What is bought in the script, a key each. */
export function cappedKinds(target: Target): CappedKind[] {
  const voucher = purchasableOf(target, 'voucher')
  if ('lacks' in voucher) return []
  const kinds = CAPPED_KINDS.map(({ kind, requirement }) => {
    const units = kind === 'dtu' ? TOP_UP_UNITS : 1
    const purchasable =
      kind === 'platform-gift'
        ? giftPurchasableOf(target)
        : purchasableOf(target, kind, { kind, unitsMax: units })
    return { name: kind, requirement, purchasable, units }
  })
  const cart = cartPurchasableOf(target, [{ product: 'voucher' }, { product: 'voucher' }])
  const all = [
    ...kinds,
    { name: 'checkout', requirement: 'CAP-21' as const, purchasable: cart, units: 1 },
  ]
  return all.flatMap(({ purchasable, units, ...each }) => {
    if ('lacks' in purchasable || purchasable.currency !== voucher.currency) return []
    const price = BigInt(units) * purchasable.unit
    return [{ ...each, purchasable, units, price, isProbed: price >= 2n * voucher.unit }]
  })
}

/** Every key buys its kind, all at once, then a voucher; the last key buys all kinds. `firstProduct` is the place of the first kind. */
export function kindsScript(
  kinds: readonly CappedKind[],
  firstProduct: number,
  atMs: number,
): ScriptDraft {
  const purchase = (index: number, key: number, reference: number): PlannedPurchase => {
    return { key, reference, product: firstProduct + index, units: kinds[index]?.units ?? 1 }
  }
  const purchases = Array.from({ length: PURCHASES * kinds.length }, (_, reference) =>
    purchase(reference % kinds.length, reference % kinds.length, reference),
  )
  const ofAll =
    kinds.length < 2
      ? []
      : Array.from({ length: PURCHASES_OF_ALL * kinds.length }, (_, index) =>
          purchase(index % kinds.length, kinds.length, FIRST_OF_ALL + index),
        )
  const probes = kinds.flatMap(({ isProbed }, key) =>
    isProbed ? [{ key, reference: FIRST_PROBE + key, product: 0, units: 1 }] : [],
  )
  const settle: PlannedStep = { do: 'retry-until-decided', rounds: RETRY_ROUNDS }
  const purchasables = kinds.map((each) => each.purchasable)
  return {
    name: KINDS_SCRIPT,
    headroomUnits: [...kinds, ...(ofAll.length > 0 ? [ofAll] : [])].map(() => null),
    steps: [
      { do: 'warm', count: purchases.length },
      ...quoteSteps(purchasables, firstProduct, [...purchases, ...ofAll]),
      { do: 'meet', atMs },
      { do: 'buy', phase: 'burst', purchases },
      settle,
      ...oneByOne(probes),
      ...(ofAll.length > 0
        ? [{ do: 'buy', phase: 'burst', purchases: ofAll } as const, settle]
        : []),
    ],
  }
}

/** Two and a half times what a purchase costs. */
export function capOf(price: Micros): Micros {
  return inHundredths((HALVES_OF_CAP * price) / 2n)
}

/** Of the key that buys all kinds. */
export function capOfAll(kinds: readonly CappedKind[]): Micros {
  return inHundredths(kinds.reduce((most, { price }) => (price > most ? price : most), 0n))
}

/** Of the keys of the script: one for each kind, and one for all. */
export function capsOfKinds(kinds: readonly CappedKind[]): Micros[] {
  const caps = kinds.map(({ price }) => capOf(price))
  return kinds.length > 1 ? [...caps, capOfAll(kinds)] : caps
}
