import type { LoadResult } from '../../../schemas/generated/run-record.ts'
import { formatMoney, type Micros } from '../../money.ts'
import { percentilesOf } from '../shared/latencies.ts'
import { Column } from '../evidence/column.ts'
import { priceOf } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import { isAccepted, isThrottled } from '../../../contract/answers.ts'

/**
 * What became of purchases, for the record: how long orders took to their final state, from the first request to the first answer that
 * shows it. And how many polls found nothing new.
 */
export class SessionMeasures {
  purchases = 0
  accepted = 0
  #orders = 0
  #spent: Micros = 0n
  #currency: string | undefined
  #replays = 0
  #refusedAttempts = 0
  #attemptsMax = 0
  readonly #timesToFinalMs = new Column('float64')
  #polls = 0
  #pollsMax = 0
  #pollsWasted = 0

  add(purchase: Purchase): void {
    const { attempts, original, reads, replays } = purchase
    this.purchases++
    this.#refusedAttempts += attempts.filter(isThrottled).length
    this.#attemptsMax = Math.max(this.#attemptsMax, attempts.length)
    if (!original) return
    this.accepted++
    this.#orders += original.ids.length
    this.#spent += priceOf(purchase) ?? 0n
    this.#currency ??= original.currency
    this.#replays += replays.length
    const timeMs = timeToFinalMs(purchase)
    if (timeMs !== undefined) this.#timesToFinalMs.push(timeMs)
    const polls = reads.filter(isAccepted).length
    this.#polls += polls
    this.#pollsMax = Math.max(this.#pollsMax, polls)
    this.#pollsWasted += reads.filter(({ states }) => states.includes('IN_PROGRESS')).length
  }

  measurements(): LoadResult['measurements'] {
    return {
      purchases: this.purchases,
      purchasesAccepted: this.accepted,
      ordersMade: this.#orders,
      ...(this.#currency !== undefined && {
        moneySpent: `${this.#currency} ${formatMoney(this.#spent)}`,
      }),
      replays: this.#replays,
      refusedPurchaseAttempts: this.#refusedAttempts,
      attemptsPerPurchaseMax: this.#attemptsMax,
      ...percentilesOf('timeToFinalMs', this.#timesToFinalMs.values()),
      pollsMax: this.#pollsMax,
      polls: this.#polls,
      pollsWasted: this.#pollsWasted,
    }
  }
}

/** Of a purchase that was final at last; it may have been so at once. */
function timeToFinalMs({ attempts, original, reads }: Purchase): number | undefined {
  const startMs = attempts[0]?.dueMs
  if (startMs === undefined || !original) return undefined
  const first = [original, ...reads].find(
    ({ state, states }) =>
      ![state, ...states].includes('IN_PROGRESS') && (state ?? states[0]) !== undefined,
  )
  return first && first.receivedMs - startMs
}
