import type { PlannedCall, PlannedPurchase, PlannedStep } from '../../../load/protocol/bursts.ts'
import { BUYER_SCOPES } from '../shared/buyer-scopes.ts'
import type { Scope } from '../../../contract/wire.ts'
import type { Credential } from '../../target-file/target.ts'
import { cartPurchasableOf } from './cart-purchasable.ts'
import { endpointCalls, LISTING_CALL, listingCall } from './endpoint-calls.ts'
import {
  purchasableOf,
  oneByOne,
  type Purchasable,
  type ScriptDraft,
  type BurstContext,
} from './burst-plan.ts'

/** Scripts that spend the window of each endpoint, one after the other, on accounts of their own. */
export const ENDPOINT_SCRIPTS = [
  'endpoints of one account',
  'endpoints of another account',
] as const

/** So long that none ends meanwhile, and small. */
export const ENDPOINT_LIMIT = { count: 4, windowSeconds: 600 } as const
const LISTING_LIMIT = { count: 1, windowSeconds: 600 } as const
const CHECK_LIMIT = { count: 1, windowSeconds: 600 } as const
/** One key oversteps, another one asks, and the first once more: what is refused in between tells who shares the window. */
export const OWN_SENT = ENDPOINT_LIMIT.count + 2
const KEYS_IN_ORDER: readonly number[] = [...Array.from({ length: OWN_SENT }, () => 0), 1, 1, 0]
export const SENT_OF_EACH = KEYS_IN_ORDER.length
const KEYS = 2
/** The second script begins when the first has most probably ended: what counts for both accounts is spent then. */
const SCRIPT_EVERY_MS = 2500

/** What the scripts buy and check beside plain calls. */
export type EndpointGoods = { readonly check?: Purchasable; readonly cart?: Purchasable }

export function endpointPurchasables({ target }: Pick<BurstContext, 'target'>): EndpointGoods {
  const check = purchasableOf(target, 'dtu', 1, 'dtu-check')
  const cart = cartPurchasableOf(target, [{ product: 'voucher' }, { product: 'voucher' }])
  return { ...('lacks' in check ? {} : { check }), ...('lacks' in cart ? {} : { cart }) }
}

/** What each part of a script is about, in the order of its first request; the references of purchases begin at `firstReference`. */
export type EndpointPart =
  | { readonly name: string; readonly call: number }
  | { readonly name: string; readonly firstReference: number }

export function endpointParts(context: Pick<BurstContext, 'target'>): EndpointPart[] {
  const { cart } = endpointPurchasables(context)
  const firstCall = listingCall(context.target) ? 1 : 0
  return [
    { name: 'POST /orders', firstReference: 0 },
    ...(cart ? [{ name: 'POST /carts', firstReference: SENT_OF_EACH }] : []),
    ...endpointCalls(context.target).map(({ operation }, index) => {
      return { name: operation, call: firstCall + index }
    }),
  ]
}

/** Both scripts; none where accounts are not made to order. Products: vouchers at 0, the others from `firstProduct` on. */
export function endpointScripts(
  { target, accounts }: BurstContext,
  firstProduct: number,
  atMs: number,
): {
  readonly scripts: readonly ScriptDraft[]
  readonly purchasables: readonly Purchasable[]
  readonly calls: readonly PlannedCall[]
} {
  const none = { scripts: [], purchasables: [], calls: [] }
  if (!accounts.make) return none
  const { check, cart } = endpointPurchasables({ target })
  const purchasables = [...(cart ? [cart] : []), ...(check ? [check] : [])]
  const listing = listingCall(target)
  const listings = listing ? [listing] : []
  const calls = endpointCalls(target).map(({ call }) => call)
  const steps: PlannedStep[] = [
    // A spent listing refuses no purchase, and spent checks refuse no validation.
    ...(listing ? [{ do: 'call', call: LISTING_CALL, keys: [0, 1] } as const] : []),
    ...purchases(0, 0),
    ...(cart ? purchases(firstProduct, SENT_OF_EACH) : []),
    ...(check ? [checks(firstProduct + purchasables.indexOf(check))] : []),
    ...calls.map((_, index): PlannedStep => {
      return { do: 'call', call: listings.length + index, keys: KEYS_IN_ORDER }
    }),
  ]
  const scripts = ENDPOINT_SCRIPTS.map((name, index): ScriptDraft => {
    const meet: PlannedStep = { do: 'meet', atMs: atMs + index * SCRIPT_EVERY_MS }
    return {
      name,
      headroomUnits: Array.from({ length: KEYS }, () => null),
      steps: [meet, ...steps],
    }
  })
  return { scripts, purchasables, calls: [...listings, ...calls] }
}

function purchases(product: number, firstReference: number): PlannedStep[] {
  return oneByOne(
    KEYS_IN_ORDER.map((key, index): PlannedPurchase => {
      return { key, reference: firstReference + index, product, units: 1 }
    }),
  )
}

function checks(product: number): PlannedStep {
  const count = CHECK_LIMIT.count + 1
  return {
    do: 'send-non-purchase',
    kind: 'check',
    key: 0,
    product,
    reference: 2 * SENT_OF_EACH,
    count,
  }
}

/** Two keys of an account whose windows are small. */
export async function leaseEndpoints({
  accounts,
  target,
}: Pick<BurstContext, 'accounts' | 'target'>): Promise<readonly Credential[]> {
  const scopes: Scope[] = [...BUYER_SCOPES]
  if (target.capabilities.includes('funds')) scopes.push('funds:read')
  const limits = {
    default: ENDPOINT_LIMIT,
    'orders.list': LISTING_LIMIT,
    'orders.check': CHECK_LIMIT,
  }
  return (await accounts.make?.({ keys: [{ scopes }, { scopes }], limits })) ?? []
}
