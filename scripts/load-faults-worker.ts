/** Every load scenario once for each fault that it is given; posts one row each. */
import { parentPort, workerData } from 'node:worker_threads'
import type { FaultName } from '../reference/faults/faults.ts'
import { rowOf } from '../test/load/load-faults.ts'

for (const fault of workerData as FaultName[])
  parentPort?.postMessage({ fault, row: await rowOf(fault) })
