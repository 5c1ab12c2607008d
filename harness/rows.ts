/** Rows of columns: numbers of rows, picked or put in an order. Plain loops, since an iterator over a million rows makes a million objects. */

/** Numbers of rows, in the order of one column; undefined where the rows are in that order already. Rows of the same value keep theirs. */
export function orderBy(values: Float64Array): Uint32Array | undefined {
  let sorted = true
  for (let row = 1; sorted && row < values.length; row++)
    sorted = (values[row - 1] as number) <= (values[row] as number)
  if (sorted) return undefined
  const rows = rowsWhere(values.length, () => true)
  return rows.toSorted((a, b) => (values[a] as number) - (values[b] as number))
}

/** Numbers of those of `length` rows for which something holds. */
export function rowsWhere(length: number, holds: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(length)
  let count = 0
  for (let row = 0; row < length; row++) if (holds(row)) rows[count++] = row
  return count === length ? rows : rows.slice(0, count)
}

/** The values of some rows. */
export function valuesAt(values: Float64Array, rows: Uint32Array): Float64Array {
  const picked = new Float64Array(rows.length)
  for (let at = 0; at < rows.length; at++) picked[at] = values[rows[at] as number] as number
  return picked
}
