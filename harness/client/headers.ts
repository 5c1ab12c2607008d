import { parseRetryAfterSeconds } from '../retry-after.ts'
import { HEADER } from '../../contract/wire.ts'
import type { Exchange } from './exchange.ts'

/** All values of a response header, in order; names compare without case (RFC 9110, 5.1). */
export function headerValues(exchange: Exchange, name: string): readonly string[] {
  const wanted = name.toLowerCase()
  return (exchange.response?.headers ?? [])
    .filter(([each]) => each.toLowerCase() === wanted)
    .map(([, value]) => value)
}

export function headerValue(exchange: Exchange, name: string): string | undefined {
  return headerValues(exchange, name)[0]
}

/** Retry-After in whole seconds; undefined where it is absent or anything else (the interface knows seconds only). */
export function retryAfterSeconds(exchange: Exchange): number | undefined {
  return parseRetryAfterSeconds(headerValue(exchange, HEADER.retryAfter))
}
