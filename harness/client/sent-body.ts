/** What a request said in its body, wherever the target's template has it. */
import { isObject } from '../objects.ts'
import type { Exchange } from './exchange.ts'

/** Undefined where there was none, or where a check sent what is no JSON on purpose. */
export function sentBody({ request }: Pick<Exchange, 'request'>): unknown {
  try {
    return JSON.parse(request.body ?? 'null')
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}

/** The first value of a property, at whatever depth. */
export function valueInside(body: unknown, name: string): unknown {
  if (!isObject(body)) return undefined
  if (Object.hasOwn(body, name)) return body[name]
  return Object.values(body)
    .map((value) => valueInside(value, name))
    .find((value) => value !== undefined)
}

/** The reference of a purchase. */
export function sentReference(exchange: Pick<Exchange, 'request'>): string | undefined {
  const referenceId = valueInside(sentBody(exchange), 'referenceId')
  return typeof referenceId === 'string' ? referenceId : undefined
}
