import { expect, test } from 'vitest'
import { orderBy } from './row-order.ts'

test('rows are ordered by a column, equal ones as they came', () => {
  expect(orderBy(Float64Array.of(1, 2, 2, 3))).toBeUndefined()
  expect([...(orderBy(Float64Array.of(3, 1, 2, 1)) ?? [])]).toEqual([1, 3, 2, 0])
})
