/** In a thread of its own: the row of the fault matrix for each fault that it gets. */
import { workerData } from 'node:worker_threads'
import type { FaultName } from '../reference/faults/faults.ts'
import { rowOf } from '../test/support/fault-matrix.ts'
import { answerTasks } from './threads.ts'

const clean = workerData as ReadonlySet<string>

answerTasks((fault: FaultName) => rowOf(fault, clean))
