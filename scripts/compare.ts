/** `npm run compare`: what is newly broken, mended, still broken and newly undecided in the later of two runs. */
import { sideBySide } from '../harness/baseline/runs.ts'
import { readArguments } from '../harness/command-line.ts'
import { HarnessError } from '../harness/errors.ts'
import { readRecord } from '../harness/record/read.ts'
import { renderComparison } from '../harness/report/compare-console.ts'
import { report } from './ending.ts'

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

async function compare(args: readonly string[]): Promise<number> {
  const { values, positionals } = options(args)
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const [earlier, later, ...others] = positionals
  if (earlier === undefined || later === undefined || others.length > 0)
    throw new HarnessError(
      'E_USAGE',
      `${positionals.length} runs were named, 2 are compared`,
      'Name the earlier run first: npm run compare -- BEFORE NOW.',
    )
  const [before, now] = [await readRecord(earlier), await readRecord(later)]
  const compared = sideBySide(before, now)
  const runs = { before: before.runId, now: now.runId }
  console.log(
    values.json
      ? JSON.stringify({ runs, ...compared }, undefined, 2)
      : renderComparison({ before, now, ...compared }).trimEnd(),
  )
  return compared.comparison.requirements?.newlyBroken.length ? 1 : 0
}

function options(args: readonly string[]) {
  return readArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
}

try {
  process.exitCode = await compare(process.argv.slice(2))
} catch (cause) {
  process.exitCode = report(cause)
}
