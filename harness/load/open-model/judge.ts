/** What is asked of the answers of every open-model scenario: windows, refusals, promised waits. */
import { limitOf } from '../../quota/effective-limits.ts'
import type { WindowLimit } from '../../../contract/limits.ts'
import { isExplained, judgeHistory, prepareHistory } from '../../judge/limiter.ts'
import type { LimiterVerdict, PreparedHistory } from '../../judge/limiter.ts'
import {
  brokenWindow,
  contradictions,
  MUST_REFUSE_MIN,
  refusedOtherwise,
} from '../../judge/rules/windows.ts'
import { REFUSAL_RULES } from '../../judge/rules/refusals.ts'
import { RuleTally } from '../shared/rule-tally.ts'
import { answerAt, shownAt } from './session-answers.ts'
import type { OpenModelEvidence } from './import.ts'
import type { OpenModelPlan } from './plan.ts'
import type { SessionQuota } from './quotas.ts'
import type { OpenModelContext } from './context.ts'
import { quotaColumns } from '../evidence/quota-columns.ts'
import { quotaRows } from './quota-rows.ts'
import type { SessionTable } from './session-table.ts'
import { slackFor } from '../rate-limits/plan.ts'
import { say, type Statement } from '../shared/statements.ts'

/** Requests of one account against one quota. */
type QuotaHistory = {
  readonly account: string
  readonly quota: SessionQuota
  readonly limit: WindowLimit & { readonly isGeneral?: true }
  readonly sessions: SessionTable
  /** In the order of sending. */
  readonly rows: Uint32Array
}

/** With what the oracle says of them. */
type JudgedQuota = QuotaHistory & {
  readonly prepared: PreparedHistory
  readonly asked: { readonly limit: WindowLimit; readonly history: 'complete' | 'partial' }
  readonly verdict: LimiterVerdict
  readonly slackMs: number
}

function historiesOf(
  { sessions }: OpenModelEvidence,
  { keys }: Pick<OpenModelPlan, 'keys'>,
  { limits }: OpenModelContext,
): QuotaHistory[] {
  return quotaRows(sessions, keys).map((each) => ({
    ...each,
    sessions,
    limit: limitOf(limits, each.quota.bucket, each.quota.endpoint),
  }))
}

function judgeQuota(
  history: QuotaHistory,
  { clockSkewMs = 0 }: Pick<OpenModelPlan, 'clockSkewMs'>,
  { target, accounts }: OpenModelContext,
): JudgedQuota {
  const { limit, sessions, rows } = history
  const slackMs = slackFor(target.timing, limit.windowSeconds) + clockSkewMs
  const prepared = prepareHistory({ requests: quotaColumns(sessions.exchanges, rows), slackMs })
  // What an account that is not fresh spent before is unknown.
  const asked = { limit, history: accounts.make ? 'complete' : 'partial' } as const
  return { ...history, prepared, asked, slackMs, verdict: judgeHistory(prepared, asked) }
}

/**
 * Single endpoints may be tighter or looser than the default, and purchases are refused for contention too: such windows are lived
 * with, and not judged.
 */
function isStated({ bucket, endpoint }: SessionQuota): boolean {
  return bucket !== 'default' || endpoint === 'listServices'
}

/** What all open-model scenarios can state. */
export function sharedStatements(
  evidence: OpenModelEvidence,
  plan: OpenModelPlan,
  context: OpenModelContext,
): Statement[] {
  const histories = historiesOf(evidence, plan, context)
  const shared = new SharedCounters(histories)
  const statements: Statement[] = []
  // One after the other: what the oracle makes of a history is many times as large.
  for (const history of histories)
    if (isStated(history.quota))
      statements.push(...windowStatements(judgeQuota(history, plan, context), shared))
  return [...statements, ...refusalStatements(evidence.sessions)]
}

function windowStatements(judged: JudgedQuota, shared: SharedCounters): Statement[] {
  const { limit, verdict } = judged
  const { counts, retryAfter } = verdict
  // Where only the default of all endpoints is known, this one may have a window of its own.
  if (!verdict.explained) return limit.isGeneral ? [] : [brokenStatement(judged, shared)]
  const budget = budgetOf(limit)
  const statements = wrongRefusals(judged)
  if (counts.mustAccept > 0)
    statements.push(
      say(
        'RATE-01',
        'pass',
        placeOf(judged),
        `all ${counts.mustAccept} requests that ${budget} had to admit were admitted`,
      ),
    )
  if (counts.mustRefuse >= MUST_REFUSE_MIN)
    statements.push(
      say(
        'RATE-02',
        'pass',
        placeOf(judged),
        `all ${counts.mustRefuse} requests that were certain to be beyond ${budget} were refused`,
      ),
    )
  const early = contradictions(verdict)['RATE-08']
  const [firstEarly] = early
  if (firstEarly !== undefined) {
    const observed = `${early.length} requests were refused again by the same window after they had waited as Retry-After said, the first ${shownIn(judged, firstEarly)}`
    statements.push(say('RATE-08', 'fail', placeOf(judged), observed))
  } else if (retryAfter.retried > 0) {
    const observed = `${retryAfter.retried} requests came after a promised wait and none met a refusal of the same window`
    statements.push(say('RATE-08', 'pass', placeOf(judged), observed))
  }
  return statements
}

/** One counter for several that explains the answers, or the requirement that a broken window breaks. */
function brokenStatement(judged: JudgedQuota, counters: SharedCounters): Statement {
  const shared = counters.explaining(judged)
  if (shared !== undefined) return shared
  const isShared = judged.asked.history === 'partial'
  const { requirement, observed, first, doubt } = brokenWindow({
    ...judged,
    isDrilled: false,
    isShared,
  })
  if (doubt !== undefined) return say(requirement, 'inconclusive', placeOf(judged), doubt)
  const where = first === undefined ? '' : `, the first ${shownIn(judged, first)}`
  return say(requirement, 'fail', placeOf(judged), `${observed}${where}`)
}

/** One counter for all accounts, or for all endpoints of one, that explains what each alone does not. */
class SharedCounters {
  readonly #histories: readonly QuotaHistory[]
  /** Whether one counter for all accounts explains a quota: the whole history, so it is asked once. */
  readonly #byQuota = new Map<SessionQuota, boolean>()

  constructor(histories: readonly QuotaHistory[]) {
    this.#histories = histories
  }

  explaining(judged: JudgedQuota): Statement | undefined {
    if (this.#explainsAllAccounts(judged))
      return say(
        'RATE-09',
        'fail',
        placeOf(judged),
        'one window for all accounts explains the answers',
      )
    const { account, quota } = judged
    const endpoints = this.#histories.filter(
      (each) => each.account === account && each.quota.bucket === quota.bucket,
    )
    return endpoints.length > 1 && isExplained(merged(judged, endpoints), judged.asked)
      ? say(
          'RATE-11',
          'fail',
          placeOf(judged),
          'one window for all its endpoints explains the answers',
        )
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

function merged(
  { slackMs, sessions }: JudgedQuota,
  histories: readonly QuotaHistory[],
): PreparedHistory {
  const rows = new Uint32Array(histories.reduce((sum, each) => sum + each.rows.length, 0))
  let at = 0
  for (const each of histories) {
    rows.set(each.rows, at)
    at += each.rows.length
  }
  return prepareHistory({ requests: quotaColumns(sessions.exchanges, rows), slackMs })
}

/** Requests that had to be refused, and were answered by another error than 429. */
function wrongRefusals(judged: JudgedQuota): Statement[] {
  const { prepared, verdict, sessions, rows } = judged
  const { status: statuses } = sessions.exchanges
  const wrong = refusedOtherwise(prepared, verdict)
  const [first] = wrong
  if (first === undefined) return []
  const observed = `${wrong.length} requests beyond ${budgetOf(judged.limit)} were answered by an error, the first by HTTP ${statuses[rows[first] as number]}`
  return [say('RATE-04', 'fail', placeOf(judged), observed)]
}

function budgetOf({ count, windowSeconds }: WindowLimit): string {
  return `a budget of ${count} per ${windowSeconds} s`
}

function placeOf({ account, quota }: JudgedQuota): { readonly name: string } {
  return {
    name: `account ${account}, ${quota.bucket === 'default' ? quota.endpoint : quota.bucket}`,
  }
}

function shownIn({ sessions, rows }: JudgedQuota, at: number): string {
  return shownAt(sessions, rows[at] as number)
}

/** Every 429, whatever it was for. */
export function refusalStatements(sessions: SessionTable): Statement[] {
  const { exchanges } = sessions
  const tally = new RuleTally(REFUSAL_RULES)
  for (let row = 0; row < exchanges.length; row++)
    if (exchanges.status[row] === 429)
      tally.add(answerAt(exchanges, row), () => shownAt(sessions, row))
  return tally.statements('refusals')
}
