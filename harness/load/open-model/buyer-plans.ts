import type { PlannedOperation } from '../../../load/protocol/open-model.ts'
import type { Target } from '../../target-file/target.ts'
import { lacksPath, type Lacks } from '../shared/lacks.ts'
import { ANSWER_SECONDS, pollsIn, spend, type ClientPlan } from './client-plan.ts'
import { operationUrl } from '../shared/operation-url.ts'
import { readsOf, readSteps } from '../bursts/read-steps.ts'
import {
  cartPurchasable,
  orderPurchasable,
  readOperations,
  type SessionPurchasable,
} from './purchasables.ts'

/** A purchase may be sent once more: as a replay, or because its answer was lost. A broken service buys again. */
const SENDINGS_MAX = 2
/** Half of the sessions send their purchase again. */
const SENDINGS_MEAN = 1.5
/** Where the target file does not tell how long an order takes. */
const COMPLETES_SECONDS_DEFAULT = 60
const MICROS = 1_000_000

/** What a buyer sends: one order, a replay of some, polls, one read in clear. */
export function buyerPlan(target: Target): ClientPlan | Lacks {
  const bought = orderOf(target)
  if ('lacks' in bought) return bought
  const { purchasable, order } = bought
  const unhides = unhidesOf(target)
  const seconds = purchasable.product.completesWithinSeconds ?? COMPLETES_SECONDS_DEFAULT
  const polls = pollsIn(seconds)
  return {
    operations: {
      order,
      replay: order,
      ...readOperations(target, ['masked', 'by-reference', ...unhides]),
    },
    requestsMin: 2,
    requestsMax: SENDINGS_MEAN + polls + unhides.length,
    requestsUsual: SENDINGS_MEAN + usualOf(polls) + unhides.length,
    spends: [...spend('order', SENDINGS_MEAN), ...spend('masked', polls)],
    ordersMax: SENDINGS_MAX,
    money: { currency: purchasable.currency, micros: BigInt(SENDINGS_MAX) * purchasable.price },
    pricesMax: { order: Number(purchasable.price) / MICROS },
    busySeconds: seconds + (2 + unhides.length) * ANSWER_SECONDS,
    waitSecondsMax: seconds,
  }
}

/** What an orderer sends: one order, again where its answer is lost, and one read in clear. */
export function ordererPart(target: Target): ClientPlan | Lacks {
  const bought = orderOf(target)
  if ('lacks' in bought) return bought
  const { purchasable, order } = bought
  const unhides = unhidesOf(target)
  const requests = 1 + unhides.length
  return {
    operations: {
      order,
      replay: order,
      // What was refused is looked for by its reference.
      ...readOperations(target, ['by-reference', ...unhides]),
    },
    requestsMin: 1,
    requestsMax: SENDINGS_MAX + unhides.length,
    requestsUsual: requests,
    spends: spend('order', 1),
    ordersMax: SENDINGS_MAX,
    money: { currency: purchasable.currency, micros: BigInt(SENDINGS_MAX) * purchasable.price },
    pricesMax: { order: Number(purchasable.price) / MICROS },
    busySeconds: requests * ANSWER_SECONDS,
    waitSecondsMax: 0,
  }
}

/** One order of the target's, and how it is sent. */
function orderOf(
  target: Target,
): { readonly purchasable: SessionPurchasable; readonly order: PlannedOperation } | Lacks {
  const purchasable = orderPurchasable(target)
  if ('lacks' in purchasable) return purchasable
  const url = operationUrl(target, 'createOrder')
  if (url === undefined) return lacksPath('createOrder')
  const reads = readsOf(target, 'createOrder', {
    state: 'status',
    currency: 'currency',
    ids: 'orderId',
    prices: 'price',
  })
  return { purchasable, order: { method: 'POST', url, body: purchasable.body, reads } }
}

function unhidesOf({ capabilities }: Target): readonly 'unhide'[] {
  return capabilities.includes('unhide') ? ['unhide'] : []
}

/** What a shopper sends: one cart, a replay of some, reads of its orders. */
export function shopperPlan(target: Target): ClientPlan | Lacks {
  const purchasable = cartPurchasable(target)
  if ('lacks' in purchasable) return purchasable
  const url = operationUrl(target, 'createCart')
  if (url === undefined) return lacksPath('createCart')
  const cart: PlannedOperation = {
    method: 'POST',
    url,
    body: purchasable.body,
    reads: cartReads(target),
  }
  const seconds = purchasable.product.completesWithinSeconds ?? 0
  const polls = pollsIn(seconds)
  return {
    operations: {
      cart,
      'cart-replay': cart,
      ...readOperations(target, ['by-reference', 'child']),
    },
    requestsMin: 2,
    requestsMax: SENDINGS_MEAN + polls + 1,
    requestsUsual: SENDINGS_MEAN + usualOf(polls) + 1,
    spends: [...spend('cart', SENDINGS_MEAN), ...spend('by-reference', polls + 1)],
    ordersMax: SENDINGS_MAX * purchasable.orders,
    money: { currency: purchasable.currency, micros: BigInt(SENDINGS_MAX) * purchasable.price },
    pricesMax: { cart: Number(purchasable.price) / MICROS },
    busySeconds: seconds + (polls + 2) * ANSWER_SECONDS,
    waitSecondsMax: seconds,
  }
}

/** The currency of the total stands beside it, and the orders look like single purchases: both are shown. */
function cartReads(target: Target): PlannedOperation['reads'] {
  const { totalPrice = '', orders = '' } = target.operations.createCart.selectors
  const total = readSteps(totalPrice)
  const listed = readSteps(orders)
  const isTaken = typeof listed?.at(-1) === 'object'
  const each = listed && (isTaken ? listed : [...listed, { every: true } as const])
  return {
    ...readsOf(target, 'createCart', {
      state: 'status',
      total: 'totalPrice',
      reference: 'referenceId',
      ids: 'orderIds',
    }),
    ...(total?.at(-1) === 'totalPrice' && { currency: [...total.slice(0, -1), 'currency'] }),
    ...(each && { prices: [...each, 'price'], states: [...each, 'status'] }),
  }
}

/** Of so many reads at most: orders are final at any time before the target file says, and the first read may find them so. */
function usualOf(polls: number): number {
  return (1 + polls) / 2
}
