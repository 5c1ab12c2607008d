/** `npm run faults`: every fault against every check, in virtual time. Writes or compares test/faults/matrix.json. */
import { readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { FAULT_NAMES, isFaultName, type FaultName } from '../reference/faults.ts'
import { isFound, passedClean, type MatrixRow } from '../test/support/fault-matrix.ts'

const HELP = `Runs the whole suite against the reference service once per fault, in virtual time, and prints what turned red.

Usage: npm run faults -- [options]
  --only A,B     faults to run (all)
  --write        write test/faults/matrix.json, which the tests compare with
  -h, --help

Examples
  npm run faults
  npm run faults -- --only window-sliding-log
`

const FILE = path.join(import.meta.dirname, '..', 'test', 'faults', 'matrix.json')

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) console.log(HELP)
else await main()

async function main(): Promise<void> {
  const names = values.only?.split(',') ?? FAULT_NAMES
  const faults = names.filter(isFaultName)
  if (faults.length < names.length || faults.length === 0) {
    console.error(
      `Unknown fault: ${names.filter((name) => !isFaultName(name)).join(', ')}. List them with: npm run serve -- --list-faults`,
    )
    process.exitCode = 2
    return
  }
  const clean = await passedClean()
  const rows = await inThreads(faults, clean)
  printSum(rows, clean)
  if (values.write) await writeFile(FILE, `${JSON.stringify(await merged(rows), undefined, 2)}\n`)
}

/** Every thread takes every n-th fault; rows are printed as they come. */
async function inThreads(
  faults: readonly FaultName[],
  clean: ReadonlySet<string>,
): Promise<MatrixRow[]> {
  const threads = Math.min(availableParallelism(), faults.length)
  const rows: MatrixRow[] = []
  const share = (thread: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const mine = faults.filter((_, index) => index % threads === thread)
      const worker = new Worker(new URL('faults-worker.ts', import.meta.url), {
        workerData: { faults: mine, clean },
      })
      worker.on('message', (row: MatrixRow) => {
        rows.push(row)
        printRow(row)
      })
      worker.on('error', reject)
      worker.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`a thread ended with ${code}`)),
      )
    })
  await Promise.all(Array.from({ length: threads }, (_, thread) => share(thread)))
  return rows
}

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
  const dead = [...clean].filter((check) => !reddened.has(check))
  console.log(
    `${found} of ${rows.length} faults found for their reason; ${dead.length} of ${clean.size} checks turned red by none${dead.length > 0 ? `: ${dead.join(', ')}` : ''}`,
  )
}

/** Rows of faults that were not run stay as they are. */
async function merged(
  rows: readonly MatrixRow[],
): Promise<Record<string, Omit<MatrixRow, 'fault'>>> {
  const known = JSON.parse(await readFile(FILE, 'utf8').catch(() => '{}')) as Record<
    string,
    Omit<MatrixRow, 'fault'>
  >
  const all = { ...known, ...Object.fromEntries(rows.map(({ fault, ...row }) => [fault, row])) }
  const kept = Object.entries(all).filter(([fault]) => isFaultName(fault))
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
