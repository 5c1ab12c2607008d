/** Runs its share of the conforming services in a thread of its own and posts each row as it comes. */
import { parentPort, workerData } from 'node:worker_threads'
import { conformingRow, type ConformingName } from '../test/support/conforming.ts'

const runs = workerData as readonly (readonly [name: ConformingName, run: number])[]

for (const [name, run] of runs) parentPort?.postMessage(await conformingRow(name, run))
