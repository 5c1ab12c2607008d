import { appendFile } from 'node:fs/promises'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import type { Rendered } from '../record/write.ts'
import { renderAnnotations } from '../report/annotations.ts'

/** In a job of GitHub Actions: annotations by requirement, and the summary of the job. Elsewhere nothing. */
export async function tellGithub(
  record: RunRecord,
  files: readonly Rendered[],
  out: NodeJS.WritableStream,
): Promise<void> {
  if (process.env['GITHUB_ACTIONS'] !== 'true') return
  out.write(renderAnnotations(record))
  const summary = files.find(({ file }) => file === 'summary.md')
  const place = process.env['GITHUB_STEP_SUMMARY']
  if (place === undefined || summary === undefined) return
  await appendFile(place, summary.text).catch((cause: unknown) => {
    out.write(`::warning title=Job summary::${(cause as Error).message}\n`)
  })
}
