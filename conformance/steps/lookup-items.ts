import { isObject } from '../engine/kit.ts'

/** An object with none of them is no product item; each of them is the matter of its own requirement. */
const REQUIRED = ['id', 'currency', 'price', 'inStock'] as const

export function looksLikeAnItem(value: unknown): boolean {
  return isObject(value) && REQUIRED.some((name) => name in value)
}
