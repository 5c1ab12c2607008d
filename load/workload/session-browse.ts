import type { OpenModelFile, SessionEnd } from '../protocol/open-model.ts'
import { persist } from './persist.ts'
import type { SessionIo, SessionStart } from './session-io.ts'

/** Pages through the services until their total is reached, then looks one item up: in the bulk lookup, else by itself. */
export async function browse(
  io: SessionIo,
  plan: OpenModelFile,
  session: SessionStart,
): Promise<SessionEnd> {
  let { dueMs } = session
  for (let page = 0; page < plan.pagesMax; page++) {
    const offset = page * plan.pageLimit
    const { answer, nextDueMs, end } = await persist(io, plan, {
      operation: 'services',
      dueMs,
      fill: { offset },
    })
    if (end) return end
    dueMs = nextDueMs
    // Without a total nobody can tell whether more is to come.
    if (!(offset + plan.pageLimit < Number(answer.total))) break
  }
  const operation = (['lookup', 'item'] as const).find((name) => plan.operations[name])
  if (operation === undefined) return 'done'
  const { end } = await persist(io, plan, { operation, dueMs })
  return end ?? 'done'
}
