import { limitOf } from '../../quota/effective-limits.ts'
import type { PlannedPurchase, PlannedStep } from '../../../load/protocol/bursts.ts'
import { oneByOne, type ScriptDraft, type BurstContext } from './burst-plan.ts'

/** Scripts whose client goes away before it is answered, and asks again later. */
export const LOST_SCRIPT = 'lost answers'
export const LOST_CARTS_SCRIPT = 'lost answers to checkouts'

/** Bought as usual first: so long an answer takes. */
const MEASURED = 3
/** When the client goes away, in parts of that time: somewhere between the last byte of the request and the first of the answer. */
const PARTS = [0.15, 0.3, 0.45, 0.6, 0.75, 0.9] as const
/** Time for what was left to be carried out all the same. */
const REST_MS = 1000
/** After the bursts of the other scripts, which make every answer late. */
const LATER_MS = 2000
const RETRY_ROUNDS = 2

/** Purchases, and checkouts of the product `cart`, whose answers are lost; then each is sent twice more, and looked for. None where an account has no room for them. */
export function lostScripts(
  { accounts, limits }: BurstContext,
  atMs: number,
  cart?: number,
): ScriptDraft[] {
  const orders = MEASURED + (2 + RETRY_ROUNDS) * PARTS.length
  const hasRoom =
    orders <= limitOf(limits, 'default', 'createOrder').count &&
    PARTS.length <= limits['orders.filtered'].count
  if (!accounts.fresh || !hasRoom) return []
  const carts = cart === undefined ? [] : [lostScript(LOST_CARTS_SCRIPT, cart, atMs)]
  return [lostScript(LOST_SCRIPT, 0, atMs), ...carts]
}

function lostScript(name: string, product: number, atMs: number): ScriptDraft {
  const left = purchases(product, PARTS.length, MEASURED)
  return {
    name,
    headroomUnits: [null],
    steps: [
      { do: 'warm', count: 1 },
      { do: 'meet', atMs: atMs + LATER_MS },
      ...oneByOne(purchases(product, MEASURED, 0)),
      ...PARTS.map((part, index): PlannedStep => {
        return { do: 'leave', purchase: left[index] as PlannedPurchase, part }
      }),
      { do: 'rest', ms: REST_MS },
      { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
      ...oneByOne(left, 'storm'),
      { do: 'rest', ms: REST_MS },
      {
        do: 'read',
        phase: 'count',
        reads: left.map(({ reference }) => ({ key: 0, reference, kind: 'masked' })),
      },
    ],
  }
}

function purchases(product: number, count: number, first: number): PlannedPurchase[] {
  return Array.from({ length: count }, (_, index) => {
    return { key: 0, reference: first + index, product, units: 1 }
  })
}
