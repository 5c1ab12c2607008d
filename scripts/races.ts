/** `npm run races`: how often the checks of races notice, on real sockets. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { readPage } from '../harness/command-line.ts'
import { startEmbedded } from '../harness/test-server/embedded.ts'
import type { Check } from '../schemas/generated/run-record.ts'
import {
  checksOf,
  exitCodeOf,
  RACE_NAMES,
  raceRunOf,
  serviceOf,
  sumOf,
  tableOf,
  type RaceName,
  type RaceRun,
} from '../test/support/races.ts'
import { command } from './command.ts'
import { RACES_PAGE } from './developer-pages.ts'
import type { RaceTask } from './races-worker.ts'
import { busyThreads } from './threads.ts'

await command(RACES_PAGE, async ({ argv }) => {
  const { values } = readPage(RACES_PAGE, argv)
  const wanted = values.only?.split(',') ?? RACE_NAMES
  const names = RACE_NAMES.filter((name) => wanted.includes(name))
  const unknown = wanted.find((name) => !RACE_NAMES.some((known) => known === name))
  const [runs, busy, windowSeconds] = [values.runs, values.busy, values['window-seconds']].map(
    Number,
  ) as [number, number, number]
  if (
    unknown !== undefined ||
    !isWhole(runs, 1) ||
    !isWhole(busy, 0) ||
    !isWhole(windowSeconds, 1)
  ) {
    console.error(
      unknown === undefined
        ? 'Got an option that is no whole number; expected --runs and --window-seconds from 1, --busy from 0.'
        : `Got the service ${unknown}; expected one of ${RACE_NAMES.join(', ')}.`,
    )
    return 2
  }
  await using _ = busyThreads(busy)
  return conclude(names, await runAll(names, runs, windowSeconds), busy)
})

function isWhole(each: number, min: number): boolean {
  return Number.isInteger(each) && each >= min
}

/** By turns, so that what else the machine does meets all of them. */
async function runAll(
  names: readonly RaceName[],
  runs: number,
  windowSeconds: number,
): Promise<readonly RaceRun[]> {
  const ended: RaceRun[] = []
  for (let run = 1; run <= runs; run++) {
    for (const name of names) {
      const race = raceRunOf(name, await checksAgainst(name, windowSeconds))
      ended.push(race)
      if (race.end !== 'found' && race.end !== 'passed')
        console.log(`${race.name}, run ${run}: ${race.end.toUpperCase()} ${race.reason}`)
    }
    console.log(`${run} of ${runs} runs of ${names.length} services`)
  }
  return ended
}

/** The service in this thread, the checks in one of their own: as in a run, and both as cold. */
async function checksAgainst(name: RaceName, windowSeconds: number): Promise<readonly Check[]> {
  const { faults, variants } = serviceOf(name)
  await using service = await startEmbedded({ faults, windowSeconds, service: { variants } })
  const task: RaceTask = { target: service.target, checks: checksOf(name) }
  const worker = new Worker(new URL('races-worker.ts', import.meta.url), { workerData: task })
  const { promise, resolve, reject } = Promise.withResolvers<readonly Check[]>()
  worker.once('message', resolve)
  worker.once('error', reject)
  worker.once('exit', (code) => reject(new Error(`the thread of the checks ended with ${code}`)))
  // Awaited here: the service ends with this block.
  return await promise
}

function conclude(names: readonly RaceName[], runs: readonly RaceRun[], busy: number): number {
  const sums = names.map((name) => sumOf(name, runs))
  console.log(
    `\nNode ${process.versions.node}, ${availableParallelism()} cores, ${busy} busy threads beside it\n`,
  )
  console.log(tableOf(sums))
  return exitCodeOf(sums)
}
