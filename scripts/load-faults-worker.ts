/** In a thread of its own: every load scenario once for each fault that it gets. */
import type { FaultName } from '../reference/faults/faults.ts'
import { rowOf } from '../test/load/load-faults.ts'
import { answerTasks } from './threads.ts'

answerTasks(async (fault: FaultName) => ({ fault, row: await rowOf(fault) }))
