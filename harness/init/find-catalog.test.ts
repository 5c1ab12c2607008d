import { expect, it } from 'vitest'
import { findCatalog, serviceIdMember, stepsTo, valueAt } from './find-catalog.ts'

const ITEM = { currency: 'USD', price: 1, inStock: 5 }
const PRODUCTS = [
  { ...ITEM, id: '11', name: 'Card 1 USD', service: { id: '7', title: 'Card' } },
  { ...ITEM, id: '12', name: 'Card 5 USD', service: { id: '7', title: 'Card' } },
  { ...ITEM, id: '21', name: 'Airtime', service: { id: '8', title: 'Phone' } },
]

function catalog(products: readonly object[]): ReturnType<typeof findCatalog> {
  const counted = { data: { products: products.slice(0, 1), total: products.length } }
  return findCatalog({ data: { products } }, counted)
}

it('finds the service of items that stand alone in an object of theirs', () => {
  const shape = catalog(PRODUCTS)
  expect(serviceIdMember(shape)).toBe('service.id')
  expect(shape.nameMembers).toEqual(['name', 'service.title'])
  expect(valueAt(shape.services[2], 'service.title')).toBe('Phone')
  expect(stepsTo('service.title')).toEqual(['service', 'title'])
})

it('takes no other object of an item for its service', () => {
  const products = PRODUCTS.map(({ service, ...rest }) => ({ ...rest, supplier: service }))
  expect(serviceIdMember(catalog(products))).toBeUndefined()
  expect(catalog(products).nameMembers).toEqual(['name'])
})

it('takes a point in the name of a member for a part of that name', () => {
  expect(stepsTo('display.name')).toEqual(['display.name'])
})
