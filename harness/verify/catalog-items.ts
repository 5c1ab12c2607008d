/** Items of a catalog answer. Without a selector they are known by the fields that every ProductItem has. Pure. */
import { selectEach } from '../target-file/select.ts'
import type { Target } from '../target-file/target.ts'

export type Item = Readonly<Record<string, unknown>> & { readonly id: string }

/** No catalog of a test comes near it; the rest is left out, and said to be. */
const ITEMS_MAX = 50_000
const DEPTH_MAX = 12

export function itemsIn(target: Pick<Target, 'operations'>, json: unknown): readonly Item[] {
  const selector = target.operations.listServices.selectors['items']
  if (selector !== undefined) return selectEach(selector, json).filter(hasId)
  return productItemsIn(json)
}

/** Items by their form alone. */
export function productItemsIn(json: unknown): readonly Item[] {
  const found: Item[] = []
  collect(json, found, 0)
  return found
}

/** A ProductItem has an id, a currency, a price and a stock (Resources, ProductItem). */
export function isProductItem(value: unknown): value is Item {
  return hasId(value) && ['currency', 'price', 'inStock'].every((field) => field in value)
}

function hasId(value: unknown): value is Item {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { id?: unknown }).id === 'string'
  )
}

function collect(value: unknown, into: Item[], depth: number): void {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return
  if (into.length >= ITEMS_MAX) return
  if (isProductItem(value)) into.push(value)
  for (const child of Object.values(value)) collect(child, into, depth + 1)
}
