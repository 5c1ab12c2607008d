import type { WindowLimit } from '../../../contract/limits.ts'
import { resentOutcome } from '../../judge/rules/purchases.ts'
import { countBelow, countUpTo } from '../../judge/limiter-history.ts'
import { valuesAt } from '../../rows.ts'
import type { LoadKey } from '../rate-limits/plan.ts'
import { contentionRules } from '../shared/rule-tally.ts'
import { answerAt } from './session-answers.ts'
import type { SessionExchange } from './exchange-table.ts'
import { groupRows } from './quota-rows.ts'
import { say } from '../shared/statements.ts'
import { BUYS } from './exchange-table.ts'
import { attemptedOf, type Purchase } from './sessions-history.ts'
import type { SessionTable } from './session-table.ts'
import type { Statement } from '../shared/statements.ts'
import { isThrottled } from '../../../contract/answers.ts'

/** Attempts on one key that were in flight at the same time. */
export type KeyOverlaps = {
  readonly name: string
  /** Rows of attempts that another purchase's attempt on this key overlapped, in the order of sending. */
  readonly overlapping: Uint32Array
  /** Pairs of purchases that were in flight at the same time. */
  readonly pairs: number
}

/** Who overlapped whom, for each key. */
export function overlapsOf(sessions: SessionTable, keys: number): KeyOverlaps[] {
  const { exchanges } = sessions
  const attempts = groupRows(sessions, (row) =>
    BUYS.has(exchanges.operation.at(row)) ? sessions.keyOf(exchanges.session[row] as number) : -1,
  )
  return Array.from({ length: keys }, (_, key) => ({
    name: `key ${key + 1}`,
    ...overlapsAmong(sessions, attempts.get(key) ?? new Uint32Array()),
  }))
}

function overlapsAmong(
  { exchanges }: SessionTable,
  attempts: Uint32Array,
): Pick<KeyOverlaps, 'overlapping' | 'pairs'> {
  const { session: sessions, sentMs, receivedMs } = exchanges
  const isOverlapping = new Uint8Array(attempts.length)
  let pairs = 0
  let open: number[] = []
  for (const [at, row] of attempts.entries()) {
    const fromMs = sentMs[row] as number
    open = open.filter((other) => (receivedMs[attempts[other] as number] as number) > fromMs)
    for (const other of open) {
      if (sessions[attempts[other] as number] === sessions[row]) continue
      pairs++
      isOverlapping[at] = 1
      isOverlapping[other] = 1
    }
    open.push(at)
  }
  return { overlapping: attempts.filter((_, at) => isOverlapping[at] === 1), pairs }
}

/** What contention may look like. */
export function contentionStatements({ exchanges }: SessionTable, key: KeyOverlaps): Statement[] {
  const answers = key.overlapping.values().map((row) => answerAt(exchanges, row))
  return contentionRules(answers, key.name)
}

/** What was refused is decided when it is sent again: bought, or refused by the cap. */
export function repeatStatements(
  purchase: Purchase,
  isWithinWindow: (exchange: SessionExchange) => boolean,
): Statement[] {
  const { attempts, end } = purchase
  const refused = attempts.filter(isThrottled)
  if (refused.length === 0) return []
  const outcome = resentOutcome(attemptedOf(purchase))
  const decided = `decided after ${refused.length} refusals`
  if (outcome === 'decided')
    return [say('BUSY-06', 'pass', purchase, decided), say('BUSY-08', 'pass', purchase, decided)]
  const observed = `sent again, it was answered by HTTP ${attempts.at(-1)?.status}`
  if (outcome === 'refused otherwise') return [say('BUSY-06', 'fail', purchase, observed)]
  if (end !== 'starved') return []
  const verdict = refused.every(isWithinWindow) ? 'fail' : 'inconclusive'
  return [say('BUSY-08', verdict, purchase, `refused ${refused.length} times, then given up`)]
}

/** Sorted times of what an account sent to one endpoint. */
type Counted = { readonly sentMs: Float64Array; readonly receivedMs: Float64Array }

const NONE: Counted = { sentMs: new Float64Array(), receivedMs: new Float64Array() }

/**
 * Tells refusals that no window of the endpoint explains: not even with everything counted, refused requests and all, that the
 * account sent to it in the length of a window.
 */
export class AccountWindows {
  readonly #sessions: SessionTable
  readonly #accountOf: readonly number[]
  readonly #slackMs: number
  #counted: ReadonlyMap<number, Counted> | undefined

  constructor(sessions: SessionTable, keys: readonly Pick<LoadKey, 'account'>[], slackMs: number) {
    const accounts = [...new Set(keys.map(({ account }) => account))]
    this.#sessions = sessions
    this.#accountOf = keys.map(({ account }) => accounts.indexOf(account))
    this.#slackMs = slackMs
  }

  isWithin(
    { key, operation, sentMs, receivedMs }: SessionExchange,
    { count, windowSeconds }: WindowLimit,
  ): boolean {
    // Few runs ask at all.
    this.#counted ??= this.#count()
    const all = this.#counted.get(this.#groupOf(key, operation)) ?? NONE
    const fromMs = sentMs - 1000 * windowSeconds - this.#slackMs
    // What was answered before was sent before.
    return countUpTo(all.sentMs, receivedMs) - countBelow(all.receivedMs, fromMs) <= count
  }

  #count(): ReadonlyMap<number, Counted> {
    const { exchanges } = this.#sessions
    const groups = groupRows(this.#sessions, (row) =>
      this.#groupOf(
        this.#sessions.keyOf(exchanges.session[row] as number),
        exchanges.operation.at(row),
      ),
    )
    return new Map(
      [...groups].map(([group, rows]) => [
        group,
        {
          sentMs: valuesAt(exchanges.sentMs, rows),
          receivedMs: valuesAt(exchanges.receivedMs, rows).toSorted(),
        },
      ]),
    )
  }

  #groupOf(key: number, operation: SessionExchange['operation']): number {
    return (this.#accountOf[key] ?? 0) * ENDPOINTS + endpointOf(operation)
  }
}

const ENDPOINTS = 3

/** Orders, carts, reads. */
function endpointOf(operation: SessionExchange['operation']): number {
  if (operation === 'order' || operation === 'replay') return 0
  return operation === 'cart' || operation === 'cart-replay' ? 1 : 2
}
