import type { LoadResult } from '../../../schemas/generated/run-record.ts'
import { formatMoney } from '../../money.ts'
import { percentilesOf } from '../percentiles.ts'
import { isAccepted, priceOf } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'

/**
 * What became of purchases, for the record: how long orders took to their final state (from the first request to the first answer that
 * shows it), and how many polls found nothing new.
 */
export function measureSessions(purchases: readonly Purchase[]): LoadResult['measurements'] {
  const accepted = purchases.filter(({ original }) => original)
  const prices = accepted.map(priceOf)
  const [currency] = accepted.flatMap(({ original }) => original?.currency ?? [])
  const attempts = purchases.map((purchase) => purchase.attempts)
  const polls = accepted.map(({ reads }) => reads.filter(isAccepted).length)
  return {
    purchases: purchases.length,
    purchasesAccepted: accepted.length,
    ordersMade: accepted.reduce((sum, { original }) => sum + (original?.ids.length ?? 0), 0),
    ...(currency !== undefined && {
      moneySpent: `${currency} ${formatMoney(prices.reduce<bigint>((sum, price) => sum + (price ?? 0n), 0n))}`,
    }),
    replays: accepted.reduce((sum, { replays }) => sum + replays.length, 0),
    refusedPurchaseAttempts: attempts.flat().filter(({ status }) => status === 429).length,
    attemptsPerPurchaseMax: Math.max(0, ...attempts.map(({ length }) => length)),
    ...percentilesOf('timeToFinalMs', accepted.flatMap(timeToFinalMs)),
    pollsMax: Math.max(0, ...polls),
    polls: polls.reduce((sum, count) => sum + count, 0),
    pollsWasted: accepted.reduce(
      (sum, { reads }) => sum + reads.filter(({ states }) => states.includes('IN_PROGRESS')).length,
      0,
    ),
  }
}

/** Of a purchase that was final at last; it may have been so at once. */
function timeToFinalMs({ attempts, original, reads }: Purchase): number[] {
  const startMs = attempts[0]?.dueMs
  if (startMs === undefined || !original) return []
  const first = [original, ...reads].find(
    ({ state, states }) =>
      ![state, ...states].includes('IN_PROGRESS') && (state ?? states[0]) !== undefined,
  )
  return first ? [first.receivedMs - startMs] : []
}
