/** What is asked of the answers of every open-model scenario: windows, refusals, promised waits. */
import type { RequirementId } from '../../contract/requirements/index.ts'
import { STATUS_CODE } from '../../contract/wire.ts'
import { judgeLimiter, parseRetryAfterSeconds } from '../judge/limiter.ts'
import type { LimiterVerdict, QuotaRequest } from '../judge/limiter.ts'
import type { ArrivalExchange, ArrivalsEvidence } from './arrivals-import.ts'
import { outcomeOf } from './arrivals-measure.ts'
import type { ArrivalsPlan } from './arrivals-plan.ts'
import { QUOTA_OF, type ArrivalQuota } from './arrivals-quotas.ts'
import type { ArrivalsContext } from './arrivals-ready.ts'
import { slackFor } from './plan.ts'
import type { Statement } from './statements.ts'

/** Least must-refuse labels that show that windows were overstepped, and held. */
const MUST_REFUSE_MIN = 20

/** One quota of one account, with all its requests and what the oracle says of them. */
export type JudgedQuota = {
  readonly account: string
  readonly quota: ArrivalQuota
  readonly limit: { readonly count: number; readonly windowSeconds: number }
  /** In the order of sending. */
  readonly exchanges: readonly ArrivalExchange[]
  readonly verdict: LimiterVerdict
}

/** Asks the limiter oracle about every quota that was used. */
export function judgeQuotas(
  { sessions }: ArrivalsEvidence,
  { keys, clockSkewMs = 0 }: Pick<ArrivalsPlan, 'keys' | 'clockSkewMs'>,
  { target, limits, accounts }: ArrivalsContext,
): JudgedQuota[] {
  const exchanges = sessions.flatMap((session) => session.exchanges)
  const accountOf = ({ key }: ArrivalExchange): string => keys[key]?.account ?? ''
  const byAccount = Map.groupBy(exchanges, accountOf)
  return [...byAccount].flatMap(([account, own]) => {
    const byQuota = Map.groupBy(own, ({ operation }) => QUOTA_OF[operation])
    return [...byQuota].flatMap(([quota, requests]): JudgedQuota[] => {
      if (quota === undefined || !isStated(quota)) return []
      const limit = limits[quota.bucket]
      const sorted = requests.toSorted((a, b) => a.sentMs - b.sentMs)
      const verdict = judgeLimiter({
        requests: sorted.map(quotaRequest),
        limit,
        slackMs: slackFor(target.timing, limit.windowSeconds) + clockSkewMs,
        // What an account that is not fresh spent before is unknown.
        history: accounts.make ? 'complete' : 'partial',
      })
      return [{ account, quota, limit, exchanges: sorted, verdict }]
    })
  })
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
  const quotas = judgeQuotas(evidence, plan, context)
  const refusals = evidence.sessions.flatMap(({ exchanges }) =>
    exchanges.filter(({ status }) => status === 429),
  )
  return [...quotas.flatMap(windowStatements), ...refusalStatements(refusals)]
}

function windowStatements(judged: JudgedQuota): Statement[] {
  const { limit, verdict, exchanges } = judged
  const { refusedWithinBudget: refused, admittedOverBudget: admitted, counts, retryAfter } = verdict
  const budget = `${limit.count} per ${limit.windowSeconds} s`
  const first = (indexes: readonly number[]): string =>
    `the first ${shownAt(exchanges[indexes[0] ?? -1])}`
  const say = (
    requirement: RequirementId,
    verdictOf: Statement['verdict'],
    observed: string,
  ): Statement => ({
    requirement,
    verdict: verdictOf,
    observed: `${nameOf(judged)}: ${observed}`,
  })
  const statements: Statement[] = []
  if (refused.length > 0)
    statements.push(
      say(
        'RATE-01',
        'fail',
        `${refused.length} requests within a budget of ${budget} were refused, ${first(refused)}`,
      ),
    )
  else if (counts.mustAccept > 0)
    statements.push(
      say(
        'RATE-01',
        'pass',
        `all ${counts.mustAccept} requests that a budget of ${budget} had to admit were admitted`,
      ),
    )
  if (admitted.length > 0)
    statements.push(
      say(
        'RATE-02',
        'fail',
        `${admitted.length} requests beyond a budget of ${budget} were admitted, ${first(admitted)}`,
      ),
    )
  else if (counts.mustRefuse >= MUST_REFUSE_MIN)
    statements.push(
      say(
        'RATE-02',
        'pass',
        `all ${counts.mustRefuse} requests that were certain to be beyond a budget of ${budget} were refused`,
      ),
    )
  const [early] = retryAfter.tooEarly
  if (early !== undefined)
    statements.push(
      say(
        'RATE-08',
        'fail',
        `${retryAfter.tooEarly.length} requests were refused again by the same window after the wait that they were told, ${first([early.retried])}`,
      ),
    )
  else if (verdict.explained && retryAfter.retried > 0)
    statements.push(
      say(
        'RATE-08',
        'pass',
        `${retryAfter.retried} requests came after a promised wait and none met a refusal of the same window`,
      ),
    )
  return statements
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
