/** Numbers of rows, in the order of one column; undefined where the rows are in that order already. Rows of the same value keep theirs. */
export function orderBy(values: Float64Array): Uint32Array | undefined {
  let sorted = true
  for (let row = 1; sorted && row < values.length; row++)
    sorted = (values[row - 1] as number) <= (values[row] as number)
  if (sorted) return undefined
  return Uint32Array.from(values.keys()).toSorted(
    (a, b) => (values[a] as number) - (values[b] as number),
  )
}
