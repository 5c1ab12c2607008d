/** Rows of columns: numbers of rows, picked or put in an order. Plain loops, since an iterator over a million rows makes a million objects. */

type Ordered = Float64Array | Uint32Array

/**
 * Numbers of rows, in the order of one column; undefined where the rows are in that order already. Rows of the same value keep theirs.
 * Merges runs, which evidence has few of: to sort by a comparison takes V8 another 16 bytes for each row.
 */
export function orderBy(values: Ordered): Uint32Array | undefined {
  if (isOrdered(values)) return undefined
  let rows: Uint32Array = rowsWhere(values.length, () => true)
  let merged: Uint32Array = new Uint32Array(rows.length)
  while (mergeRuns(values, rows, merged) > 1) [rows, merged] = [merged, rows]
  return merged
}

function isOrdered(values: Ordered): boolean {
  for (let row = 1; row < values.length; row++)
    if ((values[row] as number) < (values[row - 1] as number)) return false
  return true
}

/** Merges each two runs that follow one another; returns how many that leaves. */
function mergeRuns(values: Ordered, rows: Uint32Array, merged: Uint32Array): number {
  let runs = 0
  for (let start = 0; start < rows.length; runs++) {
    const middle = endOfRun(values, rows, start)
    const end = endOfRun(values, rows, middle)
    let [left, right] = [start, middle]
    for (let at = start; at < end; at++) {
      const isRight = left === middle || (right < end && isLess(values, rows, right, left))
      merged[at] = rows[isRight ? right++ : left++] as number
    }
    start = end
  }
  return runs
}

/** Where the run of rows that begins at `start` is over. */
function endOfRun(values: Ordered, rows: Uint32Array, start: number): number {
  let end = start + 1
  while (end < rows.length && !isLess(values, rows, end, end - 1)) end++
  return Math.min(end, rows.length)
}

function isLess(values: Ordered, rows: Uint32Array, a: number, b: number): boolean {
  return (values[rows[a] as number] as number) < (values[rows[b] as number] as number)
}

/** Numbers of those of `length` rows for which something holds. */
export function rowsWhere(length: number, holds: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(length)
  let count = 0
  for (let row = 0; row < length; row++) if (holds(row)) rows[count++] = row
  // Handed over, so that the rest does not wait for the garbage collector.
  return count === length
    ? rows
    : new Uint32Array(rows.buffer.transfer(count * rows.BYTES_PER_ELEMENT))
}

/** The values of some rows. */
export function valuesAt(values: Float64Array, rows: Uint32Array): Float64Array {
  const picked = new Float64Array(rows.length)
  for (let at = 0; at < rows.length; at++) picked[at] = values[rows[at] as number] as number
  return picked
}

/** Sorts values that nobody else holds in place: of a million of them a copy is 8 MB. */
export function inOrder(own: Float64Array): Float64Array {
  own.sort()
  return own
}

/** Most that are under way at one moment, of what begins and ends at these times. An end comes before a start at the same moment. */
export function mostAtOnce(starts: Float64Array, ends: Float64Array): number {
  const [begun, over] = [starts.toSorted(), ends.toSorted()]
  let [most, ended] = [0, 0]
  for (let begin = 0; begin < begun.length; begin++) {
    while ((over[ended] as number) <= (begun[begin] as number)) ended++
    most = Math.max(most, begin + 1 - ended)
  }
  return most
}
