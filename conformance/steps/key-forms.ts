import type { ProductAbility } from '../../contract/capabilities.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { RequirementId } from '../../contract/requirements/index.ts'
import type { CallOptions, Caller } from '../../harness/client/api.ts'
import { renderCart } from '../../harness/client/bodies.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import type { OrderKind } from '../../harness/target-file/target.ts'
import { CHECKS_OUT, lackingVariables, LINES } from './cart.ts'
import type { CheckContext, Needs } from '../engine/check.ts'
import { amountOf, CHECKS_TOP_UPS } from './dtu-check.ts'
import { validate, VALIDATES_TOP_UPS } from './dtu-validate.ts'
import { isOffered } from '../engine/needs.ts'
import { BUYS_ESIMS } from './esim.ts'
import { LOOKS_UP, pairOf, type Lookup } from './lookup.ts'
import { buy, type Bought } from './orders.ts'
import { BUYS_TOP_UPS } from './top-ups.ts'
import { QUOTES_GIFTS, requestQuote } from './platform-gift.ts'
import { UNASKED } from './rate-limits/between-refusals.ts'

/** Sends one form of a request as whoever it is given, always the same. */
export type Send = (caller: Caller, options?: CallOptions) => Promise<Exchange>

/** A request in one of the forms that services are known to serve by code of their own. */
export type Form = {
  readonly name: string
  /** What the target must have for it. */
  readonly needs: Needs
  /** The requirement that a key without any scope breaks; undefined where the scope is not shown. */
  readonly scope?: RequirementId
  /** False: that the allowlist guards it is not plain enough to be judged. */
  readonly isGuarded?: false
  /** The operation that it posts to, where it has a body. */
  readonly posts?: OperationName
  /** Undefined where the target file does not describe enough of it. `bought`: a finished or pending order to ask for. */
  readonly prepare: (
    context: CheckContext,
    bought: () => Promise<Bought>,
  ) => Promise<Send | undefined> | Send | undefined
}

export const READING_FORMS: readonly Form[] = [
  {
    name: 'the whole catalog',
    needs: { capabilities: ['catalog'] },
    scope: 'SCOPE-01',
    prepare:
      ({ api }) =>
      (caller) =>
        api.as(caller).listServices({}, UNASKED),
  },
  {
    name: 'the listing of orders',
    needs: {},
    scope: 'SCOPE-05',
    prepare:
      ({ api }) =>
      (caller) =>
        api.as(caller).getOrders({}, caller === 'full' ? {} : UNASKED),
  },
  lookingUp('an item lookup', 'lookupItems'),
  lookingUp('a single item', 'getItem'),
  {
    name: 'a check of a top-up',
    needs: CHECKS_TOP_UPS,
    scope: 'SCOPE-03',
    posts: 'createOrder',
    prepare: (context) => (caller, options) =>
      order(context, caller, { product: 'dtu', kind: 'dtu-check' }, options),
  },
  {
    name: 'a validation of a top-up',
    needs: VALIDATES_TOP_UPS,
    posts: 'validateDtu',
    prepare: (context) => (caller, options) =>
      validate(context, 'dtu', amountOf(context, 'dtu'), options, caller),
  },
  {
    name: 'a quote of a gift',
    needs: QUOTES_GIFTS,
    posts: 'createGiftQuote',
    prepare: (context) => (caller, options) => requestQuote(context, {}, caller, options),
  },
  {
    name: 'the rate limits',
    needs: { capabilities: ['rate-limits'] },
    isGuarded: false,
    prepare:
      ({ api }) =>
      (caller) =>
        api.as(caller).rateLimits(),
  },
]

export const BUYING_FORMS: readonly Form[] = [
  {
    name: 'a read by orderId',
    needs: {},
    scope: 'SCOPE-05',
    prepare: async (context, bought) => {
      const { orderId } = await bought()
      return (caller) => context.api.as(caller).getOrders({ orderId })
    },
  },
  {
    name: 'a read with unhide=true',
    needs: { capabilities: ['unhide'] },
    scope: 'SCOPE-05',
    prepare: async (context, bought) => {
      const { referenceId } = await bought()
      return (caller) => context.api.as(caller).getOrders({ referenceId, unhide: true }, UNASKED)
    },
  },
  {
    name: 'a purchase under a reference that was used',
    posts: 'createOrder',
    needs: {},
    scope: 'SCOPE-03',
    prepare: async (context, bought) => {
      const { referenceId } = await bought()
      return (caller, options) =>
        context.api.as(caller).createOrder({ product: 'voucher', referenceId }, options)
    },
  },
  {
    name: 'a top-up',
    needs: BUYS_TOP_UPS,
    scope: 'SCOPE-03',
    posts: 'createOrder',
    prepare: (context) => (caller, options) =>
      order(context, caller, { product: 'dtu', kind: 'dtu' }, options),
  },
  {
    name: 'an eSIM',
    needs: BUYS_ESIMS,
    scope: 'SCOPE-03',
    posts: 'createOrder',
    prepare: (context) => (caller, options) =>
      order(context, caller, { product: 'esim', kind: 'esim' }, options),
  },
  {
    name: 'a checkout under a reference that was used',
    posts: 'createCart',
    needs: CHECKS_OUT,
    scope: 'SCOPE-04',
    prepare: (context) => {
      const isTold = LINES.every((line) => lackingVariables(context, line).length === 0)
      const referenceId = context.reference()
      if (!isTold || !renderCart(context.target, { referenceId, lines: LINES })) return undefined
      return (caller, options) =>
        context.api.as(caller).createCart({ referenceId, lines: LINES }, options)
    },
  },
]

function lookingUp(name: string, operation: Lookup): Form {
  return {
    name,
    needs: { ...LOOKS_UP, operations: [operation] },
    scope: 'SCOPE-02',
    posts: operation,
    prepare: (context) =>
      pairOf(context, 'voucher', operation) &&
      ((caller, options) => context.api.as(caller).aboutProduct(operation, 'voucher', {}, options)),
  }
}

function order(
  context: CheckContext,
  caller: Caller,
  what: { readonly product: ProductAbility; readonly kind: OrderKind },
  options?: CallOptions,
): Promise<Exchange> {
  const amount = what.kind === 'esim' ? {} : amountOf(context, what.product)
  const referenceId = context.reference()
  return context.api.as(caller).createOrder({ ...what, referenceId, ...amount }, options)
}

/** A form with what sends it, and how a good key was answered. */
export type Tried = { readonly form: Form; readonly send: Send; readonly control: Exchange }

/** Sends every form that the target offers with a good key first. Those that ask for an order ask for the same. */
export async function* triedForms(
  context: CheckContext,
  forms: readonly Form[],
): AsyncGenerator<Tried> {
  let order: Promise<Bought> | undefined
  const bought = (): Promise<Bought> => (order ??= buy(context))
  for (const form of forms.filter(({ needs }) => isOffered(context.target, needs))) {
    const send = await form.prepare(context, bought)
    if (send) yield { form, send, control: await send('full') }
  }
}
