import { describe, expect, test } from 'vitest'
import { readOrderAnswer } from './order-answers.ts'

const ORDER = {
  id: ['data', 'order', 'no'],
  price: ['data', 'order', 'sum', 'of'],
  currency: ['data', 'order', 'sum', 'in'],
  state: ['data', 'order', 'state'],
} as const
const LISTED = {
  items: ['data', 'page', 'items'],
  state: ['data', 'page', 'items', { every: true }, 'state'],
} as const

function read(body: unknown, reads: object = ORDER, status = 200): object {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return readOrderAnswer({ status, body: text }, { durationMs: 3, isNew: false, reads })
}

describe('an answer', () => {
  test('is read where the target file says', () => {
    const order = { no: 'a,b', sum: { of: 1.5, in: 'USD' }, state: 'SUCCESS' }
    expect(read({ statusCode: 0, data: { order, orderId: 'other' } })).toMatchObject({
      status: 200,
      code: '0',
      orderId: 'a%2Cb',
      price: '1.5',
      currency: 'USD',
      state: 'SUCCESS',
      items: '-',
    })
  })

  test('of a checkout names every order', () => {
    const cart = { id: ['data', 'orders', { every: true }, 'no'] }
    expect(read({ data: { orders: [{ no: 'a' }, { no: 7 }] } }, cart)).toMatchObject({
      orderId: 'a,7',
      price: '-',
    })
  })

  test('of a read counts its orders and gives their states', () => {
    const items = [{ state: 'SUCCESS' }, { state: 'IN_PROGRESS' }]
    expect(read({ data: { page: { items } } }, LISTED)).toMatchObject({
      items: '2',
      state: 'SUCCESS,IN_PROGRESS',
    })
    expect(read({ data: { page: { items: [] } } }, LISTED)).toMatchObject({
      items: '0',
      state: '-',
    })
    expect(read({ data: null }, LISTED, 429)).toMatchObject({ items: '-', state: '-' })
  })

  test('whose states cannot be told apart has none', () => {
    const items = [{ state: 'SUCCESS' }, {}]
    expect(read({ data: { page: { items } } }, LISTED)).toMatchObject({ items: '2', state: '-,-' })
  })

  test('of a read whose selector gives each order may be empty', () => {
    const each = { items: ['data', 'page', 'items', { every: true }] }
    expect(read({ data: { page: { items: [] } } }, each)).toMatchObject({ items: '0' })
    expect(read({ data: null }, each, 429)).toMatchObject({ items: '-' })
  })

  test.each(['<html>', 'null', '[]', '"text"', ''])('of %j holds nothing', (body) => {
    expect(read(body)).toMatchObject({ code: '-', orderId: '-', price: '-', state: '-' })
  })

  test('that did not come says why', () => {
    const circumstances = { durationMs: 3, isNew: true, reads: ORDER }
    expect(readOrderAnswer({ status: 0, error_code: 1050 }, circumstances)).toMatchObject({
      status: 0,
      code: '1050',
      connection: '-',
    })
  })
})
