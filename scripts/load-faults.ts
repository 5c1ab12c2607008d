/** `npm run load:faults`: every fault that load is about against every load scenario, in virtual time. */
import { isDeepStrictEqual } from 'node:util'
import { Worker } from 'node:worker_threads'
import { readPage } from '../harness/command-line.ts'
import type { FaultName } from '../reference/faults/faults.ts'
import {
  findersOf,
  LOAD_FAULTS,
  readTable,
  writeTable,
  type LoadFaultRow,
} from '../test/load/load-faults.ts'
import { command } from './command.ts'
import { LOAD_FAULTS_PAGE } from './developer-pages.ts'
import { inThreads } from './threads.ts'

export type FoundRow = { readonly fault: FaultName; readonly row: LoadFaultRow }

await command(LOAD_FAULTS_PAGE, async ({ argv }) => {
  const { values } = readPage(LOAD_FAULTS_PAGE, argv)
  const names = values.only?.split(',') ?? LOAD_FAULTS
  const faults = LOAD_FAULTS.filter((fault) => names.includes(fault))
  const unknown = names.filter((name) => !LOAD_FAULTS.some((fault) => fault === name))
  if (unknown.length > 0) {
    console.error(
      `No fault that load is about: ${unknown.join(', ')}. Those are listed in docs/load-faults.md.`,
    )
    return 2
  }
  const rows = await inThreads<FoundRow>(
    faults,
    () => new Worker(new URL('load-faults-worker.ts', import.meta.url)),
    printRow,
  )
  const found = rows.filter(({ fault, row }) => findersOf(fault, row).length > 0)
  console.log(`${found.length} of ${rows.length} faults found.`)
  const table = Object.fromEntries(rows.map(({ fault, row }) => [fault, row]))
  if (values.write) writeTable(values.only === undefined ? table : { ...readTable(), ...table })
  return values.compare ? compare(rows) : 0
})

function printRow({ fault, row }: FoundRow): void {
  const cells = Object.entries(row).map(([scenario, broken]) => `${scenario}: ${broken.join(' ')}`)
  const mark = findersOf(fault, row).length > 0 ? '✓' : '·'
  console.log(`${mark} ${fault}  ${cells.join('; ')}`)
}

function compare(rows: readonly FoundRow[]): number {
  const stored = readTable()
  const different = rows.filter(({ fault, row }) => !isDeepStrictEqual(stored[fault] ?? {}, row))
  for (const { fault } of different) console.error(`${fault} is found otherwise than stored.`)
  return different.length > 0 ? 1 : 0
}
