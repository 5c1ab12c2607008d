import { expect, it } from 'vitest'
import { exchangeWith } from '../../test/support/exchanges.ts'
import type { Exchange } from '../client/exchange.ts'
import { outagesIn } from './outages.ts'

const ITEM = { data: { page: { items: [{ status: 'SUCCESS' }] } } }
const NONE = { data: { page: { items: [] } } }

function read(check: string, order: string, atMs: number, json: object, status = 200): Exchange {
  return exchangeWith({
    id: `${check}-${atMs}`,
    check,
    request: { url: `http://shop.example/api/v1/orders?orderId=${order}` },
    sentAtMs: atMs,
    receivedAtMs: atMs + 5,
    sentAtWallMs: Date.UTC(2030, 0, 1) + atMs,
    json,
    response: { status, body: JSON.stringify(json) },
  })
}

function broken(atMs: number): Exchange {
  const { json: _json, response: _response, ...sent } = read('d', 'o9', atMs, NONE)
  return { ...sent, error: { code: 'ECONNRESET', message: 'reset' } }
}

/** Three orders of two checks, there before 100 and gone after it. */
const BEFORE = [read('a', 'o1', 10, ITEM), read('b', 'o2', 20, ITEM), read('b', 'o3', 30, ITEM)]
const AFTER = [
  read('a', 'o1', 110, NONE),
  read('b', 'o2', 120, NONE),
  read('b', 'o3', 130, {}, 401),
]

it('is a broken connection after which nothing is left of what was known', () => {
  const [outage, ...others] = outagesIn([...BEFORE, broken(100), ...AFTER])
  expect(others).toEqual([])
  expect(outage?.checks).toEqual(['a', 'b', 'd'])
  expect(outage?.text).toMatch(/ECONNRESET\); 3 orders that it knew before were gone after it$/)
})

it.each<[string, readonly Exchange[]]>([
  ['orders are lost and no connection broke', [...BEFORE, ...AFTER]],
  ['a connection broke and nothing is lost', [...BEFORE, broken(100)]],
  ['few are lost', [...BEFORE.slice(0, 2), broken(100), ...AFTER.slice(0, 2)]],
  [
    'all that is lost is of one check',
    [...BEFORE, broken(100), ...AFTER].map((each) => ({ ...each, check: 'a' })),
  ],
  [
    'an order survived',
    [...BEFORE, read('c', 'o4', 40, ITEM), broken(100), ...AFTER, read('c', 'o4', 140, ITEM)],
  ],
  [
    'an order is lost at another time too',
    [...BEFORE, broken(100), ...AFTER, read('c', 'o5', 150, ITEM), read('c', 'o5', 160, NONE)],
  ],
  ['connections break again and again', [broken(1), ...BEFORE, broken(100), ...AFTER]],
])('is none where %s', (_, history) => {
  expect(outagesIn(history)).toEqual([])
})

function bought(check: string, referenceId: string, orderId: string, atMs: number): Exchange {
  return {
    ...read(check, '', atMs, { data: { orderId } }),
    operation: 'createOrder',
    request: {
      method: 'POST',
      url: 'http://shop.example/api/v1/orders',
      headers: [],
      body: JSON.stringify({ referenceId }),
    },
  }
}

const BOUGHT = ['a', 'b', 'c'].map((check, index) =>
  bought(check, `r-${check}`, `o-${check}`, index),
)

it('is seen by purchases whose reference stands for another order, if one order is gone too', () => {
  const again = ['a', 'b'].map((check) => bought(check, `r-${check}`, `n-${check}`, 120))
  const gone = read('c', 'o-c', 130, NONE)
  expect(outagesIn([...BOUGHT, broken(100), ...again, gone])).toHaveLength(1)
  const third = bought('c', 'r-c', 'n-c', 125)
  // A service that forgets references after a while keeps the orders.
  expect(outagesIn([...BOUGHT, broken(100), ...again, third])).toEqual([])
  expect(
    outagesIn([...BOUGHT, broken(100), ...again, gone, third, read('a', 'o-a', 140, ITEM)]),
  ).toEqual([])
})
