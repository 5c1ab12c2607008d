import type { ArrivalsFile, SessionEnd } from '../protocol/arrivals.ts'
import { OrderSession } from './session-orders.ts'
import type { SessionIo, SessionStart } from './session.ts'

/** Every so many sessions one sends its purchase again while the order is on its way, and another one when it is final. */
const TURNS = 4
const REPLAYS_IN_FLIGHT = 1
const REPLAYS_AFTERWARDS = 3

/**
 * Buys one order, reads it masked as it is told until it is final, by its orderId or by its reference, then once in clear. Some send
 * the purchase again under its reference, in flight or afterwards.
 */
export async function buyer(
  io: SessionIo,
  plan: ArrivalsFile,
  start: SessionStart,
): Promise<SessionEnd> {
  const { index, dueMs } = start
  const session = new OrderSession(io, plan, start)
  const bought = await session.buy('order', dueMs)
  if (bought.answer === undefined) return bought.end
  const [orderId] = bought.answer.ids
  // Without its orderId an order can be read by its reference only.
  const fill = orderId === undefined ? {} : { orderId }
  let last = bought
  if (index % TURNS === REPLAYS_IN_FLIGHT) {
    const replayed = await session.replay('order', last.answer.receivedMs)
    if (replayed.answer === undefined) return replayed.end
    // The order is polled as the newest answer says.
    last = replayed
  }
  const isByReference = orderId === undefined || index % 2 === 1
  const final = await session.poll(isByReference ? 'by-reference' : 'masked', last.answer, fill)
  if (final.answer === undefined) return final.end
  let { receivedMs } = final.answer
  if (index % TURNS === REPLAYS_AFTERWARDS) {
    const replayed = await session.replay('order', receivedMs)
    if (replayed.answer === undefined) return replayed.end
    ;({ receivedMs } = replayed.answer)
  }
  if (orderId === undefined || !session.has('unhide')) return 'done'
  const shown = await session.read('unhide', receivedMs, fill)
  return shown.answer === undefined ? shown.end : 'done'
}
