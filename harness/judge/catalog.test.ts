import { describe, expect, test } from 'vitest'
import {
  haveSameProducts,
  identityOf,
  isAmong,
  locate,
  mentions,
  pageSizeFor,
  repeatedIn,
  sharedWith,
} from './catalog.ts'

const arcade = { id: 's1', name: 'Arcade', items: [{ id: 'i1', price: 1, inStock: 5 }] }
const mobile = { id: 's2', name: 'Mobile', items: [{ id: 'i1', price: 2, inStock: 0 }] }

describe('identity of a product', () => {
  test('neither the order of members, nor stock, nor price makes it another', () => {
    const again = { items: [{ inStock: 4, price: 1.1, id: 'i1' }], name: 'Arcade', id: 's1' }
    expect(identityOf(again)).toBe(identityOf(arcade))
    expect(identityOf(mobile)).not.toBe(identityOf(arcade))
  })

  test('neither moments, nor signed addresses, nor the order of its items make it another', () => {
    const item = { id: 'i1', price: 1, inStock: 5 }
    const other = { id: 'i2', price: 1, inStock: 5 }
    const image = 'https://images.example/a.png'
    const one = {
      id: 's1',
      image: `${image}?at=1`,
      seen: '2026-05-01T10:00Z',
      items: [item, other],
    }
    const two = {
      id: 's1',
      image: `${image}?at=2`,
      seen: '2026-05-01T11:00Z',
      items: [other, item],
    }
    expect(identityOf(one)).toBe(identityOf(two))
    expect(identityOf({ ...one, items: [item] })).not.toBe(identityOf(two))
    expect(identityOf({ ...one, image: 'https://images.example/b.png' })).not.toBe(identityOf(two))
  })

  test('lists are compared with their repetitions, without their order', () => {
    expect(haveSameProducts([arcade, mobile], [mobile, arcade])).toBe(true)
    expect(haveSameProducts([arcade, arcade], [arcade, mobile])).toBe(false)
    expect(haveSameProducts([arcade], [arcade, arcade])).toBe(false)
  })

  test('repetitions and shared products are found', () => {
    expect(repeatedIn([arcade, mobile, arcade])).toEqual([identityOf(arcade)])
    expect(repeatedIn([arcade, mobile])).toEqual([])
    expect(sharedWith([arcade, mobile], [mobile])).toEqual([mobile])
  })
})

describe('locating what an order buys', () => {
  test('the product that has most of the variables is it', () => {
    expect(locate([arcade, mobile], ['s2', 'i1', null])).toEqual({ product: mobile, matches: 2 })
  })

  test('nothing is located where several match equally, or none does', () => {
    expect(locate([arcade, mobile], ['i1'])).toBeUndefined()
    expect(locate([arcade, mobile], ['elsewhere'])).toBeUndefined()
    expect(locate([], ['i1'])).toBeUndefined()
  })

  test('an amount is no identifier', () => {
    const cheap = { id: 's2', items: [{ id: 'i7', price: 1, inStock: 1, minQuantity: 1 }] }
    const meant = { id: 's2', items: [{ id: 's2/1', price: 3, inStock: 4 }] }
    expect(locate([cheap, meant], ['s2', 's2/1', '1'])?.product).toBe(meant)
  })

  test('a shorter list has it or not', () => {
    const located = { product: mobile, matches: 2 }
    expect(isAmong([arcade], ['s2', 'i1'], located)).toBe(false)
    expect(isAmong([mobile], ['s2', 'i1'], located)).toBe(true)
  })

  test('a text is found in any case at any depth', () => {
    expect(mentions({ items: [{ name: 'Arcade' }] }, 'CADE')).toBe(true)
    expect(mentions({ items: [{ name: 'Arcade' }] }, 'mobile')).toBe(false)
  })
})

describe('page size', () => {
  test.each([
    [0, 1],
    [1, 1],
    [11, 3],
    [12, 5],
    [25, 6],
    [10_000, 25],
  ])('%i products are paged by %i', (total, size) => {
    expect(pageSizeFor(total)).toBe(size)
  })
})
