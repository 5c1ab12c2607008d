/** Balance and ledger, behind funds:read. The ledger is derived from the orders, so it costs no memory of its own. */
import { type Answer, success } from '../http/answer.ts'
import type { Call } from '../model/call.ts'
import { moneyNumber } from '../base/money.ts'
import { type Order, statusOf } from '../model/order.ts'
import { settleRefunds } from '../model/settle.ts'

const ENTRIES_MAX = 100

/** How late one variant takes a purchase off the balance. */
const DEBITED_MS = 60

export function getBalance(call: Call): Answer {
  const { account } = call.key
  settleRefunds(account, call.nowMs)
  const balanceMinor = account.balanceMinor + notDebited(call)
  return success({ currency: 'USD', balance: moneyNumber(balanceMinor) })
}

/** What a variant has not taken off the balance yet. */
function notDebited({ context: { clock, orders, variants }, key: { account } }: Call): number {
  if (!variants.has('balance-debited-later')) return 0
  return orders
    .ofAccount(account)
    .filter(({ createdAtWallMs }) => clock.wallMs() - createdAtWallMs < DEBITED_MS)
    .reduce((sum, { line }) => sum + line.priceMinor, 0)
}

export function getLedger(call: Call): Answer {
  const { context, key } = call
  const orders = context.orders.ofAccount(key.account).slice(-ENTRIES_MAX).toReversed()
  return success({ entries: orders.flatMap((order) => entriesOf(call, order)) })
}

function entriesOf({ context, nowMs }: Call, order: Order): object[] {
  const common = { orderId: order.id, currency: order.line.currency }
  const amount = moneyNumber(order.line.priceMinor)
  const at = new Date(order.createdAtWallMs).toISOString()
  const purchase = { ...common, kind: 'purchase', amount: -amount, at }
  const isCancelled = statusOf(order, nowMs, context.faults) === 'CANCELLED'
  return isCancelled ? [{ ...common, kind: 'refund', amount, at }, purchase] : [purchase]
}
