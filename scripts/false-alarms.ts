/** `npm run false-alarms`: services that conform, many times each, in virtual time. Nothing may turn red. */
import { writeFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { readPage } from '../harness/command-line.ts'
import { usageError } from '../harness/errors.ts'
import { parseUnderLoad } from '../harness/load/under-load/workload.ts'
import { ENDING_SIGNALS, SIGNAL_EXIT_CODES } from '../harness/signals.ts'
import {
  CONFORMING_NAMES,
  type ConformingRow,
  type ConformingTask,
  servicesTogether,
  variantsNamed,
} from '../test/support/conforming.ts'
import { poorShares } from '../test/support/decided-shares.ts'
import { rateUpperBound } from '../test/support/rate.ts'
import { command } from './command.ts'
import { FALSE_ALARMS_PAGE } from './developer-pages.ts'
import { inThreads } from './threads.ts'

/** A line of progress after so many runs. */
const PROGRESS_RUNS = 100

type Range = { readonly run?: string; readonly from: string; readonly runs: string }

await command(FALSE_ALARMS_PAGE, async ({ argv }) => {
  const { values } = readPage(FALSE_ALARMS_PAGE, argv)
  const names = values.only?.split(',') ?? CONFORMING_NAMES
  const unknown = names.find((name) => variantsNamed(name) === undefined)
  const numbers = runNumbers(values)
  if (unknown !== undefined || numbers === undefined) {
    console.error(
      unknown === undefined
        ? 'Got --runs, --from or --run that are no range of whole numbers; expected --run and --from from 0, --runs beyond --from.'
        : `Got the service ${unknown}; expected clean, a variant or variants joined by +: npm run serve -- --list-variants`,
    )
    return 2
  }
  const load = values['under-load']
  const underLoad = load === undefined ? undefined : parseUnderLoad(load)
  const hasFileKeys = values['file-keys']
  if (hasFileKeys && underLoad !== undefined)
    throw usageError('Got --file-keys and --under-load; expected one of them.')
  const options = { underLoad, hasFileKeys }
  const namesIn = (run: number): readonly string[] =>
    values.together ? servicesTogether(run) : names
  const tasks = numbers.flatMap((run) => namesIn(run).map((name) => [name, run, options] as const))
  return conclude(await runAll(tasks, values), values)
})

function runNumbers({ run, from, runs }: Range): readonly number[] | undefined {
  const [first, end] =
    run === undefined ? [Number(from), Number(runs)] : [Number(run), Number(run) + 1]
  const isRange = Number.isInteger(first) && Number.isInteger(end) && 0 <= first && first < end
  return isRange ? Array.from({ length: end - first }, (_, index) => first + index) : undefined
}

type Output = {
  readonly json?: string | undefined
  readonly 'under-load'?: string | undefined
  readonly 'file-keys'?: boolean | undefined
}

async function runAll(
  tasks: readonly ConformingTask[],
  output: Output,
): Promise<readonly ConformingRow[]> {
  const rows: ConformingRow[] = []
  const startedMs = performance.now()
  // What was measured until then is reported.
  for (const signal of ENDING_SIGNALS)
    process.once(signal, () => {
      void conclude(rows, output).then(() => process.exit(SIGNAL_EXIT_CODES[signal]))
    })
  return inThreads(
    tasks,
    () => new Worker(new URL('false-alarms-worker.ts', import.meta.url)),
    (row: ConformingRow) => {
      rows.push(row)
      printRow(row, output)
      if (rows.length % PROGRESS_RUNS !== 0) return
      const seconds = (performance.now() - startedMs) / 1000
      console.log(`${rows.length} of ${tasks.length} runs in ${seconds.toFixed(0)} s`)
    },
  )
}

function printRow(
  { name, run, conditions, alarms, undecided }: ConformingRow,
  { 'under-load': underLoad, 'file-keys': hasFileKeys }: Output,
): void {
  if (alarms.length + undecided.length === 0) return
  console.log(`${name}, run ${run}, ${JSON.stringify(conditions)}`)
  for (const line of alarms) console.log(`  FALSE ALARM ${line}`)
  for (const line of undecided) console.log(`  undecided   ${line}`)
  const load = underLoad === undefined ? '' : ` --under-load ${underLoad}`
  const keys = hasFileKeys ? ' --file-keys' : ''
  console.log(`  again: npm run false-alarms -- --only ${name} --run ${run}${load}${keys}`)
}

async function conclude(
  rows: readonly ConformingRow[],
  { json: jsonFile }: Output,
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
