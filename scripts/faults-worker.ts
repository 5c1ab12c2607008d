/** Runs its share of the fault matrix in a thread of its own and posts each row as it comes. */
import { parentPort, workerData } from 'node:worker_threads'
import type { FaultName } from '../reference/faults/faults.ts'
import { rowOf } from '../test/support/fault-matrix.ts'

const { faults, clean } = workerData as { faults: readonly FaultName[]; clean: ReadonlySet<string> }

for (const fault of faults) parentPort?.postMessage(await rowOf(fault, clean))
