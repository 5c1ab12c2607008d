import type { OpenModelFile, SessionEnd } from '../protocol/open-model.ts'
import { OrderSession, turnOf } from './session-orders.ts'
import type { SessionIo, SessionStart } from './session-io.ts'

const TURNS = 3
const REPLAYS = 1

/**
 * Buys a cart of several orders, reads them by the reference of the checkout until all are final, then one of them by both names.
 * Every third one sends the cart again under its reference.
 */
export async function shopper(
  io: SessionIo,
  plan: OpenModelFile,
  start: SessionStart,
): Promise<SessionEnd> {
  const turn = turnOf(start)
  const session = new OrderSession(io, plan, start)
  const bought = await session.buy('cart', start.dueMs)
  if (bought.answer === undefined) return bought.end
  const { ids, reference = session.reference } = bought.answer
  if (turn % TURNS === REPLAYS) {
    const replayed = await session.replay('cart', bought.answeredByMs)
    if (replayed.answer === undefined) return replayed.end
  }
  const final = await session.poll('by-reference', bought, { reference })
  if (final.answer === undefined) return final.end
  const child = ids[turn % Math.max(1, ids.length)]
  if (child === undefined || !session.has('child')) return 'done'
  const read = await session.read('child', final.nextDueMs, { reference, orderId: child })
  return read.answer === undefined ? read.end : 'done'
}
