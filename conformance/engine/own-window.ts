import type { Exchange } from '../../harness/client/exchange.ts'
import { howToTell, isSizeKnown } from '../../harness/quota/effective-limits.ts'
import { keyOfEndpoint, type QuotaKey } from '../../harness/quota/quota-key.ts'
import type { CheckContext } from './check.ts'
import { asksToUnhide, hasFilter } from './query.ts'

/** The request's own window where its size is not known: it may be so tight, or last so long, that it refuses by itself. */
export function unknownWindowOf(
  known: Pick<CheckContext, 'limit'>,
  exchange: Exchange,
): string | undefined {
  const { bucket, operation } = counterOf(exchange)
  return isSizeKnown(known.limit(bucket, operation))
    ? undefined
    : `its own window, whose size is not known: ${howToTell(bucket, operation)}`
}

/** Requests that one counter may count apart from others of their account: of one key, with the same parameters; in clear, of one order. */
export function formOf({ role, account, operation, request: { url } }: Exchange): string {
  const { searchParams, search } = new URL(url)
  const query =
    searchParams.get('unhide') === 'true' ? [search] : [...searchParams.keys()].toSorted()
  return [role, account, operation, ...query].join(' ')
}

/** Reads in clear are not asked about here: their budgets are each order's own. */
export function counterOf(exchange: Exchange): QuotaKey {
  const { operation, account, request } = exchange
  const partition = `account ${account}`
  if (operation === 'createOrder' && /"checkOnly":\s*true/.test(request.body ?? ''))
    return { bucket: 'orders.check', partition }
  if (operation !== 'getOrders') return keyOfEndpoint(partition, operation)
  if (asksToUnhide(exchange)) return { bucket: 'orders.unhide.admission', partition }
  return { bucket: hasFilter(exchange) ? 'orders.filtered' : 'orders.list', partition }
}
