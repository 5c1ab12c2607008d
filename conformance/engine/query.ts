import type { Exchange } from '../../harness/client/exchange.ts'

const known = new WeakMap<Exchange['request'], URLSearchParams>()

/** The query of a request. It is parsed once, however many invariants ask for it. */
export function queryOf({ request }: Pick<Exchange, 'request'>): URLSearchParams {
  const before = known.get(request)
  if (before !== undefined) return before
  const { searchParams } = new URL(request.url)
  known.set(request, searchParams)
  return searchParams
}

/** Whether it asks for codes in clear. */
export function asksToUnhide(exchange: Pick<Exchange, 'request'>): boolean {
  return queryOf(exchange).get('unhide') === 'true'
}

/** Whether it asks for some orders only. */
export function hasFilter(exchange: Pick<Exchange, 'request'>): boolean {
  const query = queryOf(exchange)
  return query.has('orderId') || query.has('referenceId')
}
