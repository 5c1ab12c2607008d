import { describe, expect, test } from 'vitest'
import { shapeBreaches } from './cart-shape.ts'

const single = {
  orderId: 'o-1',
  currency: 'USD',
  price: 1,
  status: 'SUCCESS',
  createdAt: '2026-07-01T10:00:00Z',
  result: { vouchers: [{ pin: 'A' }] },
}
const entry = { ...single, orderId: 'o-2', price: 2, note: 'added' }
const { orderId: _gone, ...withoutId } = entry

describe('an order of a checkout, against a single purchase', () => {
  test('conforms where it has the same members, and may have more', () => {
    expect(shapeBreaches(entry, single)).toEqual([])
  })

  test.for([
    ['has no orderId', withoutId, '/orderId'],
    ['has a price that is a text', { ...entry, price: '2.00' }, '/price'],
    ['has a status of its own', { ...entry, status: 'DONE' }, '/status'],
    ['lacks the result', { ...entry, result: null }, '/result: missing'],
    ['lacks createdAt', { ...entry, createdAt: undefined }, '/createdAt: missing'],
    ['is a text', 'o-2', 'not an object'],
  ] as const)('breaks the shape where it %s', ([, value, text]) => {
    const breaches = shapeBreaches(value, single)
    expect(breaches).toHaveLength(1)
    expect(breaches[0]).toContain(text)
  })

  test('is not blamed for what single purchases break too', () => {
    const odd = { ...single, result: { vouchers: [{ pin: 1 }] }, createdAt: '01.07.2026' }
    const same = { ...odd, result: { vouchers: [{ pin: 'A' }, { pin: 2 }] } }
    expect(shapeBreaches(same, odd)).toEqual([])
  })

  test.for([undefined, null, {}])(
    'is not held to the result %j of a pending purchase',
    (result) => {
      const pending = { ...single, status: 'IN_PROGRESS', result }
      const nulls = { ...entry, result: { vouchers: [{ pin: 'A', expiration: null }] } }
      expect(shapeBreaches(nulls, pending)).toEqual([])
      expect(shapeBreaches(nulls, single)).toHaveLength(1)
    },
  )

  test('may lack what comes later while it is pending', () => {
    const pending = { orderId: 'o-3', currency: 'USD', price: 1, status: 'IN_PROGRESS' }
    expect(shapeBreaches(pending, single)).toEqual([])
  })
})
