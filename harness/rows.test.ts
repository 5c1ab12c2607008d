import { expect, test } from 'vitest'
import { orderBy, rowsWhere, valuesAt } from './rows.ts'

test('rows are ordered by a column, equal ones as they came', () => {
  expect(orderBy(Float64Array.of(1, 2, 2, 3))).toBeUndefined()
  expect([...(orderBy(Float64Array.of(3, 1, 2, 1)) ?? [])]).toEqual([1, 3, 2, 0])
})

test('rows are picked', () => {
  const values = Float64Array.of(5, 6, 7, 8)
  const rows = rowsWhere(values.length, (row) => (values[row] as number) % 2 === 0)
  expect([...rows]).toEqual([1, 3])
  expect([...valuesAt(values, rows)]).toEqual([6, 8])
  expect(rowsWhere(2, () => true)).toEqual(Uint32Array.of(0, 1))
})
