import type { Exchange } from '../../harness/client/exchange.ts'

/** `statusCode` of the envelope; undefined where the answer has none. */
export function statusCodeOf({ json }: Exchange): unknown {
  return (json as { statusCode?: unknown } | null | undefined)?.statusCode
}

/** A JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
