import { ANNOUNCED_MS } from '../../contract/answers.ts'
import type { OpenModelFile, SessionEnd } from '../protocol/open-model.ts'
import { OrderSession, turnOf } from './session-orders.ts'
import type { SessionIo, SessionStart } from './session-io.ts'

/**
 * Out of so many sessions one sends its purchase again while the order is pending, and one when it is final. One looks for the order at
 * once, by either name in turns.
 */
const TURNS = 4
const REPLAYS_IN_FLIGHT = 1
const LOOKS_AT_ONCE = 2
const REPLAYS_AFTERWARDS = 3

/**
 * Buys one order and polls it masked until it is final, by its orderId or by its reference. Then reads it once in clear. Some send
 * the purchase again under its reference, in flight or afterwards.
 */
export async function buyer(
  io: SessionIo,
  plan: OpenModelFile,
  start: SessionStart,
): Promise<SessionEnd> {
  const turn = turnOf(start)
  const session = new OrderSession(io, plan, start)
  const bought = await session.buy('order', start.dueMs)
  if (bought.answer === undefined) return bought.end
  const [orderId] = bought.answer.ids
  // Without its orderId an order can be read by its reference only.
  const fill = orderId === undefined ? {} : { orderId }
  let last = bought
  if (turn % TURNS === REPLAYS_IN_FLIGHT) {
    const replayed = await session.replay('order', last.answeredByMs)
    if (replayed.answer === undefined) return replayed.end
    // The order is polled as the newest answer says.
    last = replayed
  }
  if (turn % TURNS === LOOKS_AT_ONCE) {
    const isOther = orderId === undefined || turn % (2 * TURNS) === LOOKS_AT_ONCE
    const operation = isOther ? 'by-reference' : 'masked'
    const seen = await session.read(operation, last.answeredByMs, fill)
    if (seen.answer === undefined) return seen.end
    last = seen
    if (seen.answer.items === 0) {
      // It may be created a moment later, and is to be found then, while it is pending. Evidence rounds times.
      const dueMs = bought.answer.receivedMs + ANNOUNCED_MS + 1
      const again = await session.read(operation, dueMs, fill)
      if (again.answer === undefined) return again.end
      last = again
    }
  }
  const isByReference = orderId === undefined || turn % 2 === 1
  const final = await session.poll(isByReference ? 'by-reference' : 'masked', last, fill)
  if (final.answer === undefined) return final.end
  let { nextDueMs } = final
  if (turn % TURNS === REPLAYS_AFTERWARDS) {
    const replayed = await session.replay('order', nextDueMs)
    if (replayed.answer === undefined) return replayed.end
    ;({ nextDueMs } = replayed)
  }
  if (orderId === undefined || !session.has('unhide')) return 'done'
  const shown = await session.read('unhide', nextDueMs, fill)
  return shown.answer === undefined ? shown.end : 'done'
}
