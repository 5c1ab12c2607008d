import type { WindowLimit } from '../../../contract/limits.ts'
import { STATUS_CODE } from '../../../contract/wire.ts'
import { parseRetryAfterSeconds } from '../../judge/limiter.ts'
import type { ArrivalExchange } from './arrivals-import.ts'
import { decide, say } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import { isCapRefusal } from '../volleys/spend-orders.ts'
import type { Statement } from '../statements.ts'

/** One key with all purchases on it. */
export type KeyRun = {
  readonly name: string
  readonly purchases: readonly Purchase[]
  /** Attempts that another purchase's attempt on this key overlapped. */
  readonly met: ReadonlySet<ArrivalExchange>
  /** Pairs of purchases that were in flight at the same time. */
  readonly pairs: number
}

/** Who overlapped whom on one key. */
export function keyRunOf(name: string, purchases: readonly Purchase[]): KeyRun {
  const attempts = purchases
    .flatMap((purchase) => purchase.attempts)
    .toSorted((a, b) => a.sentMs - b.sentMs)
  const met = new Set<ArrivalExchange>()
  let pairs = 0
  let open: readonly ArrivalExchange[] = []
  for (const attempt of attempts) {
    open = open.filter(({ receivedMs }) => receivedMs > attempt.sentMs)
    for (const other of open) {
      if (other.session === attempt.session) continue
      pairs++
      met.add(attempt)
      met.add(other)
    }
    open = [...open, attempt]
  }
  return { name, purchases, met, pairs }
}

/** What contention may look like, and that it comes to an end. */
export function contentionStatements(
  key: KeyRun,
  isWithinWindow: (exchange: ArrivalExchange) => boolean,
): Statement[] {
  if (key.pairs === 0) return []
  return [
    ...answerStatements(key),
    ...waitStatements(key),
    ...key.purchases.flatMap((purchase) => repeatStatements(purchase, isWithinWindow)),
  ]
}

function answerStatements(key: KeyRun): Statement[] {
  const met = [...key.met]
  const broken = met.filter(
    ({ status, code }) => status >= 500 || (status === 429 && code !== STATUS_CODE.limitReached),
  )
  const observed = broken[0]
    ? `${broken.length} of ${met.length} overlapping purchases were answered otherwise, the first by HTTP ${broken[0].status}, statusCode ${broken[0].code ?? 'none'}`
    : `${met.length} overlapping purchases, no 5xx, every 429 with 8`
  return [decide('BUSY-01', broken.length === 0, key, observed)]
}

function waitStatements(key: KeyRun): Statement[] {
  const refused = [...key.met].filter(({ status }) => status === 429)
  if (refused.length === 0) return []
  const wrong = refused.filter(({ retryAfter }) => parseRetryAfterSeconds(retryAfter) === undefined)
  const observed = wrong[0]
    ? `${wrong.length} of ${refused.length} contended answers had Retry-After ${JSON.stringify(wrong[0].retryAfter ?? 'none')}`
    : `${refused.length} contended answers named whole seconds`
  return [decide('BUSY-02', wrong.length === 0, key, observed)]
}

/** What was refused is decided when it is sent again: bought, or refused by the cap. */
function repeatStatements(
  purchase: Purchase,
  isWithinWindow: (exchange: ArrivalExchange) => boolean,
): Statement[] {
  const { attempts, original, end } = purchase
  const refused = attempts.filter(({ status }) => status === 429)
  const last = attempts.at(-1)
  if (refused.length === 0 || !last) return []
  if (original || attempts.some(isCapRefusal))
    return [
      say('BUSY-06', 'pass', purchase, `decided after ${refused.length} refusals`),
      say('BUSY-08', 'pass', purchase, `decided after ${refused.length} refusals`),
    ]
  if (last.status >= 300 && last.status < 500 && last.status !== 429)
    return [say('BUSY-06', 'fail', purchase, `sent again, it was answered by HTTP ${last.status}`)]
  if (end !== 'starved') return []
  const observed = `refused ${refused.length} times, then given up`
  return [
    say('BUSY-08', refused.every(isWithinWindow) ? 'fail' : 'inconclusive', purchase, observed),
  ]
}

/**
 * Tells refusals that no window of the endpoint explains: not even with everything counted, refused requests and all, that the
 * account sent to it in the length of a window.
 */
export function withinWindow(
  exchanges: readonly (ArrivalExchange & { readonly account: string })[],
  limit: WindowLimit,
  slackMs: number,
): (exchange: ArrivalExchange) => boolean {
  const accounts = Map.groupBy(
    exchanges,
    ({ account, operation }) => `${account} ${endpointOf(operation)}`,
  )
  const accountOf = new Map(exchanges.map(({ key, account }) => [key, account]))
  return (exchange) => {
    const { key, operation, sentMs, receivedMs } = exchange
    const all = accounts.get(`${accountOf.get(key) ?? ''} ${endpointOf(operation)}`) ?? []
    const fromMs = sentMs - 1000 * limit.windowSeconds - slackMs
    const counted = all.filter((each) => each.receivedMs >= fromMs && each.sentMs <= receivedMs)
    return counted.length <= limit.count
  }
}

function endpointOf(operation: ArrivalExchange['operation']): string {
  if (operation === 'order' || operation === 'replay') return 'orders'
  return operation === 'cart' || operation === 'cart-replay' ? 'carts' : 'reads'
}
