/** All files that a run leaves beside its run.json. */
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { renderCtrf } from './ctrf.ts'
import { renderHtml } from './html.ts'
import { renderJunit } from './junit.ts'
import { renderMarkdown } from './markdown.ts'

export { renderConsole, takesColour } from './console.ts'

export type ReportFile = { readonly file: string; readonly text: string }

/** The record itself, run.json, is written by the record layer. */
export function renderAll(record: RunRecord): ReportFile[] {
  return [
    { file: 'index.html', text: renderHtml(record) },
    { file: 'junit.xml', text: renderJunit(record) },
    { file: 'ctrf.json', text: renderCtrf(record) },
    { file: 'summary.md', text: renderMarkdown(record) },
  ]
}
