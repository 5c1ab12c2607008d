import { parseRetryAfterSeconds } from '../../harness/retry-after.ts'
import { TRANSACTION_STATUSES } from '../../contract/wire.ts'
import { headerValues } from '../../harness/client/headers.ts'
import type { Exchange, InvariantContext } from '../engine/kit.ts'
import { inapplicable, invariant, isAccepted, show, showRequest, untested } from '../engine/kit.ts'
import { dataOf, itemsOf } from '../steps/orders.ts'

/** Exchanges that one finding names. */
const NAMED_MAX = 5

/** States of orders that an answer of success shows: of the one order of a purchase, or of each that is listed. */
function statesIn(exchange: Exchange): readonly unknown[] {
  const { operation } = exchange
  if (!isAccepted(exchange)) return []
  if (operation === 'getOrders') return (itemsOf(exchange) ?? []).map(statusOf)
  const data = dataOf(exchange)
  if (operation === 'createCart' && Array.isArray(data['orders']))
    return data['orders'].map(statusOf)
  return operation === 'createOrder' && data['orderId'] !== undefined ? [data['status']] : []
}

function statusOf(order: unknown): unknown {
  return (order as { status?: unknown } | null | undefined)?.status
}

export const everyStateIsKnown = invariant({
  id: 'states.every-state-known',
  title: 'every state of an order that the run saw is one of the four',
  requirements: ['STATE-01'],
  judge: ({ history, expect }) => {
    const shown = history.filter((exchange) => statesIn(exchange).length > 0)
    if (shown.length === 0) untested('no answer of the run showed the state of an order')
    const known: readonly unknown[] = TRANSACTION_STATUSES
    const broken = shown.filter((exchange) =>
      statesIn(exchange).some((state) => !known.includes(state)),
    )
    const [first] = broken
    expect('STATE-01').that(`the states of orders in ${shown.length} answers are known`, {
      holds: broken.length === 0,
      expected: TRANSACTION_STATUSES.join(', '),
      observed: first
        ? `${broken.length} answers show others, first ${showRequest(first)}: ${show(statesIn(first))}`
        : 'no other',
      exchanges: broken.slice(0, NAMED_MAX),
    })
  },
})

export const everyPendingRetryAfterIsWhole = invariant({
  id: 'states.retry-after-whole',
  title: 'the Retry-After of a pending order is whole seconds',
  requirements: ['EVT-03'],
  judge: ({ history, expect, observe, target }: InvariantContext) => {
    const pending = history.filter((exchange) => statesIn(exchange).includes('IN_PROGRESS'))
    const told = pending.filter((exchange) => headerValues(exchange, 'retry-after').length > 0)
    const example = told[0] ?? pending[0]
    if (!example && !target.capabilities.includes('async'))
      inapplicable('the target does not declare async, and no order was pending')
    if (!example) untested('no answer of the run showed a pending order')
    observe(
      'OPEN-41',
      `${told.length} of ${pending.length} answers with a pending order have one`,
      [example],
    )
    if (told.length === 0)
      inapplicable(
        'no answer with a pending order carried a Retry-After, which only that of an eSIM must',
      )
    const broken = told.filter((exchange) => !isWholeSeconds(headerValues(exchange, 'retry-after')))
    const [first] = broken
    expect('EVT-03').that(`Retry-After in ${told.length} answers with a pending order`, {
      holds: broken.length === 0,
      expected: 'one header of whole seconds',
      observed: first
        ? `${showRequest(first)}: ${show(headerValues(first, 'retry-after'))}`
        : 'whole seconds in each',
      exchanges: broken.slice(0, NAMED_MAX),
    })
  },
})

function isWholeSeconds(values: readonly string[]): boolean {
  return values.length === 1 && parseRetryAfterSeconds(values[0]) !== undefined
}
