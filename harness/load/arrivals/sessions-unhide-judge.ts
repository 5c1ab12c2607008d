import type { ArrivalExchange } from './arrivals-import.ts'
import { say } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import type { Statement } from '../statements.ts'

/** So many answers by a 5xx, and no other, are no accident. */
const FAILURES_MIN = 3

/**
 * Nobody has read these orders in clear before: their budgets are whole. A refusal that no window of the account explains was spent by
 * another order's read (UNHIDE-14), or, where there was none before in the account, by the masked reads of this one (UNHIDE-22).
 */
export function unhideStatements(
  purchases: readonly Purchase[],
  isWithinWindow: (exchange: ArrivalExchange) => boolean,
): Statement[] {
  const firsts = purchases.flatMap(({ unhides: [first] }) => first ?? [])
  if (firsts.length >= FAILURES_MIN && firsts.every(({ status }) => status >= 500)) {
    const observed = `all ${firsts.length} reads in clear were answered by HTTP ${firsts[0]?.status}`
    return [say('UNHIDE-01', 'fail', { name: 'all orders' }, observed)]
  }
  const accounts = Map.groupBy(purchases, ({ account }) => account)
  return [...accounts.values()].flatMap((all) => accountStatements(all, isWithinWindow))
}

function accountStatements(
  purchases: readonly Purchase[],
  isWithinWindow: (exchange: ArrivalExchange) => boolean,
): Statement[] {
  const firsts = purchases.flatMap((purchase) => {
    const [first] = purchase.unhides
    return first ? [{ purchase, first }] : []
  })
  const earliestEndMs = Math.min(...firsts.map(({ first }) => first.receivedMs))
  return firsts.flatMap(({ purchase, first }) => {
    const { status, sentMs, receivedMs } = first
    const othersBefore = firsts.filter(
      (each) => each.first.status === 200 && each.first.sentMs < receivedMs,
    ).length
    const masked = purchase.reads.filter((read) => read.receivedMs <= sentMs).length
    if (status === 200)
      return [
        ...(masked > 0
          ? [say('UNHIDE-22', 'pass', purchase, `read in clear after ${masked} masked reads`)]
          : []),
        ...(sentMs >= earliestEndMs
          ? [say('UNHIDE-14', 'pass', purchase, 'read in clear after other orders of its account')]
          : []),
      ]
    if (status !== 429 || !isWithinWindow(first)) return []
    const observed = `the first read in clear was refused, after ${masked} masked reads of it and reads in clear of ${othersBefore} other orders that passed`
    if (othersBefore > 0) return [say('UNHIDE-14', 'fail', purchase, observed)]
    return masked > 0 ? [say('UNHIDE-22', 'fail', purchase, observed)] : []
  })
}
