/** What lay on the target while the checks ran: of other accounts, of the checks, of both. */
import type { RunRecord } from '../../../schemas/generated/run-record.ts'
import { markup } from '../shared/markup.ts'
import { oneLine } from '../../text.ts'
import {
  TRAFFIC_COLUMNS,
  TRAFFIC_ROWS,
  trafficCells,
  underLoadLine,
} from '../shared/under-load-words.ts'
import type { Section } from './section.ts'

export function underLoadSection(record: RunRecord): Section | undefined {
  const { underLoad } = record
  const line = underLoadLine(record)
  if (!underLoad || line === undefined) return undefined
  const rows = TRAFFIC_ROWS.map(
    ([name, title]) =>
      markup`<tr><th scope="row">${title}</th>${trafficCells(underLoad[name]).map((cell) => markup`<td class="number">${cell}</td>`)}</tr>`,
  )
  const head = TRAFFIC_COLUMNS.map((name) => markup`<th scope="col" class="number">${name}</th>`)
  const content = markup`<article class="card"><p class="statement">${oneLine(line, 600)}</p>
<div class="latencies"><table><caption>While the checks ran</caption><thead><tr><th scope="col">Sent by</th>${head}</tr></thead><tbody>${rows}</tbody></table></div></article>`
  return { id: 'under-load', title: 'Under load', content }
}
