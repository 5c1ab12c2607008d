/** What is asked of the answers of every open-model scenario: windows, refusals, promised waits. */
import type { WindowLimit } from '../../../contract/limits.ts'
import type { RequirementId } from '../../../contract/requirements/index.ts'
import { STATUS_CODE } from '../../../contract/wire.ts'
import {
  isExplained,
  judgeHistory,
  parseRetryAfterSeconds,
  prepareHistory,
} from '../../judge/limiter.ts'
import type { LimiterVerdict, PreparedHistory, QuotaRequest } from '../../judge/limiter.ts'
import type { ArrivalExchange, ArrivalsEvidence } from './arrivals-import.ts'
import { outcomeOf } from './arrivals-measure.ts'
import type { ArrivalsPlan } from './arrivals-plan.ts'
import { QUOTA_OF, type ArrivalQuota } from './arrivals-quotas.ts'
import type { ArrivalsContext } from './arrivals-ready.ts'
import { slackFor } from '../windows/plan.ts'
import type { Statement } from '../statements.ts'

/** Least must-refuse labels that show that windows were overstepped, and held. */
const MUST_REFUSE_MIN = 20

/** Requests of one account against one quota, in the order of sending. */
type QuotaHistory = {
  readonly account: string
  readonly quota: ArrivalQuota
  readonly limit: WindowLimit
  readonly exchanges: readonly ArrivalExchange[]
}

/** With what the oracle says of them. */
type JudgedQuota = QuotaHistory & {
  readonly prepared: PreparedHistory
  readonly asked: { readonly limit: WindowLimit; readonly history: 'complete' | 'partial' }
  readonly verdict: LimiterVerdict
  readonly slackMs: number
}

function historiesOf(
  { sessions }: ArrivalsEvidence,
  { keys }: Pick<ArrivalsPlan, 'keys'>,
  { limits }: ArrivalsContext,
): QuotaHistory[] {
  const exchanges = sessions.flatMap((session) => session.exchanges)
  const byAccount = Map.groupBy(exchanges, ({ key }) => keys[key]?.account ?? '')
  return [...byAccount].flatMap(([account, own]) => {
    const byQuota = Map.groupBy(own, ({ operation }) => QUOTA_OF[operation])
    return [...byQuota].flatMap(([quota, requests]): QuotaHistory[] => {
      if (quota === undefined) return []
      const sorted = requests.toSorted((a, b) => a.sentMs - b.sentMs)
      return [{ account, quota, limit: limits[quota.bucket], exchanges: sorted }]
    })
  })
}

function judgeQuota(
  history: QuotaHistory,
  { clockSkewMs = 0 }: Pick<ArrivalsPlan, 'clockSkewMs'>,
  { target, accounts }: ArrivalsContext,
): JudgedQuota {
  const { limit, exchanges } = history
  const slackMs = slackFor(target.timing, limit.windowSeconds) + clockSkewMs
  const prepared = prepareHistory({ requests: exchanges.map(quotaRequest), slackMs })
  // What an account that is not fresh spent before is unknown.
  const asked = { limit, history: accounts.make ? 'complete' : 'partial' } as const
  return { ...history, prepared, asked, slackMs, verdict: judgeHistory(prepared, asked) }
}

/**
 * Single endpoints may be tighter or looser than the default, and purchases are refused for contention too: such windows are lived
 * with, and not judged.
 */
function isStated({ bucket, endpoint }: ArrivalQuota): boolean {
  return bucket !== 'default' || endpoint === 'listServices'
}

function quotaRequest(exchange: ArrivalExchange): QuotaRequest {
  const { sentMs, receivedMs, retryAfter } = exchange
  return { sentMs, receivedMs, retryAfter, outcome: quotaOutcome(exchange) }
}

function quotaOutcome(exchange: ArrivalExchange): QuotaRequest['outcome'] {
  if (exchange.status === 0) return 'unknown'
  const outcome = outcomeOf(exchange)
  return outcome === 'error' ? 'other' : outcome
}

/** What all open-model scenarios can state. */
export function sharedStatements(
  evidence: ArrivalsEvidence,
  plan: ArrivalsPlan,
  context: ArrivalsContext,
): Statement[] {
  const histories = historiesOf(evidence, plan, context)
  const quotas = histories
    .filter(({ quota }) => isStated(quota))
    .map((history) => judgeQuota(history, plan, context))
  const refusals = evidence.sessions.flatMap(({ exchanges }) =>
    exchanges.filter(({ status }) => status === 429),
  )
  const shared = new SharedCounters(histories)
  return [
    ...quotas.flatMap((quota) => windowStatements(quota, shared)),
    ...refusalStatements(refusals),
  ]
}

function windowStatements(judged: JudgedQuota, shared: SharedCounters): Statement[] {
  const { limit, verdict, exchanges } = judged
  const { counts, retryAfter } = verdict
  if (!verdict.explained) return [brokenWindow(judged, shared)]
  const budget = budgetOf(limit)
  const statements = wrongRefusals(judged)
  if (counts.mustAccept > 0)
    statements.push(
      say(
        judged,
        'RATE-01',
        'pass',
        `all ${counts.mustAccept} requests that ${budget} had to admit were admitted`,
      ),
    )
  if (counts.mustRefuse >= MUST_REFUSE_MIN)
    statements.push(
      say(
        judged,
        'RATE-02',
        'pass',
        `all ${counts.mustRefuse} requests that were certain to be beyond ${budget} were refused`,
      ),
    )
  const [early] = retryAfter.tooEarly
  if (early !== undefined) {
    const observed = `${retryAfter.tooEarly.length} requests were refused again by the same window after the wait that they were told, the first ${shownAt(exchanges[early.retried])}`
    statements.push(say(judged, 'RATE-08', 'fail', observed))
  } else if (retryAfter.retried > 0) {
    const observed = `${retryAfter.retried} requests came after a promised wait and none met a refusal of the same window`
    statements.push(say(judged, 'RATE-08', 'pass', observed))
  }
  return statements
}

/** Names the requirement that a broken window breaks, by what would explain it instead. */
function brokenWindow(judged: JudgedQuota, counters: SharedCounters): Statement {
  const { limit, verdict, exchanges } = judged
  const { refusedWithinBudget: refused, admittedOverBudget: admitted } = verdict
  const shared = counters.explaining(judged)
  if (shared !== undefined) return shared
  const budget = budgetOf(limit)
  const first = `the first ${shownAt(exchanges[(refused[0] ?? admitted[0]) as number])}`
  const other = otherCount(judged)
  if (other !== undefined) {
    const observed = `windows that admit ${other} instead of ${budget} explain the answers, ${first}`
    return say(judged, other < limit.count ? 'RATE-01' : 'RATE-02', 'fail', observed)
  }
  const counted = `${refused.length} requests within ${budget} were refused and ${admitted.length} beyond it admitted, ${first}`
  if (refused.length === 0) return say(judged, 'RATE-02', 'fail', counted)
  // With a small budget, windows of another budget and windows that slide look alike.
  const isTelling = limit.count > 2 && exchanges.some((each) => outcomeOf(each) === 'admitted')
  return isTelling
    ? say(judged, 'RATE-03', 'fail', `no fixed windows of any start explain it: ${counted}`)
    : say(judged, 'RATE-01', 'fail', counted)
}

/** One counter for all accounts, or for all endpoints of one, that explains what each alone does not. */
class SharedCounters {
  readonly #histories: readonly QuotaHistory[]
  /** Whether one counter for all accounts explains a quota: the whole history, so it is asked once. */
  readonly #byQuota = new Map<ArrivalQuota, boolean>()

  constructor(histories: readonly QuotaHistory[]) {
    this.#histories = histories
  }

  explaining(judged: JudgedQuota): Statement | undefined {
    if (this.#explainsAllAccounts(judged))
      return say(judged, 'RATE-09', 'fail', 'one window for all accounts explains the answers')
    const { account, quota } = judged
    const endpoints = this.#histories.filter(
      (each) => each.account === account && each.quota.bucket === quota.bucket,
    )
    return endpoints.length > 1 && isExplained(merged(judged, endpoints), judged.asked)
      ? say(judged, 'RATE-11', 'fail', 'one window for all its endpoints explains the answers')
      : undefined
  }

  #explainsAllAccounts(judged: JudgedQuota): boolean {
    const known = this.#byQuota.get(judged.quota)
    if (known !== undefined) return known
    const accounts = this.#histories.filter(({ quota }) => quota === judged.quota)
    const explains = accounts.length > 1 && isExplained(merged(judged, accounts), judged.asked)
    this.#byQuota.set(judged.quota, explains)
    return explains
  }
}

function merged({ slackMs }: JudgedQuota, histories: readonly QuotaHistory[]): PreparedHistory {
  const requests = histories.flatMap(({ exchanges }) => exchanges.map(quotaRequest))
  return prepareHistory({ requests, slackMs })
}

/**
 * A budget near the stated one whose fixed windows explain every answer; rather one whose windows were seen to be spent to the last
 * request.
 */
function otherCount({ limit, prepared, asked }: JudgedQuota): number | undefined {
  const { count, windowSeconds } = limit
  const steps = [1, 2, 3, ...[0.05, 0.1, 0.5, 1].map((part) => Math.ceil(count * part))]
  const others = new Set(steps.flatMap((step) => [count - step, count + step]))
  const explaining = [...others].flatMap((other) => {
    if (other < 1) return []
    const limited = { ...asked, limit: { count: other, windowSeconds } }
    if (!isExplained(prepared, limited)) return []
    return [{ other, isSeen: judgeHistory(prepared, limited).fullWindows > 0 }]
  })
  return (explaining.find(({ isSeen }) => isSeen) ?? explaining[0])?.other
}

/** Requests that had to be refused, and were answered by another error than 429. */
function wrongRefusals(judged: JudgedQuota): Statement[] {
  const { exchanges, verdict } = judged
  const wrong = exchanges.filter(
    (exchange, index) =>
      exchange.status >= 400 && exchange.status !== 429 && verdict.labels[index] === 'must-refuse',
  )
  const [first] = wrong
  if (first === undefined) return []
  const observed = `${wrong.length} requests beyond ${budgetOf(judged.limit)} were answered by an error, the first by HTTP ${first.status}`
  return [say(judged, 'RATE-04', 'fail', observed)]
}

function say(
  judged: JudgedQuota,
  requirement: RequirementId,
  verdict: Statement['verdict'],
  observed: string,
): Statement {
  return { requirement, verdict, observed: `${nameOf(judged)}: ${observed}` }
}

function budgetOf({ count, windowSeconds }: WindowLimit): string {
  return `a budget of ${count} per ${windowSeconds} s`
}

function nameOf({ account, quota }: JudgedQuota): string {
  return `account ${account}, ${quota.bucket === 'default' ? quota.endpoint : quota.bucket}`
}

function shownAt(exchange: ArrivalExchange | undefined): string {
  if (!exchange) return ''
  const { session, operation, sentMs } = exchange
  return `${operation} of session ${session}, sent at ${(sentMs / 1000).toFixed(3)} s`
}

/** Every 429, whatever it was for. */
function refusalStatements(refusals: readonly ArrivalExchange[]): Statement[] {
  if (refusals.length === 0) return []
  const all = `all ${refusals.length} refusals`
  return [
    judgeEach('RATE-05', refusals, `${all} had statusCode 8`, ({ code }) =>
      code === STATUS_CODE.limitReached ? undefined : `statusCode ${code ?? 'missing'}`,
    ),
    judgeEach('RATE-06', refusals, `${all} had a Retry-After`, ({ retryAfter }) =>
      retryAfter === undefined ? 'no Retry-After' : undefined,
    ),
    judgeEach('RATE-07', refusals, `${all} named whole seconds`, ({ retryAfter }) =>
      retryAfter === undefined || parseRetryAfterSeconds(retryAfter) !== undefined
        ? undefined
        : `Retry-After ${JSON.stringify(retryAfter)}`,
    ),
  ]
}

/** Pass if none of the exchanges has a fault; else how many have, and the first. */
export function judgeEach(
  requirement: RequirementId,
  exchanges: readonly ArrivalExchange[],
  right: string,
  faultOf: (exchange: ArrivalExchange) => string | undefined,
): Statement {
  const wrong = exchanges.flatMap((exchange) => {
    const fault = faultOf(exchange)
    return fault === undefined ? [] : [{ exchange, fault }]
  })
  const [first] = wrong
  if (first === undefined) return { requirement, verdict: 'pass', observed: right }
  const observed = `${wrong.length} of ${exchanges.length} answers had ${first.fault}; the first: ${shownAt(first.exchange)}`
  return { requirement, verdict: 'fail', observed }
}
