import { expect, test } from 'vitest'
import { orderBy, rowsWhere, valuesAt } from './rows.ts'

test('rows are ordered by a column, equal ones as they came', () => {
  expect(orderBy(Float64Array.of(1, 2, 2, 3))).toBeUndefined()
  expect([...(orderBy(Float64Array.of(3, 1, 2, 1)) ?? [])]).toEqual([1, 3, 2, 0])
})

test('rows of any column are ordered as by a stable sort', () => {
  let state = 1
  const random = (): number => (state = (48_271 * state) % 2_147_483_647) / 2_147_483_647
  for (let round = 0; round < 300; round++) {
    const length = Math.floor(random() * 40)
    const [different, drift] = [1 + Math.floor(random() * 20), random() * 3]
    const values = Float64Array.from({ length }, (_, row) =>
      Math.floor(random() * different + drift * row),
    )
    const expected = [...values.keys()].toSorted(
      (a, b) => (values[a] as number) - (values[b] as number),
    )
    const isSorted = expected.every((row, at) => row === at)
    expect(orderBy(values)).toEqual(isSorted ? undefined : Uint32Array.from(expected))
  }
})

test('rows are picked', () => {
  const values = Float64Array.of(5, 6, 7, 8)
  const rows = rowsWhere(values.length, (row) => (values[row] as number) % 2 === 0)
  expect([...rows]).toEqual([1, 3])
  expect([...valuesAt(values, rows)]).toEqual([6, 8])
  expect(rowsWhere(2, () => true)).toEqual(Uint32Array.of(0, 1))
})
