/** Recognizing catalog products whose fields, beyond those of a ProductItem, are not shown. */

/** Fields that may change between two readings while the product stays the same. */
const VOLATILE = /price|stock|discount/i

/** Moments and signatures of addresses change with each answer. */
const MOMENT = /^\d{4}-\d\d-\d\dT/
const SIGNED = /^(https?:\/\/[^?#]*)[?#].*$/s

/** What tells one product from another: its JSON with sorted members and lists, without what may change between two readings. */
export function identityOf(product: unknown): string {
  return JSON.stringify(steady(product)) ?? 'undefined'
}

function steady(value: unknown): unknown {
  if (typeof value === 'string') return MOMENT.test(value) ? '' : value.replace(SIGNED, '$1')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return inOneOrder(value.map(steady))
  const entries = Object.entries(value)
    .filter(([name]) => !VOLATILE.test(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, each]) => [name, steady(each)]))
}

function inOneOrder(list: readonly unknown[]): readonly unknown[] {
  const written = list.map((each) => [JSON.stringify(each), each] as const)
  return written.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

export function identitiesOf(products: readonly unknown[]): string[] {
  return products.map(identityOf)
}

/** Products of the first list that the second has too. */
export function sharedWith(
  products: readonly unknown[],
  others: readonly unknown[],
): readonly unknown[] {
  const known = new Set(identitiesOf(others))
  return products.filter((product) => known.has(identityOf(product)))
}

/** Whether both lists have the same products the same number of times; the order does not matter. */
export function haveSameProducts(a: readonly unknown[], b: readonly unknown[]): boolean {
  const [first, second] = [identitiesOf(a).toSorted(), identitiesOf(b).toSorted()]
  return first.length === second.length && first.every((each, index) => each === second[index])
}

/** Products that a list has more than once. */
export function repeatedIn(products: readonly unknown[]): readonly string[] {
  const seen = new Set<string>()
  return identitiesOf(products).filter((identity) => seen.size === seen.add(identity).size)
}

/** Members of a ProductItem that say how much, not which: a price of 1 is no identifier "1". */
const AMOUNTS: ReadonlySet<string> = new Set([
  'inStock',
  'price',
  'unitPrice',
  'minQuantity',
  'maxQuantity',
  'stepQuantity',
  'minQtyToLongOrder',
])

/** Every text and number inside a value that may identify it, as text. */
export function scalarsOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => (AMOUNTS.has(name) ? [] : scalarsOf(each)))
}

/** Whether some text inside the product has the given one, in upper or lower case. */
export function mentions(product: unknown, text: string): boolean {
  const wanted = text.toLowerCase()
  return scalarsOf(product).some((scalar) => scalar.toLowerCase().includes(wanted))
}

/** A product of the listing that the variables of an order identify. */
export type Located = {
  readonly product: unknown
  /** How many of the variables stand in it; no other product has as many. */
  readonly matches: number
}

/** The one product in which most of the values stand; undefined where none does, or several do equally. */
export function locate(
  products: readonly unknown[],
  values: readonly unknown[],
): Located | undefined {
  const counted = products.map((product) => ({ product, matches: matchesOf(product, values) }))
  const matches = counted.reduce((most, each) => Math.max(most, each.matches), 0)
  const best = counted.filter((each) => each.matches === matches)
  return matches > 0 && best.length === 1 ? best[0] : undefined
}

/** Whether a product of the list has as many of the values as the located one: then it is that one, filtered or not. */
export function isAmong(
  products: readonly unknown[],
  values: readonly unknown[],
  { matches }: Located,
): boolean {
  return products.some((product) => matchesOf(product, values) >= matches)
}

function matchesOf(product: unknown, values: readonly unknown[]): number {
  const scalars = new Set(scalarsOf(product))
  const wanted = new Set(
    values
      .filter((value) => typeof value === 'string' || typeof value === 'number')
      .map((value) => String(value)),
  )
  return [...wanted].filter((value) => scalars.has(value)).length
}

/** Most products of a page that a check asks for: no server can be expected to cap pages below it. */
const PAGE_SIZE_MAX = 25

/** A page size that takes about five pages, the last of them not full where that can be had. */
export function pageSizeFor(total: number): number {
  const least = Math.min(PAGE_SIZE_MAX, Math.max(1, Math.ceil(total / 5)))
  const sizes = [0, 1, 2, 3].map((more) => least + more)
  return sizes.find((size) => size <= PAGE_SIZE_MAX && size < total && total % size !== 0) ?? least
}
