/** Where a listing of orders holds identifiers, references, prices and codes. Pure. */
import { parseMoney } from '../money.ts'
import { selectEach } from '../target-file/select.ts'
import {
  excerptOf,
  pathOf,
  placesOf,
  selectorProposal,
  type Place,
  type Proposal,
  type Step,
} from './places.ts'

const ITEMS = '/data/page/items'
/** Questions that are worth asking of one answer. */
export const CANDIDATES_MAX = 4

export type OrderCandidate = { readonly path: readonly Step[]; readonly value: string }

/** Places that are called like an identifier come first. */
function rank({ path }: Place): number {
  return /id$|ref|number/i.test(String(path.at(-1))) ? 0 : 1
}

/** Texts of the first listed order that could be its identifier or its reference, the likeliest first. */
export function orderCandidates(json: unknown): readonly OrderCandidate[] {
  const [first] = selectEach(ITEMS, json)
  const places = placesOf(first).filter(
    (each): each is Place & { value: string } =>
      typeof each.value === 'string' &&
      each.value.length >= 3 &&
      !/[*\s]/.test(each.value) &&
      each.path.every((step) => typeof step === 'string'),
  )
  return places
    .filter(
      ({ value }) =>
        !/^(?:SUCCESS|IN_PROGRESS|PARTIALLY_COMPLETED|CANCELLED|[A-Z]{3}|\d{4}-\d\d-\d\dT.*)$/.test(
          value,
        ),
    )
    .toSorted((a, b) => a.path.length - b.path.length || rank(a) - rank(b))
    .slice(0, CANDIDATES_MAX)
    .map(({ path, value }) => ({ path, value }))
}

/** What a text was confirmed to be, by asking for it. */
export function confirmedOrder(
  name: 'orderIds' | 'referenceIds',
  { path, value }: OrderCandidate,
): Proposal {
  const parameter = name === 'orderIds' ? 'orderId' : 'referenceId'
  return selectorProposal('getOrders', name, pathOf(['data', 'page', 'items', 0, ...path]), {
    excerpt: excerptOf([value]),
    why: `GET /orders?${parameter}= of it finds the order`,
    certainty: 'sure',
  })
}

/** Prices, best beside a currency, and codes that are masked by asterisks. */
export function findOrderValues(json: unknown): Proposal[] {
  const orders = selectEach(ITEMS, json)
  const places = orders.flatMap((order, index) =>
    placesOf(order).map(({ path, value }) => ({
      path: ['data', 'page', 'items', index, ...path],
      value,
    })),
  )
  const codes = places.filter(({ value }) => typeof value === 'string' && /\*{2,}/.test(value))
  const amounts = places.filter(
    ({ path, value }) =>
      parseMoney(value) !== undefined && /price|cost|amount/i.test(path.slice(4).join('.')),
  )
  const priced = amounts.filter(({ path }) => hasCurrency(path, places))
  const prices = priced.length > 0 ? priced : amounts
  return [
    ...only(prices, 'prices', 'the only amount that is called a price'),
    ...only(codes, 'codes', 'a text that is masked by asterisks'),
  ]
}

function hasCurrency(path: readonly Step[], places: readonly Place[]): boolean {
  const around = path.slice(0, -1)
  return places.some(
    (each) =>
      typeof each.value === 'string' &&
      /^[A-Z]{3}$/.test(each.value) &&
      each.path.length === path.length &&
      around.every((step, index) => each.path[index] === step),
  )
}

/** Where several places would do, none is taken: the question is left open. */
function only(places: readonly Place[], name: 'prices' | 'codes', why: string): Proposal[] {
  const byPath = Map.groupBy(places, ({ path }) => pathOf(path))
  const [first] = byPath
  if (byPath.size !== 1 || !first) return []
  const [selector, found] = first
  const excerpt = excerptOf(found.map(({ value }) => value))
  return [selectorProposal('getOrders', name, selector, { excerpt, why, certainty: 'likely' })]
}
