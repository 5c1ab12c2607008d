import { isServerError, isThrottled } from '../../../contract/answers.ts'
import { countBelow } from '../../judge/limiter-history.ts'
import type { LoadKey } from '../rate-limits/plan.ts'
import type { SessionExchange } from './exchange-table.ts'
import { say } from '../shared/statements.ts'
import type { Purchase } from './sessions-history.ts'
import type { SessionTable } from './session-table.ts'
import type { Statement } from '../shared/statements.ts'

/** So many answers by a 5xx, and no other, are no accident. */
const FAILURES_MIN = 3

/** First reads in clear of one account's orders. */
type Firsts = {
  readonly earliestEndMs: number
  /** When those that were answered by 200 were sent, in order. */
  readonly shownSentMs: Float64Array
}

/**
 * Nobody has read these orders in clear before: their budgets are whole. If no window of the account explains a refusal, another order's
 * read spent the budget (UNHIDE-14). If there was none before in the account, the masked reads of this one did (UNHIDE-22).
 */
export class FirstUnhides {
  readonly #accounts: ReadonlyMap<string, Firsts>
  readonly #isWithinWindow: (exchange: SessionExchange) => boolean
  #count = 0
  #failed = 0
  #firstStatus = 0

  constructor(
    sessions: SessionTable,
    keys: readonly Pick<LoadKey, 'account'>[],
    isWithinWindow: (exchange: SessionExchange) => boolean,
  ) {
    this.#isWithinWindow = isWithinWindow
    const { exchanges } = sessions
    const rows = Array.from(sessions.places()).flatMap(
      (place) =>
        sessions.rowsOf(place).find((row) => exchanges.operation.at(row) === 'unhide') ?? [],
    )
    for (const row of rows) {
      const status = exchanges.status[row] as number
      if (this.#count++ === 0) this.#firstStatus = status
      if (isServerError({ status })) this.#failed++
    }
    const byAccount = Map.groupBy(
      rows,
      (row) => keys[sessions.keyOf(exchanges.session[row] as number)]?.account ?? '',
    )
    this.#accounts = new Map(
      [...byAccount].map(([account, own]) => {
        const shown = own.filter((row) => exchanges.status[row] === 200)
        return [
          account,
          {
            earliestEndMs: own.reduce(
              (least, row) => Math.min(least, exchanges.receivedMs[row] as number),
              Infinity,
            ),
            shownSentMs: Float64Array.from(
              shown,
              (row) => exchanges.sentMs[row] as number,
            ).toSorted(),
          },
        ]
      }),
    )
  }

  /** What all of them say together. */
  statements(): Statement[] {
    if (!this.#isAllFailed) return []
    const observed = `all ${this.#count} reads in clear were answered by HTTP ${this.#firstStatus}`
    return [say('UNHIDE-01', 'fail', { name: 'all orders' }, observed)]
  }

  get #isAllFailed(): boolean {
    return this.#count >= FAILURES_MIN && this.#failed === this.#count
  }

  of(purchase: Purchase): Statement[] {
    const [first] = purchase.unhides
    const firsts = this.#accounts.get(purchase.account)
    if (!first || !firsts || this.#isAllFailed) return []
    const { status, sentMs, receivedMs } = first
    const masked = purchase.reads.filter((read) => read.receivedMs <= sentMs).length
    if (status === 200)
      return [
        ...(masked > 0
          ? [say('UNHIDE-22', 'pass', purchase, `read in clear after ${masked} masked reads`)]
          : []),
        ...(sentMs >= firsts.earliestEndMs
          ? [say('UNHIDE-14', 'pass', purchase, 'read in clear after other orders of its account')]
          : []),
      ]
    if (!isThrottled(first) || !this.#isWithinWindow(first)) return []
    const othersBefore = countBelow(firsts.shownSentMs, receivedMs)
    const observed = `the first read in clear was refused, after ${masked} masked reads of it and reads in clear of ${othersBefore} other orders that passed`
    if (othersBefore > 0) return [say('UNHIDE-14', 'fail', purchase, observed)]
    return masked > 0 ? [say('UNHIDE-22', 'fail', purchase, observed)] : []
  }
}
