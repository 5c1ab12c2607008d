/** `npm run compare`: what is newly broken, mended, still broken and newly undecided in the later of two runs. */
import { readArguments, requireRuns } from '../harness/command-line.ts'
import { command } from './command.ts'

const HELP = `Compares two runs: what is newly broken, still broken, mended and no longer decided, observations, and figures of load beyond noise.

Usage: npm run compare -- BEFORE NOW [options]

  BEFORE, NOW   run.json of a run, or its directory
  --json        the same as JSON on standard output
  -h, --help

Exit codes
  0 nothing is newly broken
  1 a requirement is newly broken
  2 a file is no run record

Examples
  npm run compare -- reports/RUN-OF-MAIN reports/RUN-OF-BRANCH
  npm run compare -- main/run.json branch/run.json --json
`

async function compare(
  args: readonly string[],
  out: Pick<NodeJS.WriteStream, 'write'>,
): Promise<number> {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  })
  requireRuns(positionals, 2, 'Name the earlier run first: npm run compare -- BEFORE NOW.')
  const [earlier = '', later = ''] = positionals
  const { sideBySide } = await import('../harness/baseline/runs.ts')
  const { readRecord } = await import('../harness/record/read.ts')
  const { renderComparison } = await import('../harness/report/compare-console.ts')
  const [before, now] = [await readRecord(earlier), await readRecord(later)]
  const compared = sideBySide(before, now)
  const runs = { before: before.runId, now: now.runId }
  out.write(
    values.json
      ? `${JSON.stringify({ runs, ...compared }, undefined, 2)}\n`
      : renderComparison({ before, now, ...compared }),
  )
  return compared.comparison.requirements?.newlyBroken.length ? 1 : 0
}

await command(HELP, ({ argv, streams }) => compare(argv, streams.out))
