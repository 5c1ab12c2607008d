import type { CheckContext, Exchange, RequirementId } from '../engine/kit.ts'
import { check, isAccepted, isObject, show, untested } from '../engine/kit.ts'
import { ITEM_LOOKUP_ERRORS } from '../../contract/wire.ts'
import {
  ask,
  elementsOf,
  LOOKS_UP,
  needLookup,
  strangePairs,
  type Element,
} from '../steps/lookup.ts'
import { looksLikeAnItem } from '../steps/catalog-listing.ts'

type Rule = {
  readonly requirement: RequirementId
  readonly statement: string
  readonly holds: (element: Element) => boolean
}

const RULES = [
  {
    requirement: 'LOOK-02',
    statement: 'serviceId is a text',
    holds: ({ serviceId }) => typeof serviceId === 'string',
  },
  {
    requirement: 'LOOK-03',
    statement: 'itemId is a text',
    holds: ({ itemId }) => typeof itemId === 'string',
  },
  {
    requirement: 'LOOK-04',
    statement: 'found is true or false',
    holds: ({ found }) => typeof found === 'boolean',
  },
  {
    requirement: 'LOOK-05',
    statement: 'item is a product item, null or left out',
    holds: ({ item }) => item === undefined || item === null || looksLikeAnItem(item),
  },
  {
    requirement: 'LOOK-06',
    statement: `error is ${ITEM_LOOKUP_ERRORS.join(', ')}, null or left out`,
    holds: ({ error }) =>
      error === undefined ||
      error === null ||
      (ITEM_LOOKUP_ERRORS as readonly unknown[]).includes(error),
  },
] as const satisfies readonly Rule[]

export const elements = check({
  id: 'lookup.elements',
  title:
    'each looked-up element has the ids, says whether it was found, and has an item or an error',
  requirements: RULES.map(({ requirement }) => requirement),
  needs: LOOKS_UP,
  run: async (context) => {
    const known = await needLookup(context)
    const exchanges = [known]
    for (const pair of strangePairs(context, known))
      exchanges.push(await ask(context, 'lookupItems', { pair }))
    const answered = exchanges.filter(isAccepted)
    const seen = answered.flatMap((exchange) =>
      (elementsOf(exchange) ?? []).map((value) => ({ exchange, value })),
    )
    if (seen.length === 0) untested('no lookup has an element, which LOOK-01 and LOOK-07 decide')
    for (const rule of RULES) judge(context, rule, seen)
    observeCombinations(context, exchanges)
  },
})

function judge(
  { expect }: CheckContext,
  { requirement, statement, holds }: Rule,
  seen: readonly { readonly exchange: Exchange; readonly value: unknown }[],
): void {
  const broken = seen.filter(({ value }) => !isObject(value) || !holds(value))
  expect(requirement).that(`${statement} (${seen.length} elements)`, {
    holds: broken.length === 0,
    expected: `${statement}, in each of ${seen.length} elements`,
    observed: broken.length === 0 ? 'it is in all' : show(broken[0]?.value),
    exchanges: (broken.length > 0 ? broken : seen).map(({ exchange }) => exchange),
  })
}

/** The rule that ties found, item and error together is not shown. */
function observeCombinations(
  { observe }: CheckContext,
  [known, ...strange]: readonly Exchange[],
): void {
  for (const [what, exchanges] of [
    ['an item that is sold', known ? [known] : []],
    ['ids that no item should have', strange],
  ] as const) {
    const seen = exchanges.map((exchange) =>
      isAccepted(exchange)
        ? (elementsOf(exchange) ?? []).map(combinationOf).join(' and ')
        : `HTTP ${exchange.response?.status ?? 'none'}`,
    )
    if (exchanges.length > 0)
      observe('OPEN-06', `${what}: ${[...new Set(seen)].join('; ')}`, exchanges)
  }
}

function combinationOf(value: unknown): string {
  if (!isObject(value)) return show(value)
  const { found, item, error } = value
  return `found ${show(found)}, item ${isObject(item) ? 'an object' : show(item)}, error ${show(error)}`
}
