/** All files that a run leaves beside its run.json. */
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { renderCtrf } from './ctrf.ts'
import { renderHtml } from './html.ts'
import { renderJunit } from './junit.ts'
import { renderLoadPerformance } from './load-performance.ts'
import { renderMarkdown } from './markdown.ts'

export { renderConsole, takesColour } from './console.ts'
export { renderVerdict } from './verdict-json.ts'

export type ReportFile = { readonly file: string; readonly text: string }

/** All that lies in the directory of a run. */
export const RUN_FILES = [
  'index.html',
  'junit.xml',
  'ctrf.json',
  'load-performance.json',
  'summary.md',
  'k6.log',
  'orders.csv',
  'run.json',
].map((file) => ({ file }))

/** The record itself, run.json, is written by the record layer. */
export function renderAll(record: RunRecord): ReportFile[] {
  const loadPerformance = renderLoadPerformance(record)
  return [
    { file: 'index.html', text: renderHtml(record) },
    { file: 'junit.xml', text: renderJunit(record) },
    { file: 'ctrf.json', text: renderCtrf(record) },
    { file: 'summary.md', text: renderMarkdown(record) },
    ...(loadPerformance === undefined
      ? []
      : [{ file: 'load-performance.json', text: loadPerformance }]),
  ]
}
