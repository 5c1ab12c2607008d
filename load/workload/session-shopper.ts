import type { ArrivalsFile, SessionEnd } from '../protocol/arrivals.ts'
import { OrderSession } from './session-orders.ts'
import type { SessionIo, SessionStart } from './session.ts'

/**
 * Buys a cart of several orders, reads them by the reference of the checkout until all are final, then one of them by both names.
 * Every second one sends the cart again under its reference.
 */
export async function shopper(
  io: SessionIo,
  plan: ArrivalsFile,
  start: SessionStart,
): Promise<SessionEnd> {
  const { index, dueMs } = start
  const session = new OrderSession(io, plan, start)
  const bought = await session.buy('cart', dueMs)
  if (bought.answer === undefined) return bought.end
  const { ids, reference = session.reference } = bought.answer
  if (index % 2 === 1) {
    const replayed = await session.replay('cart', bought.answer.receivedMs)
    if (replayed.answer === undefined) return replayed.end
  }
  const final = await session.poll('by-reference', bought.answer, { reference })
  if (final.answer === undefined) return final.end
  const child = ids[index % Math.max(1, ids.length)]
  if (child === undefined || !session.has('child')) return 'done'
  const read = await session.read('child', final.answer.receivedMs, { reference, orderId: child })
  return read.answer === undefined ? read.end : 'done'
}
