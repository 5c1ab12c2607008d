/** The exchanges of a quota as columns: about 30 bytes for each, so that a million of them can be judged in little memory. */
import { EVIDENCE } from '../../../load/protocol/evidence-table.ts'
import { orderBy } from '../../rows.ts'
import { joinRows, pickRows, RowColumns, type ColumnsOf } from '../evidence/row-columns.ts'

export type Samples = ColumnsOf<typeof EVIDENCE.windows.x>

/** The samples of several streams of one file in the order of sending; those of one stream that are so already are not copied. */
export function inSentOrder(parts: readonly Samples[]): Samples {
  const [first, ...rest] = parts
  if (first === undefined) return new RowColumns(EVIDENCE.windows.x).columns()
  const all = rest.length === 0 ? first : joinRows([first, ...rest])
  const order = orderBy(all.sentMs)
  return order === undefined ? all : pickRows(all, order)
}
