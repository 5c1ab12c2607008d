import type { Exchange } from '../../harness/client/exchange.ts'
import { isTerminal, buy } from '../orders/steps.ts'
import { outcomeOf, readClear, type Desk } from './desk.ts'
import { finish, statusNow } from './orders.ts'

/** An order whose pending budget was spent while it was pending, and which has completed since. */
export type SpentWhilePending =
  | { readonly orderId: string; readonly reads: readonly Exchange[] }
  | { readonly lacks: string }

/**
 * Buys an asynchronous voucher, spends its whole pending budget and makes `refusals` more attempts, all while it is pending; then
 * waits for its end with masked reads.
 */
export async function spendWhilePending(desk: Desk, refusals: number): Promise<SpentWhilePending> {
  const { pending } = desk.budgets
  const bought = await buy(desk.context, { product: 'voucher-async' })
  const { orderId } = bought
  const reads: Exchange[] = []
  for (let number = 0; number < pending.count + refusals; number++)
    reads.push(await readClear(desk, { orderId }))
  const outcomes = reads.map(outcomeOf)
  const isAsWanted = outcomes.every(
    (outcome, index) => outcome === (index < pending.count ? 'pending' : 'refused'),
  )
  const status = await finish(desk.context, 'voucher-async', bought)
  if (!isAsWanted) return { lacks: `${pending.count + refusals} reads gave ${outcomes.join(', ')}` }
  // An order that turns back is judged elsewhere.
  const confirmed = await statusNow(desk.context, { orderId })
  if (confirmed !== status)
    return { lacks: `the order was ${String(status)}, then ${String(confirmed)}` }
  if (!isTerminal(status) || status === 'PARTIALLY_COMPLETED')
    return { lacks: `the order ended as ${String(status)}` }
  return { orderId, reads }
}
