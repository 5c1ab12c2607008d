import type { OpenModelFile, SessionEnd } from '../protocol/open-model.ts'
import { OrderSession } from './session-orders.ts'
import type { SessionIo, SessionStart } from './session-io.ts'

/** Buys one order and reads it in clear once, whatever its state: such reads spend no window of the account. */
export async function orderer(
  io: SessionIo,
  plan: OpenModelFile,
  start: SessionStart,
): Promise<SessionEnd> {
  const session = new OrderSession(io, plan, start)
  const bought = await session.buy('order', start.dueMs)
  if (bought.answer === undefined) return bought.end
  const [orderId] = bought.answer.ids
  if (orderId === undefined || !session.has('unhide')) return 'done'
  const shown = await session.read('unhide', bought.answer.receivedMs, { orderId })
  return shown.answer === undefined ? shown.end : 'done'
}
