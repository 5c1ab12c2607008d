import type { CheckContext, Exchange } from '../engine/kit.ts'
import {
  asText,
  check,
  isAccepted,
  isObject,
  needSuccess,
  show,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { renderEntries } from '../../harness/target-file/entries.ts'
import {
  ask,
  elementsOf,
  isNamedBy,
  lookedUpOf,
  LOOKS_UP,
  needElements,
  needLookup,
  soldPairs,
  strangePairs,
  type Element,
  type Pair,
} from '../steps/lookup.ts'

export const pairs = check({
  id: 'lookup.pairs',
  title: 'the answer to a pair of service id and item id has an element with that pair',
  requirements: ['LOOK-07'],
  needs: LOOKS_UP,
  run: async (context) => {
    const first = await needLookup(context)
    const sold = soldPairs(context, 'lookupItems')
    if (sold.length === 0)
      untested(`operations.lookupItems names no variable of the product "${lookedUpOf(context)}"`)
    needComparable(sold[0] ?? {}, first)
    for (const pair of sold)
      judgePairs(context, [pair], needSuccess(await ask(context, 'lookupItems', { pair })))
    for (const pair of strangePairs(context, first)) {
      const exchange = await ask(context, 'lookupItems', { pair })
      // Identifiers that nothing has may be refused for their form, which is not shown.
      if (isAccepted(exchange)) judgePairs(context, [pair], exchange)
    }
    await judgeTogether(context, sold)
    // One that is not there in front of those that are.
    const [strange] = strangePairs(context, first)
    if (strange) await judgeTogether(context, [strange, ...sold])
  },
})

/** How a lookup asks is not shown: one code may stand for service and item. If it holds not both ids, nothing can be compared. */
function needComparable(pair: Pair, exchange: Exchange): void {
  if (Object.keys(pair).length > 1) return
  const isHeld = needElements(exchange).some(({ serviceId, itemId }) =>
    [serviceId, itemId].every((id) => isNamedBy(pair, asText(id))),
  )
  if (isHeld) return
  untested(
    `operations.lookupItems asks with ${show(pair)}, which does not hold the serviceId and itemId of the answer, so they cannot be compared: ${showAnswer(exchange)}`,
  )
}

/** Several pairs at once, where the target's template lists them. */
async function judgeTogether(context: CheckContext, sold: readonly Pair[]): Promise<void> {
  const { body: template } = context.target.operations.lookupItems
  const rendered = renderEntries(template, {}, sold)
  if (!rendered || rendered.isFixed || sold.length < 2) return
  const { body } = rendered
  const exchange = await context.api
    .as('full')
    .send('lookupItems', { variables: sold[0] ?? {}, body })
  if (isAccepted(exchange)) judgePairs(context, sold, exchange)
}

function judgePairs(context: CheckContext, wanted: readonly Pair[], exchange: Exchange): void {
  const elements = elementsOf(exchange)
  if (!elements) untested(`the lookup has no array of items, which LOOK-01 decides`)
  const ids = elements.filter(isObject).map(({ serviceId, itemId }) => [serviceId, itemId])
  if (ids.flat().some((id) => typeof id !== 'string'))
    untested(
      `an id of an element is no text, which LOOK-02 and LOOK-03 decide: ${showAnswer(exchange)}`,
    )
  const missing = wanted.filter(
    (pair) => !ids.some((both) => both.every((id) => isNamedBy(pair, asText(id)))),
  )
  context.expect('LOOK-07').that('the lookup has an element with the pair that was asked for', {
    holds: missing.length === 0,
    expected: `an element with each of ${show(wanted)}`,
    observed: show(ids),
    exchanges: [exchange],
  })
  judgeItems(context, elements.filter(isObject), exchange)
}

/** The item of an element is the one that the element names. */
function judgeItems(context: CheckContext, elements: readonly Element[], exchange: Exchange): void {
  const found = elements.flatMap(({ itemId, item }) =>
    isObject(item) && typeof item['id'] === 'string' ? [[asText(itemId), item['id']]] : [],
  )
  if (found.length === 0) return
  context.expect('LOOK-07').that('the item of an element is that of its itemId', {
    holds: found.every(([itemId = '', id = '']) => isSameItem(itemId, id)),
    expected: 'item.id equal to itemId, or a longer form of it',
    observed: show(found),
    exchanges: [exchange],
  })
}

function isSameItem(itemId: string, id: string): boolean {
  return id.includes(itemId) || itemId.includes(id)
}
