/** `npm run inspect`: holds a record against itself, and exports its evidence. */
import { writeFile } from 'node:fs/promises'
import { readPage, requireRuns } from '../harness/command-line.ts'
import { command } from './command.ts'
import { INSPECT_PAGE } from './pages.ts'

async function inspect(
  args: readonly string[],
  out: Pick<NodeJS.WriteStream, 'write'>,
): Promise<number> {
  const { values, positionals } = readPage(INSPECT_PAGE, args)
  requireRuns(positionals, 1, 'Name it: npm run inspect -- reports/latest.')
  const [file = ''] = positionals
  const { readRecord } = await import('../harness/record/read.ts')
  const { contradictionsIn } = await import('../harness/record/inspect.ts')
  const record = await readRecord(file)
  const contradictions = contradictionsIn(record)
  if (values.har !== undefined) {
    const { renderHar } = await import('../harness/report/har.ts')
    await writeFile(values.har, renderHar(record))
  }
  const { runId, verdict, exitCode, exitReason } = record
  if (values.json)
    out.write(
      `${JSON.stringify({ runId, verdict, exitCode, exitReason, contradictions }, undefined, 2)}\n`,
    )
  else {
    const { renderConsole } = await import('../harness/report/console.ts')
    out.write(renderConsole(record, { colour: false }))
    out.write(
      contradictions.length === 0
        ? 'The record is as it was written, and its verdict follows from its findings.\n'
        : `${contradictions.map((each) => `✕ ${each}`).join('\n')}\n`,
    )
  }
  return contradictions.length === 0 ? 0 : 1
}

await command(INSPECT_PAGE, ({ argv, streams }) => inspect(argv, streams.out))
