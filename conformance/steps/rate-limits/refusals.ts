import { STATUS_CODE } from '../../../contract/wire.ts'
import type { Exchange } from '../../engine/kit.ts'
import { isThrottled, statusCodeOf } from '../../engine/kit.ts'

/** Any 4xx or 5xx but 429. A provider that did not answer says nothing of the window. */
export function isFailedByNoWindow(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0
  return status >= 400 && !isThrottled(exchange) && !isProviderSilent(exchange)
}

/** The check of a top-up whose provider did not answer twice. */
export function isProviderSilent(exchange: Exchange): boolean {
  return (
    exchange.response?.status === 504 && statusCodeOf(exchange) === STATUS_CODE.providerUnavailable
  )
}
