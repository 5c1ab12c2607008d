/** `npm run inspect`: holds a record against itself, and exports its evidence. */
import { writeFile } from 'node:fs/promises'
import { readArguments, requireRuns } from '../harness/command-line.ts'
import { command } from './command.ts'

const HELP = `Recomputes counts and verdict of a run from its findings, and says what contradicts them.

Usage: npm run inspect -- RUN [options]

  RUN           run.json of a run, or its directory
  --har FILE    write the evidence as HTTP Archive 1.2
  --json        the result as JSON on standard output
  -h, --help

Exit codes
  0 the record is as it was written, and its verdict follows from its findings
  1 the record contradicts itself: it was edited, or a partial one claims to be whole
  2 the file is no run record

Examples
  npm run inspect -- reports/latest
  npm run inspect -- run.json --har evidence.har
`

async function inspect(
  args: readonly string[],
  out: Pick<NodeJS.WriteStream, 'write'>,
): Promise<number> {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: { har: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
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

await command(HELP, ({ argv, streams }) => inspect(argv, streams.out))
