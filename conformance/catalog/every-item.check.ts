import type {
  Exchange,
  InvariantContext,
  InvariantDefinition,
  RequirementId,
} from '../engine/kit.ts'
import { isObject, show } from '../engine/kit.ts'
import { selectEach } from '../../harness/target-file/select.ts'
import { everySeen, onceFor } from '../steps/orders-seen.ts'
import { violationsOf } from '../steps/violations.ts'
import { looksLikeAnItem } from '../steps/catalog-listing.ts'

type Item = { readonly exchange: Exchange; readonly value: Readonly<Record<string, unknown>> }

/** Every ProductItem that an answer of the run showed, each different one once. */
function itemsSeen({ history, target }: InvariantContext): readonly Item[] {
  // Read by each invariant, so that all are known to build on them.
  const places = {
    listServices: target.operations.listServices.selectors['items'],
    lookupItems: target.operations.lookupItems.selectors['items'],
    getItem: target.operations.getItem.selectors['item'],
  }
  return differentItems(history, places)
}

const differentItems = onceFor((history, places: Places): readonly Item[] => {
  const items = new Map<string, Item>()
  for (const exchange of history.filter(({ response }) => response?.status === 200))
    for (const value of itemsIn(places, exchange)) {
      const text = JSON.stringify(value)
      if (!items.has(text)) items.set(text, { exchange, value })
    }
  return [...items.values()]
})

type Places = Readonly<Record<'listServices' | 'lookupItems' | 'getItem', string | undefined>>

function itemsIn(places: Places, exchange: Exchange): Item['value'][] {
  const { operation, json } = exchange
  if (operation !== 'listServices' && operation !== 'lookupItems' && operation !== 'getItem')
    return []
  const found = selectEach(places[operation] ?? '$.no-selector', json)
  if (operation === 'listServices') return found.filter(isObject)
  const values = operation === 'lookupItems' ? found.map(lookedUp) : found
  // What is no product item at all there is the matter of LOOK-05 and LOOK-08.
  return values.filter(isObject).filter(looksLikeAnItem)
}

function lookedUp(element: unknown): unknown {
  return isObject(element) ? element['item'] : undefined
}

function everyItem(
  name: string,
  requirement: RequirementId,
  {
    statement,
    applies,
    breach,
  }: {
    statement: string
    applies?: (item: Item['value']) => boolean
    breach: (item: Item['value']) => string | undefined
  },
): InvariantDefinition {
  return everySeen({
    id: `catalog.item-${name.toLowerCase()}`,
    title: statement,
    requirement,
    statement,
    subjects: (context) => itemsSeen(context).filter(({ value }) => applies?.(value) ?? true),
    nothing: 'no answer of the run showed a product item that this could be seen of',
    breach: ({ value }) => breach(value),
  })
}

/** A member of the type that the schema gives it. */
function typed(
  member: string,
  requirement: RequirementId,
  statement: string,
  applies?: (item: Item['value']) => boolean,
): InvariantDefinition {
  return everyItem(member, requirement, {
    statement,
    ...(applies && { applies }),
    breach: (item) => {
      const found = violationsOf('product-item', item).find(
        ({ pointer }) => pointer === `/${member}`,
      )
      return found && `${member} of item ${show(item['id'])}: ${found.message}, got ${found.got}`
    },
  })
}

export const itemId = typed('id', 'PROD-01', 'product items have an id, a text')
export const itemCurrency = typed('currency', 'PROD-02', 'product items have a currency, a text')
export const itemPrice = typed('price', 'PROD-03', 'product items have a price, a number')
export const itemInStock = typed(
  'inStock',
  'PROD-04',
  'product items have inStock, a numeric value',
)
export const itemName = typed(
  'name',
  'PROD-05',
  'the name of a product item is a text, null or left out',
)
export const itemAmountIsQuantity = typed(
  'amountIsQuantity',
  'PROD-06',
  'amountIsQuantity of a product item is true, false or left out',
)
export const itemIsLongOrder = typed(
  'isLongOrder',
  'PROD-16',
  'isLongOrder of a product item is true, false or left out',
)

/** Null is no value: many services write it for what an item does not have. */
function has(item: Item['value'], member: string): boolean {
  return (item[member] ?? null) !== null
}

/** An integer where the flag that it belongs to is true. */
function integerWhere(
  flag: 'amountIsQuantity' | 'isLongOrder',
  member: string,
  requirement: RequirementId,
): InvariantDefinition {
  return typed(
    member,
    requirement,
    `${member} of a product item is an integer`,
    (item) => item[flag] === true && has(item, member),
  )
}

export const itemMinQuantity = integerWhere('amountIsQuantity', 'minQuantity', 'PROD-08')
export const itemMaxQuantity = integerWhere('amountIsQuantity', 'maxQuantity', 'PROD-10')
export const itemStepQuantity = integerWhere('amountIsQuantity', 'stepQuantity', 'PROD-12')
export const itemMinLong = integerWhere('isLongOrder', 'minQtyToLongOrder', 'PROD-18')

export const itemUnitPrice = everyItem('unitPrice', 'PROD-14', {
  statement: 'unitPrice of a product item is a text that holds an amount',
  applies: (item) => item['amountIsQuantity'] === true && has(item, 'unitPrice'),
  breach: ({ id, unitPrice }) =>
    typeof unitPrice === 'string' && unitPrice.trim() !== '' && Number.isFinite(Number(unitPrice))
      ? undefined
      : `unitPrice ${show(unitPrice)} of item ${show(id)}`,
})

/** A member that no item has unless its flag is true. A flag of another type is the matter of the flag's own check. */
function absentWithout(
  flag: 'amountIsQuantity' | 'isLongOrder',
  member: string,
  requirement: RequirementId,
): InvariantDefinition {
  return everyItem(`${member}-absent`, requirement, {
    statement: `no product item has ${member} unless its ${flag} is true`,
    applies: (item) => (item[flag] ?? false) === false,
    breach: (item) =>
      has(item, member) ? `${member} ${show(item[member])} on item ${show(item['id'])}` : undefined,
  })
}

export const noMinQuantity = absentWithout('amountIsQuantity', 'minQuantity', 'PROD-09')
export const noMaxQuantity = absentWithout('amountIsQuantity', 'maxQuantity', 'PROD-11')
export const noStepQuantity = absentWithout('amountIsQuantity', 'stepQuantity', 'PROD-13')
export const noUnitPrice = absentWithout('amountIsQuantity', 'unitPrice', 'PROD-15')
export const noMinLong = absentWithout('isLongOrder', 'minQtyToLongOrder', 'PROD-19')
