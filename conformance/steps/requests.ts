/** What can be sent, in every form that services are known to serve by code of their own. A new endpoint is one entry here. */
import type { Bucket, LimitName } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import { renderCart } from '../../harness/client/bodies.ts'
import type {
  Api,
  CallOptions,
  Caller,
  CheckContext,
  Exchange,
  Needs,
  RequirementId,
} from '../engine/kit.ts'
import { isAccepted, isOffered, offeredOf, showAnswer, showRequest } from '../engine/kit.ts'
import { CHECKS_OUT, lackingVariables, LINES, POSITIONS } from './cart.ts'
import { CHECKS_TOP_UPS } from './dtu-check.ts'
import { validate, VALIDATES_TOP_UPS } from './dtu-validate.ts'
import { OTHER_KINDS, type KindOfOrder } from './kinds.ts'
import { lookedUpOf, LOOKS_UP, pairOf, soldPairs, type Lookup } from './lookup.ts'
import { buy, BUYS_VOUCHERS, type Bought } from './orders.ts'
import { BUYS_GIFTS, giftRequest, QUOTES_GIFTS, requestQuote, tokenIn } from './platform-gift.ts'
import { RETURN_429_UNPACED } from './rate-limits/between-refusals.ts'
import { topUpOrder } from './top-ups.ts'

/** Sends one form of a request as whoever it is given, always the same; `api`: of an account that was made for it. */
export type Send = (caller: Caller, options?: CallOptions, api?: Api) => Promise<Exchange>

/** An order to ask for, finished or pending. */
type GetBought = () => Promise<Pick<Bought, 'orderId' | 'referenceId'>>

/** For forms that ask for no order. */
export const noOrder: GetBought = () => Promise.reject(new Error('no order was bought'))

export type Form = {
  readonly name: string
  readonly operation: OperationName
  /** What the target must have for it. */
  readonly needs: Needs
  /** Most orders that one caller makes by it. Default: none. */
  readonly orders?: number
  /** False: that the allowlist guards it is not plain enough to be judged. */
  readonly isGuarded?: false
  /** False: whose keys it is open to is judged elsewhere. */
  readonly isKeyed?: false
  /** An empty body breaks a rule of it for sure. */
  readonly isEmptiable?: true
  /** The window that it stands for, of an account with few requests each: one entry for each window of an endpoint. */
  readonly bucket?: Bucket
  /** Undefined where the target file does not describe enough of it. */
  readonly prepare: (
    context: CheckContext,
    bought: GetBought,
  ) => Promise<Send | undefined> | Send | undefined
  /** Asks the same endpoint for something else, in each of these ways. */
  readonly otherwise?: (context: CheckContext) => readonly Send[]
}

const SCOPES = {
  listServices: 'SCOPE-01',
  lookupItems: 'SCOPE-02',
  getItem: 'SCOPE-02',
  createOrder: 'SCOPE-03',
  createCart: 'SCOPE-04',
  getOrders: 'SCOPE-05',
  getBalance: 'SCOPE-06',
  getLedger: 'SCOPE-06',
} as const satisfies Partial<Record<OperationName, RequirementId>>

export type ScopeRule = (typeof SCOPES)[keyof typeof SCOPES]

/** The requirement that a key without any scope breaks; undefined where the scope is not shown. */
export function scopeOf({ operation }: Form): ScopeRule | undefined {
  return (SCOPES as Partial<Record<OperationName, ScopeRule>>)[operation]
}

/** What can be ordered besides vouchers, without a quote. */
const ORDERED: readonly KindOfOrder[] = [OTHER_KINDS.topUp, OTHER_KINDS.esim]

const READS: readonly Form[] = [
  {
    name: 'whoami',
    operation: 'whoami',
    needs: {},
    isKeyed: false,
    bucket: 'default',
    prepare: ({ api }) => as(api, (key, options) => key.whoami(options)),
  },
  {
    name: 'the whole catalog',
    operation: 'listServices',
    needs: { capabilities: ['catalog'] },
    prepare: ({ api }) => as(api, (key) => key.listServices({}, RETURN_429_UNPACED)),
  },
  {
    name: 'a page of one type of the catalog',
    operation: 'listServices',
    needs: { capabilities: ['catalog'] },
    prepare: ({ api }) =>
      as(api, (key) =>
        key.listServices({ type: 'voucher', limit: 1, offset: 0 }, RETURN_429_UNPACED),
      ),
  },
  {
    name: 'a later page of a search of the catalog',
    operation: 'listServices',
    needs: { capabilities: ['catalog'] },
    prepare: ({ api }) =>
      as(api, (key) => key.listServices({ search: 'e', limit: 1, offset: 1 }, RETURN_429_UNPACED)),
  },
  {
    name: 'a page of the catalog',
    operation: 'listServices',
    needs: { capabilities: ['catalog'] },
    isKeyed: false,
    bucket: 'default',
    prepare: ({ api }) => as(api, (key) => key.listServices({ limit: 1 }, RETURN_429_UNPACED)),
    otherwise: ({ api }) =>
      [{}, { limit: 2, offset: 1 }, { search: 'e' }, { type: 'voucher' }].map((query) =>
        as(api, (key) => key.listServices(query, RETURN_429_UNPACED)),
      ),
  },
  {
    name: 'the listing of orders',
    operation: 'getOrders',
    needs: {},
    prepare:
      ({ api, once }) =>
      (caller) =>
        caller === 'full'
          ? once('listing', () => api.as(caller).getOrders())
          : api.as(caller).getOrders({}, RETURN_429_UNPACED),
  },
  {
    name: 'a read by a referenceId that finds nothing',
    operation: 'getOrders',
    needs: {},
    isKeyed: false,
    bucket: 'orders.filtered',
    prepare: ({ api }) =>
      as(api, (key, options) => key.getOrders({ referenceId: 'nothing' }, options)),
  },
  lookingUp('an item lookup', 'lookupItems'),
  lookingUp('a single item', 'getItem'),
  {
    name: 'a check of a top-up',
    needs: CHECKS_TOP_UPS,
    operation: 'createOrder',
    bucket: 'orders.check',
    prepare: ordering((context) =>
      Promise.resolve({ ...topUpOrder(context), kind: 'dtu-check' as const }),
    ),
  },
  {
    name: 'a validation of a top-up',
    needs: VALIDATES_TOP_UPS,
    operation: 'validateDtu',
    isEmptiable: true,
    bucket: 'default',
    prepare: asking(validate),
  },
  {
    name: 'a quote of a gift',
    needs: QUOTES_GIFTS,
    operation: 'createGiftQuote',
    isEmptiable: true,
    bucket: 'default',
    prepare: asking(requestQuote),
  },
  {
    name: 'the report of limits',
    operation: 'rateLimits',
    needs: { capabilities: ['rate-limits'] },
    isGuarded: false,
    bucket: 'default',
    prepare: ({ api }) => as(api, (key, options) => key.rateLimits(options)),
  },
  ...(['getBalance', 'getLedger'] as const).map((operation): Form => ({
    name: operation === 'getBalance' ? 'the balance' : 'the ledger',
    operation,
    needs: { capabilities: ['funds'], operations: [operation] },
    isKeyed: false,
    bucket: 'default',
    prepare: ({ api }) => as(api, (key, options) => key.send(operation, {}, options)),
  })),
]

const OF_BOUGHT: readonly Form[] = [
  {
    name: 'a read by orderId',
    operation: 'getOrders',
    needs: {},
    prepare: async ({ api }, bought) => {
      const { orderId } = await bought()
      return as(api, (key) => key.getOrders({ orderId }))
    },
  },
  {
    name: 'a read with unhide=true',
    operation: 'getOrders',
    needs: { capabilities: ['unhide'] },
    prepare: async ({ api }, bought) => {
      const { referenceId } = await bought()
      return as(api, (key) => key.getOrders({ referenceId, unhide: true }, RETURN_429_UNPACED))
    },
  },
  {
    name: 'a purchase under a reference that was used',
    needs: BUYS_VOUCHERS,
    operation: 'createOrder',
    bucket: 'default',
    prepare: async ({ api }, bought) => {
      const { referenceId } = await bought()
      return as(api, (key, options) =>
        key.createOrder({ product: 'voucher', referenceId }, options),
      )
    },
    otherwise: (context) => {
      const order = { product: 'voucher', referenceId: context.reference(), quantity: 2 } as const
      return [
        as(context.api, (key, options) => key.createOrder(order, options)),
        ...offeredOf(context.target, ORDERED).map(({ order }) => ordering(order)(context)),
        ...(isOffered(context.target, BUYS_GIFTS) ? [givingEach(context)] : []),
      ]
    },
  },
]

const PURCHASES: readonly Form[] = [
  {
    name: 'a purchase',
    needs: BUYS_VOUCHERS,
    orders: 1,
    operation: 'createOrder',
    prepare: ({ api, reference }) =>
      as(api, (key, options) =>
        key.createOrder({ product: 'voucher', referenceId: reference() }, options),
      ),
  },
  ...ORDERED.map(({ what, needs, order }): Form => ({
    name: what,
    needs,
    orders: 1,
    operation: 'createOrder',
    prepare: ordering(order),
  })),
  ...ORDERED.map(({ what, needs, order }): Form => ({
    name: `${what} under a reference that was used`,
    needs,
    orders: 1,
    operation: 'createOrder',
    prepare: (context) => ordering(order, context.reference())(context),
  })),
  {
    name: 'a gift',
    needs: BUYS_GIFTS,
    orders: 1,
    operation: 'createOrder',
    prepare: givingGifts,
  },
  {
    name: 'a checkout',
    needs: CHECKS_OUT,
    orders: POSITIONS,
    operation: 'createCart',
    isEmptiable: true,
    bucket: 'default',
    prepare: (context) => {
      const isTold = LINES.every((line) => lackingVariables(context, line).length === 0)
      const referenceId = context.reference()
      if (!isTold || !renderCart(context.target, { referenceId, lines: LINES })) return undefined
      return as(context.api, (key, options) =>
        key.createCart({ referenceId, lines: LINES }, options),
      )
    },
  },
]

const REQUESTS: readonly Form[] = [...READS, ...OF_BOUGHT, ...PURCHASES]

/** Each endpoint with a default window of its own, once. */
export const ENDPOINTS = REQUESTS.filter(({ bucket }) => bucket === 'default')
/** Each window that counts the requests of an endpoint, once. */
export const WINDOWS = REQUESTS.filter(({ bucket }) => bucket !== undefined)
/** Each operation that an empty body breaks a rule of, once. */
export const EMPTIABLE_FORMS = REQUESTS.filter(({ isEmptiable }) => isEmptiable === true)
/** Each operation whose scope is not shown, once. */
export const UNSCOPED_FORMS = REQUESTS.filter((form) => scopeOf(form) === undefined)

/** The name that the window of an endpoint has in the report of limits. */
export function limitNameOf({ bucket = 'default', operation }: Form): LimitName {
  if (bucket !== 'default') return bucket
  return `operations.${operation as Exclude<OperationName, 'getOrders'>}`
}

/** Part of the names of checks that send each of them. */
export const FORMS = {
  forms: READS.filter(({ isKeyed = true }) => isKeyed),
  'purchase-forms': [...OF_BOUGHT, ...PURCHASES],
} as const

export type Forms = keyof typeof FORMS

/** What so many callers need who send each of these forms, besides their roles. */
export function needsOf(forms: Forms, callers: number): Needs {
  if (forms === 'forms') return {}
  const orders = PURCHASES.reduce((sum, { orders: each = 0 }) => sum + each, 0)
  return { ...BUYS_VOUCHERS, purchases: 1 + callers * orders }
}

type Sending = (key: Api, options?: CallOptions) => Promise<Exchange>

function as(own: Api, send: Sending): Send {
  return (caller, options, api = own) => send(api.as(caller), options)
}

function asking(
  ask: (context: CheckContext, options: CallOptions & { caller: Caller }) => Promise<Exchange>,
): Form['prepare'] {
  return (context) =>
    (caller, options, api = context.api) =>
      ask({ ...context, api }, { ...options, caller })
}

function lookingUp(name: string, operation: Lookup): Form {
  const sending = (
    context: CheckContext,
    pair: ReturnType<typeof pairOf> | undefined,
  ): Send | undefined => {
    const product = lookedUpOf(context)
    return (
      pair && as(context.api, (key, options) => key.aboutProduct(operation, product, pair, options))
    )
  }
  return {
    name,
    needs: { ...LOOKS_UP, operations: [operation] },
    operation,
    ...(operation === 'lookupItems' && { isEmptiable: true }),
    bucket: 'default',
    prepare: (context) => sending(context, pairOf(context, lookedUpOf(context), operation) && {}),
    otherwise: (context) => {
      const other = sending(context, soldPairs(context, operation)[1])
      return other ? [other] : []
    },
  }
}

/** Each time a new order, or the one under a reference. */
function ordering(order: KindOfOrder['order'], under?: string): (context: CheckContext) => Send {
  return (context) =>
    as(context.api, async (key, options) => {
      const referenceId = under ?? context.reference()
      return key.createOrder({ ...(await order(context, 'full')), referenceId }, options)
    })
}

/** Undefined where no quote is given. */
async function givingGifts(context: CheckContext): Promise<Send | undefined> {
  const isQuoted = tokenIn(context, await requestQuote(context)) !== undefined
  return isQuoted ? givingEach(context) : undefined
}

/** Each order has a token of its own, of the good key; an empty one where a refusal is wanted and no quote is given. */
function givingEach(context: CheckContext): Send {
  return async (caller, options, api = context.api) => {
    const token = tokenIn(context, await requestQuote(context)) ?? ''
    const order = giftRequest({ token, referenceId: context.reference() })
    return api.as(caller).createOrder(order, options)
  }
}

/** A form with what sends it, and how a good key was answered. */
export type Tried = { readonly form: Form; readonly send: Send; readonly control: Exchange }

/** Whether the target does without all of these forms: of each it declares no capability. */
export function isWithout({ target }: CheckContext, forms: readonly Form[]): boolean {
  const isDeclared = ({ needs: { capabilities = [] } }: Form): boolean =>
    capabilities.every((each) => target.capabilities.includes(each))
  return forms.length > 0 && !forms.some(isDeclared)
}

export const WITHOUT_FORMS = 'the target declares nothing that can be asked for so'

/**
 * Every form that the target offers and answers to a good key: what is refused to everyone says nothing about others. Those that ask
 * for an order ask for the same. `failed` takes how the good key was answered otherwise.
 */
export async function* triedForms(
  context: CheckContext,
  forms: readonly Form[],
  failed: string[] = [],
): AsyncGenerator<Tried> {
  let order: Promise<Bought> | undefined
  const bought = (): Promise<Bought> => (order ??= buy(context))
  for (const form of offeredOf(context.target, forms)) {
    const send = await form.prepare(context, bought)
    if (!send) continue
    const control = await send('full')
    if (isAccepted(control)) yield { form, send, control }
    else failed.push(`${showRequest(control)}: ${showAnswer(control)}`)
  }
}
