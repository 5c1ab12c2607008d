import type { Role } from '../../contract/capabilities.ts'
import { RETRY_AFTER_SECONDS } from '../../contract/wire.ts'
import { amountOf } from '../../harness/client/bodies.ts'
import { retryAfterSeconds } from '../../harness/client/headers.ts'
import type { CallOptions, CheckContext, Exchange, Needs, WindowNeed } from '../engine/kit.ts'
import { isAccepted, needSuccess, show, showAnswer, statusCodeOf, untested } from '../engine/kit.ts'
import { isProviderSilent } from './rate-limits/refusals.ts'
import { buy, dataOf, findsNothing, itemsOf, orderIdOf } from './orders.ts'

/** What every check of top-up checks needs. */
export const CHECKS_TOP_UPS = {
  capabilities: ['dtu-check'],
  roles: ['full'],
  products: ['dtu'],
  orderKinds: ['dtu-check'],
} as const satisfies Needs

/** The check bucket of an account, spent by the check that holds it. */
export function bucketOf(role: 'full' | 'stranger'): WindowNeed {
  return { bucket: 'orders.check', role, operation: 'createOrder' }
}

/** A provider that did not answer may answer the next time (Errors, row 504). */
const RETRIES_MAX = 3

/** Sends a check again after its Retry-After, if the provider did not answer. */
export async function untilProviderAnswers(
  { wait }: Pick<CheckContext, 'wait'>,
  send: () => Promise<Exchange>,
): Promise<Exchange> {
  for (let retries = 0; ; retries++) {
    const exchange = await send()
    if (retries === RETRIES_MAX || !isProviderSilent(exchange)) return exchange
    const seconds = retryAfterSeconds(exchange) ?? RETRY_AFTER_SECONDS.providerUnavailable
    await wait('a provider that did not answer', seconds * 1000)
  }
}

/**
 * Asks whether a top-up can be made: dtu with checkOnly=true. Asks again where the provider did not answer, unless the product is there
 * for its silence or the answer to each request is wanted.
 */
export function askForCheck(
  context: CheckContext,
  {
    role = 'full',
    product = 'dtu',
    referenceId = context.reference(),
    ...options
  }: CallOptions & {
    readonly role?: Role
    readonly product?: 'dtu' | 'dtu-timeout' | 'dtu-slow'
    readonly referenceId?: string
  } = {},
): Promise<Exchange> {
  const order = {
    product,
    kind: 'dtu-check',
    referenceId,
    ...amountOf(context.target, product),
  } as const
  const send = (): Promise<Exchange> => context.api.as(role).createOrder(order, options)
  const isOnce = product !== 'dtu' || options.throttled === 'return'
  return isOnce ? send() : untilProviderAnswers(context, send)
}

/**
 * The original result of the reference, read literally (POST /orders, rule 2): the outcome of the check, marked as no first success is.
 * A check that timed out is to be tried again: its reference has no result.
 */
function isOutcomeAgain(checked: Exchange, bought: Exchange): boolean {
  return (
    isAccepted(checked) &&
    isAccepted(bought) &&
    orderIdOf(bought) === undefined &&
    show(dataOf(bought)) === show(dataOf(checked)) &&
    statusCodeOf(bought) !== statusCodeOf(checked)
  )
}

/** A purchase under the reference of a check is made, or gets the outcome of the check again. */
export async function expectFree(
  context: CheckContext,
  requirement: 'CHECK-02' | 'CHECK-08',
  referenceId: string,
  checked: Exchange,
): Promise<void> {
  const { api, expect, observe } = context
  const order = { product: 'dtu', kind: 'dtu', ...amountOf(context.target, 'dtu') } as const
  const bought = await api.as('full').createOrder({ ...order, referenceId })
  // Another refusal than for its reference is found by a purchase that has nothing to do with the check.
  if (!isAccepted(bought)) await buy(context, order)
  const found = await api.as('full').getOrders({ referenceId })
  const isBought = isAccepted(bought) && orderIdOf(bought) !== undefined
  const isAgain = isOutcomeAgain(checked, bought)
  observe('OPEN-88', `it ${isBought ? 'buys' : showAnswer(bought)}`, [checked, bought])
  expect(requirement).that('the top-up bought under the referenceId of its check', {
    holds: isAgain ? findsNothing(found) : isBought && itemsOf(found)?.length === 1,
    expected:
      'success, then one order under the referenceId; or the outcome of the check as a replay, and no order',
    observed: `${showAnswer(bought)}; then ${showAnswer(found)}`,
    exchanges: [checked, bought, found],
  })
}

/** A read that tells whether there are orders. */
export function needReadable(exchange: Exchange): Exchange {
  if (!findsNothing(exchange) && itemsOf(exchange) === undefined)
    untested(`whether there is an order cannot be read: ${showAnswer(exchange)}`)
  return exchange
}

/** An answer to what was asked: a key that is refused as such says nothing about top-ups. */
export function needAdmittedKey(exchange: Exchange): Exchange {
  const status = exchange.response?.status ?? 0
  if (status === 401 || status === 403) untested(`the key is refused: ${showAnswer(exchange)}`)
  return exchange
}

export const TIMED_OUT = 504

/** The check of a top-up whose provider stays silent, after one whose provider answers succeeded. */
export async function needSilence(context: CheckContext, referenceId: string): Promise<Exchange> {
  needSuccess(await askForCheck(context))
  const exchange = await askForCheck(context, { product: 'dtu-timeout', referenceId })
  if (!exchange.response) untested(`the check had no answer: ${showAnswer(exchange)}`)
  return exchange
}

/** It is answered as it has to be. */
export function needTimedOut(exchange: Exchange): Exchange {
  if (exchange.response?.status !== TIMED_OUT)
    untested(`a silent provider is not answered by HTTP 504: ${showAnswer(exchange)}`)
  return exchange
}
