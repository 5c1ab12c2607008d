import type { CheckContext, Exchange, Needs } from '../engine/kit.ts'
import { asText, isObject, isOffered, showAnswer, untested } from '../engine/kit.ts'
import type { ProductAbility, Role } from '../../contract/capabilities.ts'
import type { Scalar } from '../../harness/target-file/target.ts'
import { pathVariables, templateVariables } from '../../harness/target-file/template.ts'
import { needData } from './cart.ts'
import { dataOf } from './orders.ts'
import { strangeIdLike } from './reading.ts'

/** One product of each kind of ProductItem, and of each that services keep apart: the voucher first. */
const LOOKED_UP = ['voucher', 'quantity', 'voucher-long', 'esim', 'dtu'] as const satisfies [
  ProductAbility,
  ...ProductAbility[],
]

/** What every check that looks items up needs. */
export const LOOKS_UP = {
  capabilities: ['item-lookup'],
  anyProduct: LOOKED_UP,
  operations: ['lookupItems'],
  roles: ['full'],
} as const satisfies Needs

export type Element = Readonly<Record<string, unknown>>

/** Values of the variables that name one item. */
export type Pair = Readonly<Record<string, Scalar>>

/** `data.items` of a lookup; undefined where it is no array. */
export function elementsOf(exchange: Exchange): readonly unknown[] | undefined {
  const { items } = dataOf(exchange)
  return Array.isArray(items) ? (items as readonly unknown[]) : undefined
}

/** The elements of a lookup that are objects; untested where there are none to look at. */
export function needElements(exchange: Exchange): readonly Element[] {
  const elements = (elementsOf(exchange) ?? []).filter(isObject)
  if (elements.length === 0)
    untested(
      `the lookup has no elements, which LOOK-01 and LOOK-07 decide: ${showAnswer(exchange)}`,
    )
  return elements
}

/** Operations about one product. */
export const LOOKUPS = ['lookupItems', 'getItem'] as const
export type Lookup = (typeof LOOKUPS)[number]

/** What an operation is asked with about a product; undefined where the product does not give all of it. */
export function pairOf(
  { target }: CheckContext,
  ability: ProductAbility,
  operation: Lookup = 'lookupItems',
): Pair | undefined {
  const { body, query, path } = target.operations[operation]
  const names = new Set([...templateVariables({ body, query }), ...pathVariables(path ?? '')])
  const variables = target.products[ability]?.variables ?? {}
  const pair = Object.entries(variables).filter(([name]) => names.has(name))
  return pair.length === names.size ? Object.fromEntries(pair) : undefined
}

/** The operations that the target can be asked by about a product, with what each is asked with. */
export function lookupsOf(
  context: CheckContext,
  ability: ProductAbility,
): readonly { readonly operation: Lookup; readonly pair: Pair }[] {
  const { capabilities } = LOOKS_UP
  return LOOKUPS.flatMap((operation) => {
    const pair = pairOf(context, ability, operation)
    const needs = { capabilities, products: [ability], operations: [operation] }
    return pair && isOffered(context.target, needs) ? [{ operation, pair }] : []
  })
}

/** The items that an answer to such an operation shows. */
export function itemsIn(operation: Lookup, exchange: Exchange): readonly Element[] {
  const elements = (elementsOf(exchange) ?? []).filter(isObject)
  const items = operation === 'getItem' ? [dataOf(exchange)] : elements.map(({ item }) => item)
  return items.filter(isObject)
}

/** What an operation is asked with about different products that the target sells; none where it names none of their variables. */
export function soldPairs(context: CheckContext, operation: Lookup): readonly Pair[] {
  const known = new Map<string, Pair>()
  for (const ability of LOOKED_UP) {
    const pair = pairOf(context, ability, operation)
    if (pair && Object.keys(pair).length > 0) known.set(JSON.stringify(pair), pair)
  }
  return [...known.values()]
}

/** Whether a lookup asks for this id: by a value of its own, or as a part of one code, such as "service/item". */
export function isNamedBy(pair: Pair, id: string): boolean {
  return naming(pair, id) !== undefined
}

/** Which variable names the id, and from where on in its value. */
function naming(
  pair: Pair,
  id: string,
): { readonly name: string; readonly at: number } | undefined {
  const values = Object.entries(pair)
  const whole = values.find(([, value]) => String(value) === id)
  if (whole) return { name: whole[0], at: 0 }
  const [[name, code] = ['', '']] = values
  const at = values.length === 1 ? partAt(String(code), id) : -1
  return at < 0 ? undefined : { name, at }
}

/** Where a part begins that letters and digits do not continue on either side; -1 where there is none. */
function partAt(code: string, part: string): number {
  if (part === '') return -1
  for (let at = code.indexOf(part); at >= 0; at = code.indexOf(part, at + 1)) {
    const beside = code.slice(Math.max(0, at - 1), at) + code.slice(at + part.length).slice(0, 1)
    if (!/[\p{L}\p{N}]/u.test(beside)) return at
  }
  return -1
}

/** The product that is looked up: the voucher, or the first other one of a target that sells none. */
export function lookedUpOf({ target }: Pick<CheckContext, 'target'>): ProductAbility {
  return LOOKED_UP.find((ability) => target.products[ability]) ?? LOOKED_UP[0]
}

/** Asks about that product, or about what stands in its place. */
export async function ask(
  context: CheckContext,
  operation: Lookup,
  { role = 'full', pair = {} }: { readonly role?: Role; readonly pair?: Pair } = {},
): Promise<Exchange> {
  const product = lookedUpOf(context)
  if (!pairOf(context, product, operation))
    untested(`operations.${operation} names a variable that the product "${product}" does not give`)
  return context.api.as(role).aboutProduct(operation, product, pair)
}

/** Looks up the item that the target sells, and insists on success. */
export async function needLookup(context: CheckContext): Promise<Exchange> {
  return needData(await ask(context, 'lookupItems'))
}

/** Pairs that no item has: another item, then another service. Which variable is which, the answer about the product tells. */
export function strangePairs(context: CheckContext, known: Exchange): readonly Pair[] {
  const pair = pairOf(context, lookedUpOf(context)) ?? {}
  const [element] = needElements(known)
  return ['itemId', 'serviceId'].flatMap((member) => {
    const id = asText(element?.[member])
    const found = naming(pair, id)
    if (found === undefined) return []
    const { name, at } = found
    const value = String(pair[name])
    const withId = (strange: string): Pair => ({
      ...pair,
      [name]: value.slice(0, at) + strange + value.slice(at + id.length),
    })
    // The first keeps the form of an identifier; the second is less likely to be one.
    return [withId(strangeIdLike(id)), withId(`${id}-none`)]
  })
}
