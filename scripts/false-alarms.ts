/** `npm run false-alarms`: services that conform, many times each, in virtual time. Nothing may turn red. */
import { writeFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { readArguments } from '../harness/command-line.ts'
import {
  CONFORMING_NAMES,
  type ConformingName,
  type ConformingRow,
} from '../test/support/conforming.ts'
import { poorShares } from '../test/support/decided-shares.ts'
import { rateUpperBound } from '../test/support/rate.ts'
import { command } from './command.ts'
import { inThreads } from './threads.ts'

const HELP = `Runs the whole suite against the clean reference service and against each of its conforming variants, in virtual
time: windows of 2 and of 60 s, started by the epoch, by the service, by the first request and by each counter for itself,
met at any moment of theirs, with up to 80 ms on each way. Whatever turns red is a false alarm. Variants that decide
fewer checks than the clean service are listed where that ran too.

Usage: npm run false-alarms -- [options]
  --runs N       runs of each service (50), numbered from 0
  --only A,B     services: clean or variants (all; npm run serve -- --list-variants)
  --from N       number of the first run (0), so that a series can be split over machines or continued: --from 25 --runs 50
  --run N        one run only, by its number
  --json FILE    write every run that was not all green, and the sums, to FILE
  -h, --help

Exit codes
  0 no false alarm, everything decided      1 a false alarm
  2 usage                                   6 a check stayed undecided
  130 interrupted: the sums of the runs until then are printed
`

/** A line of progress after so many runs. */
const PROGRESS_RUNS = 100

const OPTIONS = {
  runs: { type: 'string', default: '50' },
  only: { type: 'string' },
  from: { type: 'string', default: '0' },
  run: { type: 'string' },
  json: { type: 'string' },
} as const

type Range = { readonly run?: string; readonly from: string; readonly runs: string }

await command(HELP, async ({ argv }) => {
  const { values } = readArguments({ args: [...argv], options: OPTIONS })
  const wanted = values.only?.split(',') ?? CONFORMING_NAMES
  const names = CONFORMING_NAMES.filter((name) => wanted.includes(name))
  const unknown = wanted.find((name) => !CONFORMING_NAMES.some((known) => known === name))
  const numbers = runNumbers(values)
  if (unknown !== undefined || numbers === undefined) {
    console.error(
      unknown === undefined
        ? 'Got --runs, --from or --run that are no range of whole numbers; expected --run and --from from 0, --runs beyond --from.'
        : `Got the service ${unknown}; expected clean or a variant: npm run serve -- --list-variants`,
    )
    return 2
  }
  const tasks = numbers.flatMap((run) => names.map((name) => [name, run] as const))
  return conclude(await runAll(tasks, values.json), values.json)
})

function runNumbers({ run, from, runs }: Range): readonly number[] | undefined {
  const [first, end] =
    run === undefined ? [Number(from), Number(runs)] : [Number(run), Number(run) + 1]
  const isRange = Number.isInteger(first) && Number.isInteger(end) && 0 <= first && first < end
  return isRange ? Array.from({ length: end - first }, (_, index) => first + index) : undefined
}

async function runAll(
  tasks: readonly (readonly [name: ConformingName, run: number])[],
  jsonFile: string | undefined,
): Promise<readonly ConformingRow[]> {
  const rows: ConformingRow[] = []
  const startedMs = performance.now()
  // What was measured until then is reported.
  process.once('SIGINT', () => {
    void conclude(rows, jsonFile).then(() => process.exit(130))
  })
  return inThreads(
    tasks,
    (share) =>
      new Worker(new URL('false-alarms-worker.ts', import.meta.url), { workerData: share }),
    (row: ConformingRow) => {
      rows.push(row)
      printRow(row)
      if (rows.length % PROGRESS_RUNS !== 0) return
      const seconds = (performance.now() - startedMs) / 1000
      console.log(`${rows.length} of ${tasks.length} runs in ${seconds.toFixed(0)} s`)
    },
  )
}

function printRow({ name, run, conditions, alarms, undecided }: ConformingRow): void {
  if (alarms.length + undecided.length === 0) return
  console.log(`${name}, run ${run}, ${JSON.stringify(conditions)}`)
  for (const line of alarms) console.log(`  FALSE ALARM ${line}`)
  for (const line of undecided) console.log(`  undecided   ${line}`)
  console.log(`  again: npm run false-alarms -- --only ${name} --run ${run}`)
}

async function conclude(
  rows: readonly ConformingRow[],
  jsonFile: string | undefined,
): Promise<number> {
  const alarmed = rows.filter(({ alarms }) => alarms.length > 0)
  const open = rows.filter(({ undecided }) => undecided.length > 0)
  const decided = rows.reduce((sum, row) => sum + row.decided, 0)
  const services = new Set(rows.map(({ name }) => name)).size
  console.log(`${rows.length} runs of ${services} conforming services, ${decided} checks decided`)
  console.log(`  with a false alarm     ${rateText(alarmed.length, rows.length)}`)
  console.log(`  with an undecided check ${rateText(open.length, rows.length)}`)
  const poor = poorShares(rows)
  for (const { name, decided: poorest, clean } of poor)
    console.log(`  ${name} decides ${poorest} checks, the clean service ${clean}`)
  if (jsonFile !== undefined) {
    const sums = {
      runs: rows.length,
      services,
      decided,
      alarmed: alarmed.length,
      open: open.length,
      poor,
    }
    const red = [...new Set([...alarmed, ...open])]
    await writeFile(jsonFile, `${JSON.stringify({ ...sums, red }, undefined, 2)}\n`)
  }
  if (alarmed.length > 0) return 1
  return open.length > 0 ? 6 : 0
}

function rateText(events: number, trials: number): string {
  const bound = (100 * rateUpperBound(events, trials)).toFixed(3)
  return `${events} of ${trials}: ${((100 * events) / trials).toFixed(3)} %, at most ${bound} % (exact, 95 %)`
}
