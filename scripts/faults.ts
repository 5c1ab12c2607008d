/** `npm run faults`: every fault against every check, in virtual time. Writes or compares test/faults/matrix.json. */
import { isDeepStrictEqual } from 'node:util'
import { Worker } from 'node:worker_threads'
import { readPage } from '../harness/command-line.ts'
import { FAULT_NAMES, isFaultName } from '../reference/faults/faults.ts'
import { isFound, passedClean, type MatrixRow } from '../test/support/fault-matrix.ts'
import { mergedMatrix, readMatrix, writeMatrix } from '../test/support/stored-matrix.ts'
import { command } from './command.ts'
import { FAULTS_PAGE } from './developer-pages.ts'
import { inThreads } from './threads.ts'

await command(FAULTS_PAGE, async ({ argv }) => {
  const { values } = readPage(FAULTS_PAGE, argv)
  const names = values.only?.split(',') ?? FAULT_NAMES
  const faults = names.filter(isFaultName)
  if (faults.length < names.length || faults.length === 0) {
    console.error(
      `Unknown fault: ${names.filter((name) => !isFaultName(name)).join(', ')}. List them with: npm run serve -- --list-faults`,
    )
    return 2
  }
  const clean = await passedClean()
  const rows = await inThreads(
    faults,
    () => new Worker(new URL('faults-worker.ts', import.meta.url), { workerData: clean }),
    printRow,
  )
  printSum(rows, clean)
  if (values.write) writeMatrix(mergedMatrix(readMatrix(), rows))
  return values.compare ? compare(rows) : 0
})

function printRow(row: MatrixRow): void {
  const reds = Object.entries(row.red).map(
    ([check, requirements]) => `${check} (${requirements.join(' ')})`,
  )
  console.log(
    `${isFound(row) ? 'found ' : 'HOLE  '} ${row.fault} breaks ${row.breaks}: ${reds.join(', ') || 'nothing turned red'}`,
  )
  for (const error of row.errors) console.log(`         ERROR of ours: ${error}`)
  if (row.undecided.length > 0) console.log(`         undecided by it: ${row.undecided.join(', ')}`)
}

function printSum(rows: readonly MatrixRow[], clean: ReadonlySet<string>): void {
  const found = rows.filter(isFound).length
  const reddened = new Set(rows.flatMap(({ red }) => Object.keys(red)))
  const isWhole = rows.length === FAULT_NAMES.length
  const dead = isWhole ? [...clean].filter((check) => !reddened.has(check)) : []
  console.log(
    `${found} of ${rows.length} faults found for their reason; ${dead.length} of ${clean.size} checks turned red by none${dead.length > 0 ? `: ${dead.join(', ')}` : ''}`,
  )
}

/** Names every row that is not as it was reviewed. */
function compare(rows: readonly MatrixRow[]): number {
  const stored = readMatrix()
  const changed = Object.entries(mergedMatrix({}, rows)).filter(
    ([fault, row]) => !isDeepStrictEqual(row, stored[fault]),
  )
  for (const [fault, row] of changed)
    console.log(
      `changed: ${fault}\n  was ${JSON.stringify(stored[fault])}\n  is  ${JSON.stringify(row)}`,
    )
  if (changed.length > 0) console.log('Review it, then store it with: npm run faults -- --write')
  const isSound = rows.every((row) => isFound(row) && row.errors.length === 0)
  return changed.length > 0 || !isSound ? 1 : 0
}
