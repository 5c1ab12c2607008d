/** Runs its share of the conforming services in a thread of its own and posts each row as it comes. */
import { parentPort, workerData } from 'node:worker_threads'
import { conformingRow, type ConformingTask } from '../test/support/conforming.ts'

const runs = workerData as readonly ConformingTask[]

for (const run of runs) parentPort?.postMessage(await conformingRow(...run))
