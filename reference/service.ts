/** The reference service: the whole behaviour, without sockets. */
import { randomInt } from 'node:crypto'
import { Accounts } from './auth/accounts.ts'
import { authorize, callerAddressOf, requireKey } from './auth/authenticate.ts'
import { realClock } from './clock.ts'
import type { Context } from './context.ts'
import { createControl } from './control/control.ts'
import type { Control } from './control/control.ts'
import { FaultSet } from './faults.ts'
import { GiftQuotes } from './gifts/quotes.ts'
import { Refusal, notFound, refusal } from './http/answer.ts'
import type { Answer } from './http/answer.ts'
import { declaresJson, requireJsonDeclared, unsupportedMediaType } from './http/content-type.ts'
import { render } from './http/envelope.ts'
import { failOutright, withoutLostData } from './http/outage.ts'
import { matchRoute } from './http/router.ts'
import type { Match } from './http/router.ts'
import type { Route } from './http/routes.ts'
import { CODES } from './http/status-codes.ts'
import { Identifiers } from './identifiers.ts'
import { Limiter } from './limits/limiter.ts'
import type { GiveBack } from './limits/limiter.ts'
import { OrderStore } from './orders/store.ts'
import { createDemoAccounts } from './seed.ts'
import type { ServiceOptions, ServiceRequest, ServiceResponse } from './types.ts'
import { isUncounted, phaseOf, rulesOf } from './variants/limits.ts'
import { translated, understand } from './variants/translate.ts'
import { variantSet } from './variants.ts'

export type {
  LimitRules,
  ServiceClock,
  ServiceOptions,
  ServiceRequest,
  ServiceResponse,
} from './types.ts'
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
  handle(request: ServiceRequest): Promise<ServiceResponse>
  /** The envelope for a request that never became one: too large, too slow, malformed. */
  refuse(httpStatus: 400 | 408 | 413 | 431, message: string): ServiceResponse
  readonly control: Control
  stats(): ServiceStats
}

export const DEFAULTS = {
  quoteLatencyMs: 5,
  asyncCompletionMs: 1500,
  providerTimeoutMs: 20,
  ordersMax: 250_000,
} as const

/** Throws RangeError for options that cannot hold. */
export function createService(options: ServiceOptions = {}): Service {
  const context = createContext(options)
  const control = createControl(context, rulesOf(options.limits ?? {}, context.variants))
  if (options.demoAccounts ?? true) createDemoAccounts(control)
  const statuses = new Map<number, number>()
  let internalErrors = 0

  const respond = (answer: Answer): ServiceResponse => {
    statuses.set(answer.httpStatus, (statuses.get(answer.httpStatus) ?? 0) + 1)
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
      const understood = understand(context.variants, request)
      return respond(await dispatch(context, understood).catch(answerOf))
    },
    refuse: (httpStatus, message) =>
      respond(refusal(httpStatus, REFUSED_CODES[httpStatus], message).answer),
    stats: () => ({
      requests: statuses.values().reduce((sum, count) => sum + count, 0),
      httpStatuses: Object.fromEntries(statuses),
      internalErrors,
      orders: context.orders.size,
      counters: context.limiter.size,
    }),
  }
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
  return {
    clock,
    faults,
    variants,
    identifiers: new Identifiers(options.seed ?? randomInt(2 ** 32), variants),
    accounts: new Accounts(),
    limiter: new Limiter({ clock, faults, variants, phase }),
    orders: new OrderStore({ faults, variants }, options.ordersMax ?? DEFAULTS.ordersMax),
    gifts: new GiftQuotes(clock, faults),
    settings: {
      quoteLatencyMs: options.quoteLatencyMs ?? DEFAULTS.quoteLatencyMs,
      asyncCompletionMs: options.asyncCompletionMs ?? DEFAULTS.asyncCompletionMs,
      providerTimeoutMs: options.providerTimeoutMs ?? DEFAULTS.providerTimeoutMs,
      platformGift: options.platformGift ?? 'disabled',
      giftQuoteRoute: options.giftQuoteRoute ?? true,
    },
  }
}

const NO_QUERY = new URLSearchParams()

/** Route, key, scope, allowlist, window, content type, handler: in this order. */
async function dispatch(context: Context, request: ServiceRequest): Promise<Answer> {
  const { clock, faults, variants } = context
  const { headers, body } = request
  const mark = request.url.indexOf('?')
  const path = mark < 0 ? request.url : request.url.slice(0, mark)
  const { route, parameters } = requireRoute(request.method, pathOf(path, faults))
  const isJson = route.method === 'POST' && declaresJson(headers, faults)
  if (route.method === 'POST' && !isJson && variants.has('media-type-first'))
    throw unsupportedMediaType()
  const key = requireKey(context, headers, route)
  const arrival = {
    context,
    route,
    key,
    query: mark < 0 ? NO_QUERY : new URLSearchParams(request.url.slice(mark)),
    body,
    declaresJson: isJson,
    callerAddress: callerAddressOf(request.remoteAddress, headers, faults),
    nowMs: clock.nowMs(),
    isGone: request.isGone,
    operation: route.operation,
    parameters,
  }
  const giveBack = faults.has('refused-purchase-created')
    ? await authorizeOr(arrival, () => route.handler({ ...arrival, giveBack: () => undefined }))
    : authorize(arrival)
  try {
    if (route.method === 'POST' && !faults.has('content-type-after-validation'))
      requireJsonDeclared(arrival)
    const call = { ...arrival, giveBack }
    if (!faults.isEmpty) failOutright(call)
    const handled = route.handler(call)
    const whole = handled instanceof Promise ? await handled : handled
    const answer = faults.isEmpty ? whole : withoutLostData(call, whole)
    return variants.size === 0 ? answer : translated(context, route.operation, answer)
  } catch (error) {
    if (error instanceof Refusal && isUncounted(error.answer, variants)) giveBack()
    throw error
  }
}

/** Only a fault goes on with a purchase that was refused. */
async function authorizeOr(
  arrival: Parameters<typeof authorize>[0],
  purchaseAnyway: () => unknown,
): Promise<GiveBack> {
  try {
    return authorize(arrival)
  } catch (error) {
    if (arrival.route.operation === 'createOrder') await purchaseAnyway()
    throw error
  }
}

/** Only a fault moves an endpoint. */
function pathOf(path: string, faults: FaultSet): string {
  if (!faults.has('services-without-version')) return path
  if (path === '/api/v1/services') return '/nowhere'
  return path === '/services' ? '/api/v1/services' : path
}

type Found = Match & { readonly route: Route }

function requireRoute(method: string, path: string): Found {
  const match = matchRoute(method, path)
  if (match === undefined) throw notFound('No endpoint has this path.')
  if (match.route !== undefined) return match as Found
  throw refusal(405, CODES.methodNotAllowed, `The endpoint does not have the method ${method}.`, {
    errorCode: 'method_not_allowed',
    headers: [['Allow', match.allow.join(', ')]],
  })
}

function validationStatus(answer: Answer, faults: FaultSet): Answer {
  const isMoved = answer.httpStatus === 422 && faults.has('validation-answers-400')
  return isMoved ? { ...answer, httpStatus: 400 } : answer
}
