import type { LoadResult } from '../../../schemas/generated/run-record.ts'
import type { WindowLimit } from '../../../contract/limits.ts'
import type { ArrivalExchange, ArrivalsEvidence } from './arrivals-import.ts'
import type { KeyCap } from './arrivals-plan.ts'
import type { LoadKey } from '../windows/plan.ts'
import { judgeReplayMarks } from '../volleys/replay-marks.ts'
import { cartStatements } from './sessions-carts-judge.ts'
import { contentionStatements, keyRunOf, withinWindow } from './sessions-contention-judge.ts'
import {
  decide,
  isAccepted,
  isUnknown,
  ownersOf,
  priceOf,
  purchasesOf,
} from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import { measureSessions } from './sessions-measure.ts'
import { answerStatements, orderStatements } from './sessions-orders-judge.ts'
import { spendStatements, traceStatements } from './sessions-spend-judge.ts'
import { stateStatements } from './sessions-states-judge.ts'
import { unhideStatements } from './sessions-unhide-judge.ts'
import type { Statement } from '../statements.ts'
import type { Micros } from '../../money.ts'

/** What the judge has to know beside the evidence. */
export type SessionsFacts = {
  readonly keys: readonly Pick<LoadKey, 'account'>[]
  /** In the order of the keys. */
  readonly caps: readonly KeyCap[]
  /** Orders of one cart. */
  readonly positions: number
  /** What the target file says of the product. */
  completesWithinSeconds(kind: Purchase['kind']): number | undefined
  readonly replayStatusCode: number | undefined
  /** Of purchases and of reads. */
  readonly limit: WindowLimit
  readonly readLimit: WindowLimit
  readonly slackMs: number
  /** Price of one purchase where the target file tells it. */
  amountOf(kind: Purchase['kind']): Micros | undefined
  /** Pairs of purchases on one key that have to be in flight at the same time, for the scenario to have shown contention. */
  readonly pairsMin: number
}

export type SessionsJudgement = {
  readonly statements: readonly Statement[]
  readonly open?: string
  readonly praise: string
  readonly measurements: LoadResult['measurements']
}

/** So many carts that are forbidden, and no other, are no accident. */
const FORBIDDEN_MIN = 3

/** Holds what buyers and shoppers saw against what the interface says of purchases. Pure. */
export function judgeSessions(
  evidence: Pick<ArrivalsEvidence, 'sessions'>,
  facts: SessionsFacts,
): SessionsJudgement {
  const purchases = purchasesOf(evidence, facts.keys)
  const accepted = purchases.filter(({ original }) => original)
  const owners = ownersOf(purchases)
  const keys = facts.keys.map((_, key) =>
    keyRunOf(
      `key ${key + 1}`,
      purchases.filter((purchase) => purchase.key === key),
    ),
  )
  const exchanges = evidence.sessions.flatMap((session) =>
    session.exchanges.map((each) => ({
      ...each,
      account: facts.keys[each.key]?.account ?? '',
    })),
  )
  const isWithinWindow = withinWindow(exchanges, facts.limit, facts.slackMs)
  const isWithinReads = withinWindow(exchanges, facts.readLimit, facts.slackMs)
  const statements = [
    ...purchases.flatMap((purchase) => [
      ...orderStatements(purchase, owners),
      ...cartStatements(purchase, facts.positions, owners),
      ...answerStatements(purchase),
      ...stateStatements(purchase, facts.completesWithinSeconds(purchase.kind)),
    ]),
    ...markStatements(accepted, facts.replayStatusCode),
    ...scopeStatements(purchases),
    ...unhideStatements(purchases, isWithinReads),
    ...traceStatements(purchases, owners),
    ...keys.flatMap((key, index) => [
      ...contentionStatements(key, isWithinWindow),
      ...spendStatements(
        key.name,
        key.purchases,
        facts.caps[index] ?? { headroom: 'unknown' },
        (purchase) => priceOf(purchase) ?? facts.amountOf(purchase.kind),
      ),
    ]),
  ]
  const pairs = keys.reduce((sum, key) => sum + key.pairs, 0)
  return {
    statements,
    ...openOf(purchases, pairs, facts),
    praise: `${accepted.length} of ${purchases.length} purchases were accepted, each found as one purchase and followed to its end; ${pairs} pairs were in flight on one key at the same time.`,
    measurements: { ...measureSessions(purchases), overlappingPairs: pairs },
  }
}

/** Why the scenario as a whole proved nothing. */
function openOf(
  purchases: readonly Purchase[],
  pairs: number,
  { pairsMin }: SessionsFacts,
): Pick<SessionsJudgement, 'open'> {
  const lost = purchases.flatMap(({ attempts, reads, unhides }) =>
    [...attempts, ...reads, ...unhides].filter(isUnknown),
  )
  if (!purchases.some(({ original }) => original)) return { open: 'no purchase was accepted' }
  if (lost[0])
    return {
      open: `${lost.length} requests came to nothing that can be told, the first HTTP ${lost[0].status || 'none'}`,
    }
  const stopped = purchases.filter(({ end }) => end === undefined || end === 'unfinished')
  if (stopped.length > 0)
    return { open: `${stopped.length} purchases were not followed to their end` }
  if (pairs < pairsMin)
    return {
      open: `${pairs} pairs of purchases were in flight on one key at the same time, ${pairsMin} are needed`,
    }
  return {}
}

/** Replays of orders are marked; nothing is shown of the number of a checkout's replay. */
function markStatements(accepted: readonly Purchase[], stated: number | undefined): Statement[] {
  const orders = accepted.filter(({ kind }) => kind === 'order')
  const replays = orders.flatMap(({ replays: sent, original }) =>
    sent.filter((each) => isAccepted(each) && each.ids[0] === original?.ids[0]),
  )
  const firsts = orders.flatMap(({ attempts, original }) =>
    // What came to nothing before may have been the first success.
    original?.operation === 'order' && !attempts.some(isUnknown) ? [original] : [],
  )
  if (replays.length === 0) return []
  const { holds, observed } = judgeReplayMarks(replays.map(codeOf), firsts.map(codeOf), stated)
  return [decide('IDEM-04', holds, { name: 'all orders' }, observed)]
}

/** Keys have the scopes for orders: not every cart can be forbidden. */
function scopeStatements(purchases: readonly Purchase[]): Statement[] {
  const carts = purchases.filter(({ kind }) => kind === 'cart')
  const bought = carts.filter(({ original }) => original).length
  const forbidden = carts.filter(({ attempts }) => attempts.every(({ status }) => status === 403))
  const place = { name: 'all carts' }
  if (bought > 0) return [decide('CART-11', true, place, `${bought} carts were bought`)]
  return forbidden.length >= FORBIDDEN_MIN && forbidden.length === carts.length
    ? [decide('CART-11', false, place, `all ${carts.length} carts were answered by HTTP 403`)]
    : []
}

function codeOf({ code }: ArrivalExchange): number | undefined {
  return code
}
