/** The reference service: the whole behaviour, without sockets. */
import { randomInt } from 'node:crypto'
import { HEADER } from '../contract/wire.ts'
import { Accounts } from './model/accounts.ts'
import {
  authorize,
  callerAddressOf,
  nothingToGiveBack,
  requireKey,
} from './admission/authenticate.ts'
import { realClock } from './base/clock.ts'
import type { Context } from './model/context.ts'
import { type Control, createControl } from './control/control.ts'
import { type FaultName, FaultSet } from './faults/faults.ts'
import { GiftQuotes } from './model/gift-quotes.ts'
import {
  Refusal,
  invalid,
  isBrokenBody,
  notFound,
  refusal,
  success,
  UNKNOWN_PATH,
} from './http/answer.ts'
import type { Answer } from './http/answer.ts'
import { Body } from './http/body.ts'
import type { Call, Route } from './model/call.ts'
import { declaresJson, requireJsonDeclared, unsupportedMediaType } from './orders/content-type.ts'
import { render } from './envelope.ts'
import { headerValue } from './base/headers.ts'
import { failOutright, withoutLostData } from './outage.ts'
import { matchRoute } from './router.ts'
import { CODES } from './http/status-codes.ts'
import { Identifiers } from './base/identifiers.ts'
import { Limiter } from './model/limiter.ts'
import { takingForNothing } from './orders/nothing-bought-faults.ts'
import { OrderStore } from './model/order-store.ts'
import { createDemoAccounts } from './seed.ts'
import type { ServiceOptions, ServiceRequest, ServiceResponse } from './base/types.ts'
import { isUncounted, phaseOf, rulesOf } from './variants/limits.ts'
import { translated, understand } from './variants/translate.ts'
import { variantSet } from './base/variants.ts'

export type {
  LimitRules,
  ServiceClock,
  ServiceOptions,
  ServiceRequest,
  ServiceResponse,
} from './base/types.ts'
export type { Control } from './control/control.ts'

export type ServiceStats = {
  readonly requests: number
  readonly httpStatuses: Readonly<Record<string, number>>
  readonly internalErrors: number
  /** Orders and limit counters in memory. */
  readonly orders: number
  readonly counters: number
}

export interface Service {
  /** Never rejects. */
  handle(request: ServiceRequest): Promise<ServiceResponse>
  /** The envelope for a request that never became one: too large, too slow, malformed. */
  refuse(httpStatus: 400 | 408 | 413 | 431, message: string): ServiceResponse
  readonly control: Control
  stats(): ServiceStats
}

export const DEFAULTS = {
  quoteLatencyMs: 5,
  pricesRiseEveryMs: Infinity,
  asyncCompletionMs: 1500,
  providerTimeoutMs: 20,
  ordersMax: 250_000,
} as const

/** Throws RangeError for options that cannot hold. */
export function createService(options: ServiceOptions = {}): Service {
  const context = createContext(options)
  const control = createControl(context, rulesOf(options.limits ?? {}, context.variants))
  if (options.demoAccounts ?? true) createDemoAccounts(control)
  /** Answers by their HTTP status. */
  const statuses: number[] = []
  let internalErrors = 0

  const respond = (answer: Answer): ServiceResponse => {
    statuses[answer.httpStatus] = (statuses[answer.httpStatus] ?? 0) + 1
    return render(answer, context)
  }
  const answerOf = (error: unknown): Answer => {
    if (error instanceof Refusal) return validationStatus(error.answer, context.faults)
    internalErrors++
    options.onInternalError?.(error)
    return refusal(500, CODES.internalError, 'The service failed.', { errorCode: 'internal' })
      .answer
  }

  return {
    control,
    handle: async (request) => {
      let answer: Answer
      try {
        answer = await dispatch(context, request)
      } catch (error) {
        answer = answerOf(error)
      }
      const response = respond(answer)
      return context.faults.isEmpty ? response : echoing(response, request, context.faults)
    },
    refuse: (httpStatus, message) =>
      respond(refusal(httpStatus, REFUSED_CODES[httpStatus], message).answer),
    stats: () => ({
      requests: statuses.reduce((sum, count) => sum + count, 0),
      httpStatuses: Object.fromEntries(Object.entries(statuses)),
      internalErrors,
      orders: context.orders.size,
      counters: context.limiter.size,
    }),
  }
}

/** Only a fault shows a key to whom it refuses for its scopes. */
function echoing(
  response: ServiceResponse,
  { headers }: ServiceRequest,
  faults: FaultSet,
): ServiceResponse {
  const key = headerValue(headers, HEADER.apiKey)
  if (response.status !== 403 || key === undefined || !faults.has('key-echoed')) return response
  return { ...response, headers: [...response.headers, 'X-Refused-Key', key] }
}

const REFUSED_CODES = {
  400: CODES.validationFailed,
  408: CODES.tooLarge,
  413: CODES.tooLarge,
  431: CODES.tooLarge,
} as const

function createContext(options: ServiceOptions): Context {
  const clock = options.clock ?? realClock
  const faults = new FaultSet(options.faults)
  const variants = variantSet(options.variants)
  const phase = phaseOf(variants) ?? options.windowPhase ?? 'epoch'
  const identifiers = new Identifiers(options.seed ?? randomInt(2 ** 32), variants)
  const ordersMax = options.ordersMax ?? DEFAULTS.ordersMax
  return {
    clock,
    faults,
    variants,
    identifiers,
    accounts: new Accounts(),
    limiter: new Limiter({ clock, faults, variants, phase }),
    orders: new OrderStore({ faults, variants }, ordersMax),
    gifts: new GiftQuotes(clock, { faults, variants }),
    settings: {
      quoteLatencyMs: options.quoteLatencyMs ?? DEFAULTS.quoteLatencyMs,
      pricesRiseEveryMs: options.pricesRiseEveryMs ?? DEFAULTS.pricesRiseEveryMs,
      asyncCompletionMs: options.asyncCompletionMs ?? DEFAULTS.asyncCompletionMs,
      providerTimeoutMs: options.providerTimeoutMs ?? DEFAULTS.providerTimeoutMs,
      platformGift: options.platformGift ?? 'disabled',
      giftQuoteRoute: options.giftQuoteRoute ?? !variants.has('gift-quotes-upstream-missing'),
    },
  }
}

type Writable<T> = { -readonly [Property in keyof T]: T[Property] }

/** Route, key, scope, allowlist, window, content type, handler: in this order. */
function dispatch(context: Context, given: ServiceRequest): Promise<Answer> {
  const { faults, variants } = context
  const request = understand(variants, given)
  const { route, parameters, query } = routed(context, request)
  if (variants.has('unknown-parameters-refused')) refuseUnknown(route.operation, query)
  const { headers } = request
  const body = new Body(request.body)
  const isJson = route.method === 'POST' && declaresJson(headers, faults, route.operation)
  if (route.method === 'POST' && !isJson && variants.has('media-type-first'))
    throw unsupportedMediaType()
  const call: Writable<Call> = {
    context,
    route,
    operation: route.operation,
    key: requireKey(context, headers, { route, query, body }),
    query,
    parameters,
    body,
    declaresJson: isJson,
    callerAddress: callerAddressOf(request, route.operation, context),
    userAgent: faults.isEmpty ? '' : (headerValue(headers, 'User-Agent') ?? ''),
    nowMs: context.clock.nowMs(),
    isGone: request.isGone,
    giveBack: nothingToGiveBack,
  }
  if (!faults.isEmpty) return takingForNothing(call, () => authorizedAnyway(call))
  call.giveBack = authorize(call)
  return answered(call)
}

/** What comes after the window has counted the request. */
async function answered(call: Call): Promise<Answer> {
  const { route, context } = call
  try {
    if (makesDespite415(call)) await route.handler(call)
    if (route.method === 'POST' && !looksLate(call)) requireJsonDeclared(call)
    failOutright(call)
    const answer = withoutLostData(call, await route.handler(call))
    return translated(context.variants, route.operation, answer)
  } catch (error) {
    if (error instanceof Refusal && isUncounted(error.answer, context.variants)) call.giveBack()
    if (error instanceof Refusal && givesBack(call, error.answer)) {
      call.giveBack()
      call.giveBack()
    }
    throw error
  }
}

/** Faults that give back more than a refused request took, at one endpoint for one status. */
const GIVING_BACK: readonly (readonly [FaultName, Route['operation'], number])[] = [
  ['invalid-validations-give-back', 'validateDtu', 422],
  ['unsupported-carts-give-back', 'createCart', 415],
  ['cap-refused-orders-give-back', 'createOrder', 409],
  ['throttled-lookups-give-back', 'lookupItems', 429],
  ['unscoped-services-give-back', 'listServices', 403],
]

function givesBack({ route, context: { faults } }: Call, { httpStatus }: Answer): boolean {
  return GIVING_BACK.some(
    ([name, operation, status]) =>
      operation === route.operation && status === httpStatus && faults.has(name),
  )
}

/** Faults that keep the reference of a purchase that a key may not make. */
const BURNING: Readonly<Partial<Record<Route['operation'], FaultName>>> = {
  createOrder: 'forbidden-order-burns-reference',
  createCart: 'forbidden-cart-burns-reference',
}

function burnForbidden({ route, body, key, context: { faults, orders } }: Call): void {
  const name = BURNING[route.operation]
  const referenceId = body.json?.['referenceId']
  if (name === undefined || !faults.has(name) || typeof referenceId !== 'string') return
  if (orders.selected(key, referenceId).length === 0) orders.burn(key, referenceId)
}

/** Only faults give back what was not taken. */
function giveOneBack({ context: { limiter }, key, operation, nowMs }: Call): void {
  limiter.giveBack({ group: operation, partition: key.account.id }, nowMs)
}

/** Only a fault looks into a checkout of another media type; what is no JSON it leaves alone. */
function makesDespite415({ declaresJson: isJson, route, body, context }: Call): boolean {
  if (isJson || route.operation !== 'createCart') return false
  return context.faults.has('checkout-made-despite-415') && body.json !== undefined
}

/** Only faults look at the media type after the body. */
function looksLate({ route, body, context: { faults } }: Call): boolean {
  const isCart = route.operation === 'createCart' && faults.has('cart-media-type-late')
  const isInvalid = isCart && body.json?.['referenceId'] === undefined
  return isInvalid || faults.has('content-type-after-validation')
}

/** Faults that make one kind of purchase which its window refused. */
const MADE_ANYWAY: readonly (readonly [FaultName, unknown])[] = [
  ['throttled-top-up-created', 'dtu'],
  ['throttled-esim-created', 'esim'],
  ['throttled-checkout-created', 'createCart'],
]

function isMadeAnyway({ route: { operation }, body, context: { faults } }: Call): boolean {
  const asked = operation === 'createOrder' ? body.json : undefined
  if (asked?.['checkOnly'] === true) return false
  const kind = asked ? asked['ordersType'] : operation
  return MADE_ANYWAY.some(([name, made]) => kind === made && faults.has(name))
}

/** Only faults go on with a purchase that was refused. */
async function authorizedAnyway(call: Writable<Call>): Promise<Answer> {
  const { route, context } = call
  try {
    call.giveBack = authorize(call)
  } catch (error) {
    const isThrottled = error instanceof Refusal && error.answer.httpStatus === 429
    const isOrder = route.operation === 'createOrder'
    if (error instanceof Refusal && givesBack(call, error.answer)) giveOneBack(call)
    if (error instanceof Refusal && error.answer.httpStatus === 403) burnForbidden(call)
    if (isOrder && context.faults.has('refused-purchase-created')) await route.handler(call)
    else if (isThrottled && isMadeAnyway(call)) await route.handler(call)
    throw error
  }
  return answered(call)
}

/** Only a fault moves an endpoint. */
function pathOf(path: string, faults: FaultSet): string {
  if (!faults.has('services-without-version')) return path
  if (path === '/api/v1/services') return '/nowhere'
  return path === '/services' ? '/api/v1/services' : path
}

type Found = {
  readonly route: Route
  readonly parameters: Call['parameters']
  readonly query: URLSearchParams
}

/** Throws the 404 of an unknown path and the 405 of a method that its path does not have. */
function routed({ faults, variants }: Context, { method, url }: ServiceRequest): Found {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  if (path === '/services' && variants.has('paths-answer-bare')) throw new Refusal(success({}))
  const match = matchRoute(method, pathOf(path, faults))
  if (match === undefined) throw notFound('No endpoint has this path.', UNKNOWN_PATH)
  const { route, parameters, allow } = match
  if (method === 'PUT' && route === undefined && faults.has('put-looked-into'))
    throw invalid([{ code: 'MISSING', field: 'referenceId', message: 'A reference is needed.' }])
  if (route === undefined)
    throw refusal(405, CODES.methodNotAllowed, `The endpoint does not have the method ${method}.`, {
      errorCode: 'method_not_allowed',
      headers: [['Allow', allow.join(', ')]],
    })
  return { route, parameters, query: mark < 0 ? NO_QUERY : new URLSearchParams(url.slice(mark)) }
}

const NO_QUERY = new URLSearchParams()

const PARAMETERS: Readonly<Partial<Record<Route['operation'], readonly string[]>>> = {
  listServices: ['type', 'search', 'limit', 'offset'],
  getOrders: ['orderId', 'referenceId', 'unhide', 'limit', 'offset'],
}

/** Only a variant knows which parameters there are. */
function refuseUnknown(operation: Route['operation'], query: URLSearchParams): void {
  const known = PARAMETERS[operation]
  const unknown = [...query.keys()].find((name) => known?.includes(name) === false)
  if (unknown !== undefined)
    throw refusal(400, CODES.validationFailed, `There is no parameter ${unknown}.`)
}

function validationStatus(answer: Answer, faults: FaultSet): Answer {
  if (answer.httpStatus === 422 && faults.has('validation-status-code-rate-limit'))
    return { ...answer, statusCode: CODES.limitReached }
  if (isBrokenBody(answer) && faults.has('broken-json-crashes'))
    return { ...answer, httpStatus: 500, statusCode: CODES.internalError }
  return answer
}
