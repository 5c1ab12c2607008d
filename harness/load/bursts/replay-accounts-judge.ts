import type { Statement } from '../shared/statements.ts'
import { ACCOUNT_KEYS, CONTROL_REFERENCE } from './replay-accounts-script.ts'
import { ordersOf, type Order } from './spend-orders.ts'
import type { BurstExchange } from './burst-import.ts'
import { isNamed } from './burst-proof.ts'
import { isDecided } from '../../answers.ts'

const OWN: ReadonlySet<number> = new Set(ACCOUNT_KEYS.own)

/** References that keys of one account share, and that another account uses as well. */
export function accountStatements(exchanges: readonly BurstExchange[]): Statement[] {
  const orders = ordersOf(exchanges)
  const canOtherBuy = orders.some(
    ({ reference, attempts }) => reference === CONTROL_REFERENCE && attempts.some(isNamed),
  )
  const shared = orders.filter(({ reference }) => reference !== CONTROL_REFERENCE)
  return shared.flatMap((order) => [
    ...withinAccount(order),
    // Whether the other account can buy is known of vouchers.
    ...(canOtherBuy && order.reference < CONTROL_REFERENCE ? beyondAccount(order) : []),
  ])
}

/** What the other key is answered is not shown, but that no second order is made. */
function withinAccount({ reference, attempts }: Order): Statement[] {
  const own = attempts.filter(({ key }) => OWN.has(key))
  const bought = new Set(own.filter(isNamed).map(({ orderId }) => orderId))
  const answered = new Set(own.filter(isDecided).map(({ key }) => key))
  if (bought.size === 0 || answered.size < OWN.size) return []
  const observed = `reference ${reference + 1}: keys of one account were answered with ${bought.size} orders`
  return [{ requirement: 'IDEM-10', verdict: bought.size === 1 ? 'pass' : 'fail', observed }]
}

function beyondAccount({ reference, attempts }: Order): Statement[] {
  const others = attempts.filter(({ key }) => !OWN.has(key)).filter(isDecided)
  const own = new Set(
    attempts.filter((each) => OWN.has(each.key) && isNamed(each)).map(({ orderId }) => orderId),
  )
  if (own.size === 0 || others.length === 0) return []
  const fresh = others.some((each) => isNamed(each) && !own.has(each.orderId))
  const how = fresh ? 'an order of its own' : `HTTP ${others[0]?.status} and no order of its own`
  const observed = `reference ${reference + 1}: another account got ${how}`
  return [{ requirement: 'IDEM-11', verdict: fresh ? 'pass' : 'fail', observed }]
}
