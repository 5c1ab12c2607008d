/** In a thread of its own: the row of each conforming service that it gets. */
import { conformingRow, type ConformingTask } from '../test/support/conforming.ts'
import { answerTasks } from './threads.ts'

answerTasks((task: ConformingTask) => conformingRow(...task))
