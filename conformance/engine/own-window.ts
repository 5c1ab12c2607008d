import type { Bucket } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import { howToTell, isSizeKnown } from '../../harness/quota/effective-limits.ts'
import type { CheckContext } from '../check.ts'

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

/** Reads in clear are not asked about here: their budgets are each order's own. */
function counterOf({ operation, request: { url, body } }: Exchange): {
  readonly bucket: Bucket
  readonly operation?: OperationName
} {
  if (operation === 'createOrder' && /"checkOnly":\s*true/.test(body ?? ''))
    return { bucket: 'orders.check' }
  if (operation !== 'getOrders')
    return { bucket: 'default', ...(operation !== 'raw' && { operation }) }
  const { searchParams } = new URL(url)
  if (searchParams.get('unhide') === 'true') return { bucket: 'orders.unhide.admission' }
  const isFiltered = searchParams.has('orderId') || searchParams.has('referenceId')
  return { bucket: isFiltered ? 'orders.filtered' : 'orders.list' }
}
