import { TRANSACTION_STATUSES } from '../../contract/wire.ts'
import type { Exchange, InvariantContext } from '../engine/kit.ts'
import { invariant, isAccepted, show, showAnswer, untested } from '../engine/kit.ts'
import { itemsOf } from '../steps/orders.ts'

/** Exchanges that one finding names. */
const NAMED_MAX = 5

function readingsOf({ history }: InvariantContext): Exchange[] {
  const readings = history.filter(
    (exchange) =>
      exchange.operation === 'getOrders' &&
      isAccepted(exchange) &&
      exchange.response?.truncated === false,
  )
  if (readings.length === 0) untested('no reading of orders succeeded in the run')
  return readings
}

export const everyReadingHasItems = invariant({
  id: 'reading.every-page',
  title: 'every successful reading of orders has an array at data.page.items',
  requirements: ['GET-01'],
  judge: (context) => {
    const readings = readingsOf(context)
    const broken = readings.filter((exchange) => itemsOf(exchange) === undefined)
    const [first] = broken
    context.expect('GET-01').that(`data.page.items in ${readings.length} readings`, {
      holds: broken.length === 0,
      expected: 'an array in each',
      observed: first ? `${broken.length} without, first ${showAnswer(first)}` : 'an array in each',
      exchanges: broken.slice(0, NAMED_MAX),
    })
  },
})

export const everyItemHasAStatus = invariant({
  id: 'reading.every-item-status',
  title: 'every listed order has a status, one of the four',
  requirements: ['GET-02'],
  judge: (context) => {
    const listing = readingsOf(context).filter((exchange) => statusesOf(exchange).length > 0)
    if (listing.length === 0) untested('no reading of the run found an order')
    const known: readonly unknown[] = TRANSACTION_STATUSES
    const broken = listing.filter((exchange) =>
      statusesOf(exchange).some((status) => !known.includes(status)),
    )
    const [first] = broken
    context.expect('GET-02').that(`items[].status in ${listing.length} readings`, {
      holds: broken.length === 0,
      expected: TRANSACTION_STATUSES.join(', '),
      observed: first
        ? `${broken.length} readings show others, first ${show(statusesOf(first))}`
        : 'no other',
      exchanges: broken.slice(0, NAMED_MAX),
    })
  },
})

function statusesOf(exchange: Exchange): unknown[] {
  return (itemsOf(exchange) ?? []).map(
    (item) => (item as { status?: unknown } | null | undefined)?.status,
  )
}
