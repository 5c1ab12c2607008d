import type { LoadResult } from '../../../schemas/generated/run-record.ts'
import { parseRetryAfterSeconds } from '../../judge/limiter.ts'
import type { ArrivalExchange, ArrivalsEvidence } from './arrivals-import.ts'
import { measureArrivals, type ArrivalsMeasures } from './arrivals-measure.ts'
import type { ArrivalsPlan } from './arrivals-plan.ts'
import { loadResultOf } from '../conclusion.ts'
import type { K6Run } from '../k6/run.ts'
import { findingsFrom, type Statement } from '../statements.ts'

/** What the judge of one scenario says about its evidence. */
export type ArrivalsJudgement = {
  readonly statements: readonly Statement[]
  /** Why the scenario as a whole proved nothing. */
  readonly open?: string
  /** What it says when everything held. */
  readonly praise: string
  readonly measurements?: LoadResult['measurements']
  readonly windows?: LoadResult['windows']
}

export type ArrivalsRun = K6Run<ArrivalsEvidence>

/** A clock that was set by more than this during the run makes its times worthless. */
const CLOCK_STEP_MS_MAX = 50
/** Sessions that begin later than this, but for one in a hundred, are not the load that was planned. */
const LAG_MS_MAX = 250

/** Joins what was judged with what every scenario of arrivals must show: all sessions, in time, none given up. */
export function arrivalsResult(
  plan: ArrivalsPlan,
  run: ArrivalsRun,
  k6Version: string,
  judgement: ArrivalsJudgement,
): LoadResult {
  const measures = measureArrivals(run.evidence, plan)
  const findings = findingsFrom(withoutEchoes(judgement.statements))
  const result = loadResultOf(
    {
      scenario: plan.scenario,
      findings,
      requests: {
        planned: plan.requestsMin,
        sent: measures.requests,
        admitted: measures.admitted.count,
        refused: measures.refused.count,
        failed: measures.errors,
      },
      measurements: { ...measurementsOf(measures, run), ...judgement.measurements },
      windows: judgement.windows ?? [],
      clockStepMsMax: CLOCK_STEP_MS_MAX,
      open: openOf(measures, judgement, findings),
      praise: judgement.praise,
    },
    run,
    k6Version,
  )
  const { admitted, refused, admittedService, refusedService, series } = measures
  return {
    ...result,
    workload: plan.file.workload,
    repeat: `${result.repeat} --workload ${plan.file.workload}`,
    latency: { admitted, refused, admittedService, refusedService },
    series: [...series],
  }
}

/** A listing that fails because its window is spent lacks the 429: that it fails is no second defect. */
function withoutEchoes(statements: readonly Statement[]): Statement[] {
  const isEchoed = statements.some(
    ({ requirement, verdict }) => requirement === 'RATE-04' && verdict === 'fail',
  )
  return statements.filter(({ requirement }) => !isEchoed || requirement !== 'CAT-01')
}

/** Why a run without a broken requirement is still no pass: the generator first, then clients that gave up, then open findings. */
function openOf(
  measures: ArrivalsMeasures,
  judgement: ArrivalsJudgement,
  findings: LoadResult['findings'],
): string | undefined {
  const open = findings.filter(({ verdict }) => verdict === 'inconclusive')
  return (
    generatorTrouble(measures) ??
    clientTrouble(measures) ??
    (judgement.open === undefined ? undefined : `Not decided: ${judgement.open}.`) ??
    (open.length === 0
      ? undefined
      : `Not decided: ${open.map((each) => `${each.requirement}: ${each.observed}`).join('. ')}.`)
  )
}

/** Why the load was not what was planned, in a sentence. */
export function generatorTrouble({
  sessions,
  scheduleLagMs,
}: Pick<ArrivalsMeasures, 'sessions' | 'scheduleLagMs'>): string | undefined {
  const { planned, started, ended, busyMax, virtualUsers } = sessions
  if (started < planned) return `Only ${started} of ${planned} sessions began.`
  const endedInAll = Object.values(ended).reduce((sum, count) => sum + count, 0)
  if (endedInAll < started) return `${started - endedInAll} of ${started} sessions came to no end.`
  if (scheduleLagMs.p99 <= LAG_MS_MAX) return undefined
  const late = `One session in a hundred began ${Math.round(scheduleLagMs.p99)} ms late or more, ${LAG_MS_MAX} ms are allowed`
  return busyMax >= virtualUsers
    ? `${late}: all ${virtualUsers} virtual users were busy, so the answers set the pace.`
    : `${late}: this machine could not send in time.`
}

/** What clients gave up on. What an answer breaks is said by findings; these have no requirement of their own. */
function clientTrouble({ sessions: { ended }, errors }: ArrivalsMeasures): string | undefined {
  if (ended.starved > 0)
    return `${ended.starved} sessions gave up after being refused more often or longer than planned.`
  if (ended.lost > 0) return `${ended.lost} sessions lost their answer.`
  return errors > 0 ? `${errors} requests got no answer, or a 5xx.` : undefined
}

function measurementsOf(measures: ArrivalsMeasures, run: ArrivalsRun): LoadResult['measurements'] {
  const { sessions, scheduleLagMs } = measures
  return {
    durationSeconds: round(run.durationSeconds),
    clockStepMs: round(run.clockStepMs),
    scheduleSeconds: round(measures.seconds),
    sessions: sessions.started,
    ...Object.fromEntries(
      Object.entries(sessions.ended)
        .filter(([end, count]) => end === 'done' || count > 0)
        .map(([end, count]) => [`sessions${end[0]?.toUpperCase()}${end.slice(1)}`, count]),
    ),
    virtualUsers: sessions.virtualUsers,
    virtualUsersBusyMax: sessions.busyMax,
    offeredPerSecond: round(measures.offeredPerSecond),
    achievedPerSecond: round(measures.achievedPerSecond),
    retries: measures.retries,
    otherAnswers: measures.otherAnswers,
    newConnections: countNew(run.evidence),
    scheduleLagMsP50: round(scheduleLagMs.p50),
    scheduleLagMsP99: round(scheduleLagMs.p99),
    scheduleLagMsMax: round(scheduleLagMs.max),
    ...promises(run.evidence),
  }
}

function countNew({ sessions }: ArrivalsEvidence): number {
  return sessions.reduce(
    (sum, { exchanges }) => sum + exchanges.filter(({ newConnection }) => newConnection).length,
    0,
  )
}

/** Promise against reality: how long after the moment that a Retry-After named the same request was admitted. */
function promises({ sessions }: ArrivalsEvidence): Record<string, number> {
  const waits = sessions.flatMap(({ exchanges }) => promisedWaits(exchanges))
  if (waits.length === 0) return {}
  const sorted = Float64Array.from(waits, ({ lateMs }) => lateMs).toSorted()
  const at = (part: number): number =>
    round(sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? 0)
  return {
    promisedWaits: waits.length,
    promisedWaitsRefusedAgain: waits.filter(({ refusedAgain }) => refusedAgain).length,
    attemptsMax: Math.max(...waits.map(({ attempts }) => attempts)),
    admittedAfterPromiseMsP50: at(0.5),
    admittedAfterPromiseMsP99: at(0.99),
    admittedAfterPromiseMsMax: at(1),
  }
}

type PromisedWait = {
  /** From the moment that the first refusal promised to the answer that admitted the request. */
  readonly lateMs: number
  readonly refusedAgain: boolean
  readonly attempts: number
}

/** Requests of one session that were refused and admitted in the end. */
function promisedWaits(exchanges: readonly ArrivalExchange[]): PromisedWait[] {
  return exchanges.flatMap((exchange, index) => {
    if (exchange.attempt === 0 || exchange.status === 429) return []
    // A session sends one request after the other: its attempts stand before it.
    const first = exchanges[index - exchange.attempt]
    const seconds = parseRetryAfterSeconds(first?.retryAfter)
    if (!first || seconds === undefined) return []
    return [
      {
        lateMs: exchange.receivedMs - (first.receivedMs + 1000 * seconds),
        refusedAgain: exchange.attempt > 1,
        attempts: exchange.attempt + 1,
      },
    ]
  })
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
