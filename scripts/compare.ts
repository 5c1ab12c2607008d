/** `npm run compare`: what is newly broken, mended, still broken and newly undecided in the later of two runs. */
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

await command(HELP, async ({ argv, streams }) => {
  const { compare } = await import('./compare-main.ts')
  return await compare(argv, streams.out)
})
