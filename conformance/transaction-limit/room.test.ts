import { expect, test } from 'vitest'
import { unitsOfVolley } from './room.ts'

test.each([600, 599, 298, 40])(
  'with %j units left exactly one order of a volley of 20 fits',
  (left) => {
    expect(Math.floor(left / unitsOfVolley(left, 20))).toBe(1)
  },
)

test.each([
  [39, 13],
  [24, 12],
  [20, 10],
  [10, 10],
  [3, 3],
])('with %j units left %j orders of a volley of 20 fit', (left, fitting) => {
  expect(Math.floor(left / unitsOfVolley(left, 20))).toBe(fitting)
})
