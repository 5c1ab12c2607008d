import { STATUS_CODE } from '../../contract/wire.ts'
import type { Exchange } from '../../harness/client/exchange.ts'

/** `statusCode` of the envelope; undefined where the answer has none. */
export function statusCodeOf({ json }: Exchange): unknown {
  return (json as { statusCode?: unknown } | null | undefined)?.statusCode
}

const NAMED: readonly unknown[] = [
  STATUS_CODE.limitReached,
  STATUS_CODE.apiKeyLimitExceeded,
  STATUS_CODE.providerUnavailable,
]

/** Whether it has one of the numbers that the interface names: of a rate limit, of the cap, of a provider that does not answer. */
export function hasNamedCode(exchange: Exchange): boolean {
  return NAMED.includes(statusCodeOf(exchange))
}

/** A JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
