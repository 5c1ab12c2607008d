/** A product that is stated to be delivered later, though each of its orders was finished in the answer to its purchase. */
import { isTerminal } from '../../contract/wire.ts'
import type { Exchange } from '../client/exchange.ts'
import type { SystematicCause } from '../judge/causes.ts'
import { selectOne } from '../target-file/select.ts'
import { isSuccess, pointerOf, statusOf, targetCause, type Described } from './mistake.ts'

const ABILITY = 'voucher-async'

/** One order may have been quick. */
const ORDERS_MIN = 2

export function finishedAtOnce({ target, history }: Described): SystematicCause[] {
  if (!target.products[ABILITY]) return []
  const { selectors } = target.operations.createOrder
  const isFinished = (each: Exchange): boolean =>
    statusOf(each) !== 202 &&
    isTerminal(selectOne(selectors['status'] ?? '/data/status', each.json))
  const bought = history.filter(
    (each) =>
      each.operation === 'createOrder' && each.products?.join() === ABILITY && isSuccess(each),
  )
  if (bought.length < ORDERS_MIN || !bought.every(isFinished)) return []
  const cause = targetCause(target, {
    pointer: pointerOf('products', ABILITY),
    shows: `all ${bought.length} purchases of it were answered by a finished order, so nothing showed what is pending`,
    fix: `name a product that is delivered later, or take "async" out of capabilities.`,
    exchanges: bought,
    dependents: bought.map(({ check }) => check),
  })
  // What failed is not excused: only what stayed open follows from it.
  return [{ ...cause, exchanges: new Set() }]
}
