import { LOST_ANSWER } from '../../../contract/answers.ts'
import type { RequirementId } from '../../../contract/requirements/index.ts'
import type { LoadResult } from '../../../schemas/generated/run-record.ts'
import type { OpenModelEvidence } from './import.ts'
import { measureOpenModel, type OpenModelMeasures } from './measure.ts'
import { judgeGoals } from './load-goals.ts'
import { operationFigures, sessionFigures } from './operation-figures.ts'
import type { OpenModelFile } from '../../../load/protocol/open-model.ts'
import type { OpenModelPlan } from './plan.ts'
import {
  CLOCK_STEP_MS_MAX,
  loadResultOf,
  notDecided,
  type Judgement,
} from '../shared/conclusion.ts'
import type { K6Run } from '../evidence/k6-run.ts'
import { transportErrorNote } from '../evidence/transport-errors.ts'
import type { Statement, StatementTally } from '../shared/statements.ts'
import { Column } from '../evidence/column.ts'
import { withProcess } from '../evidence/watched-process.ts'
import type { SessionTable } from './session-table.ts'
import { FEW_SHARES, percentilesOf } from '../shared/latencies.ts'
import { plural, rounded } from '../../text.ts'
import { parseRetryAfterSeconds } from '../../retry-after.ts'

export type OpenModelRun = K6Run<OpenModelEvidence>

/** Sessions that begin later than this, but for one in a hundred, are not the load that was planned. */
const LAG_MS_MAX = 250

/** Joins what was judged with what every scenario of the open model must show: all sessions, in time, none given up. */
export function openModelResult(
  plan: OpenModelPlan,
  run: OpenModelRun,
  { k6Version, judgement }: { readonly k6Version: string; readonly judgement: Judgement },
): LoadResult {
  const measures = measureOpenModel(run.evidence, plan)
  const operations = operationFigures(run.evidence.sessions)
  const late = lateness(measures)
  const statements = withoutEchoes(judgement.statements)
  const findings = (
    late === undefined ? statements : statements.leftOpen(needsMeeting, 'sessions began late')
  ).findings()
  const result = loadResultOf(
    {
      scenario: plan.scenario,
      findings,
      requests: {
        planned: plan.requestsMin,
        sent: measures.requests,
        admitted: measures.latency.admitted.count,
        refused: measures.latency.refused.count,
        failed: measures.errors,
        ...refusalsOf(operations),
      },
      measurements: { ...measurementsOf(measures, run), ...judgement.measurements },
      windows: judgement.windows ?? [],
      undecided: undecidedReason({ measures, judgement, run }),
      unplanned: late && `${late} Latencies and what needs requests that meet are not decided.`,
      passReason: judgement.passReason,
    },
    run,
    k6Version,
  )
  const { latency, series } = measures
  return {
    ...result,
    workload: plan.file.workload,
    workloadShape: shapeOf(plan.file),
    latency,
    ...(plan.goals &&
      plan.goals.length > 0 && {
        goals: judgeGoals(run.evidence.sessions, plan.goals, loadTrouble(measures, run), series),
      }),
    operations,
    sessions: sessionFigures(run.evidence.sessions),
    series: run.watched ? withProcess(series, run.watched, run.evidence.zeroUnixMs) : [...series],
  }
}

/** Which clients come, how many start each second, and how they think. */
function shapeOf({ mix, stages, thinkSeconds }: OpenModelFile): string {
  const clients = mix.map(({ kind, weight }) => `${kind}=${weight}`).join(',')
  const rates = stages.map(
    ({ seconds, fromPerSecond, toPerSecond }) =>
      `${short(fromPerSecond)} to ${short(toPerSecond)}/s in ${short(seconds)} s`,
  )
  const think = thinkSeconds === undefined ? 'no think time' : `think time ${short(thinkSeconds)} s`
  return `${clients}; sessions ${rates.join(', ')}; ${think}`
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)))
}

function refusalsOf(
  operations: NonNullable<LoadResult['operations']>,
): Pick<LoadResult['requests'], 'capped' | 'rejected'> {
  const sum = (kind: 'capped' | 'rejected'): number =>
    operations.reduce((total, { answers }) => total + answers[kind], 0)
  return { capped: sum('capped'), rejected: sum('rejected') }
}

/** A listing that fails because its window is spent lacks the 429: that it fails is no second defect. */
function withoutEchoes(statements: StatementTally): StatementTally {
  const isEchoed = statements.verdicts().get('RATE-04') === 'fail'
  return isEchoed ? statements.without('CAT-01') : statements
}

/**
 * Whether late sessions, which come together otherwise than planned, leave a statement open: that something held although requests met,
 * or that a purchase was refused so often that its client gave up. What is broken is so, however the requests came.
 */
function needsMeeting(requirement: RequirementId, verdict: Statement['verdict']): boolean {
  if (verdict === 'fail') return requirement === 'BUSY-08'
  return requirement.startsWith('BUSY-') || OF_MEETING.includes(requirement)
}

const OF_MEETING: readonly RequirementId[] = ['CAP-01', 'CAP-13', 'CAP-17', 'CAP-21']

/** Why a run without a broken requirement is still no pass: the generator first, then clients that gave up. */
function undecidedReason({
  measures,
  judgement,
  run,
}: {
  readonly measures: OpenModelMeasures
  readonly judgement: Judgement
  readonly run: OpenModelRun
}): string | undefined {
  return missingSessions(measures) ?? clientTrouble(measures, run) ?? notDecided(judgement)
}

/** Why latencies are not those of the planned load, in a sentence. */
function loadTrouble(measures: OpenModelMeasures, run: OpenModelRun): string | undefined {
  if (run.clockStepMs > CLOCK_STEP_MS_MAX) return 'The clock of this machine was set.'
  if (run.stopped) return `The run was stopped early (${run.stopped}).`
  return run.doubt ?? missingSessions(measures) ?? lateness(measures)
}

/** What of the load did not come about, in a sentence. */
function missingSessions({ sessions }: Pick<OpenModelMeasures, 'sessions'>): string | undefined {
  const { planned, started, ended } = sessions
  if (started < planned) return `Only ${started} of ${planned} sessions began.`
  const endedInAll = Object.values(ended).reduce((sum, count) => sum + count, 0)
  return endedInAll < started
    ? `${started - endedInAll} of ${started} sessions came to no end.`
    : undefined
}

/** Why the load came later than planned, in a sentence. What answers show by themselves, and by when they were sent, holds all the same. */
function lateness({
  sessions: { busyMax, virtualUsers },
  scheduleLagMs,
}: Pick<OpenModelMeasures, 'sessions' | 'scheduleLagMs'>): string | undefined {
  if (scheduleLagMs.p99 <= LAG_MS_MAX) return undefined
  const late = `One session in a hundred began ${Math.round(scheduleLagMs.p99)} ms late or more, ${LAG_MS_MAX} ms are allowed`
  return busyMax >= virtualUsers
    ? `${late}: all ${virtualUsers} virtual users were busy, so the answers set the pace.`
    : `${late}: this machine could not send in time.`
}

/** What clients gave up on. What an answer breaks is said by findings; these have no requirement of their own. */
function clientTrouble(
  { sessions: { ended }, errors }: OpenModelMeasures,
  run: OpenModelRun,
): string | undefined {
  if (ended.starved > 0)
    return `${plural(ended.starved, 'session')} gave up after being refused more often or longer than planned.`
  if (ended.lost > 0)
    return `${plural(ended.lost, 'session')} lost an answer${transportErrors(run)}.`
  return errors > 0
    ? `${plural(errors, 'request')} got ${LOST_ANSWER}${transportErrors(run)}.`
    : undefined
}

/** Why the first request without an answer had none. */
function transportErrors({ evidence: { sessions } }: OpenModelRun): string {
  const { exchanges } = sessions
  return transportErrorNote(exchanges.code.at(exchanges.status.indexOf(0)))
}

function measurementsOf(
  measures: OpenModelMeasures,
  run: OpenModelRun,
): LoadResult['measurements'] {
  const { sessions, scheduleLagMs } = measures
  return {
    durationSeconds: rounded(run.durationSeconds),
    clockStepMs: rounded(run.clockStepMs),
    scheduleSeconds: rounded(measures.seconds),
    sessions: sessions.started,
    ...Object.fromEntries(
      Object.entries(sessions.ended)
        .filter(([end, count]) => end === 'done' || count > 0)
        .map(([end, count]) => [`sessions${end[0]?.toUpperCase()}${end.slice(1)}`, count]),
    ),
    virtualUsers: sessions.virtualUsers,
    virtualUsersBusyMax: sessions.busyMax,
    offeredPerSecond: rounded(measures.offeredPerSecond),
    achievedPerSecond: rounded(measures.achievedPerSecond),
    retries: measures.retries,
    otherAnswers: measures.otherAnswers,
    newConnections: run.evidence.sessions.exchanges.connection.count('n'),
    scheduleLagMsP50: rounded(scheduleLagMs.p50),
    scheduleLagMsP99: rounded(scheduleLagMs.p99),
    scheduleLagMsMax: rounded(scheduleLagMs.max),
    ...promises(run.evidence.sessions),
  }
}

/** Promise against reality: how long after the moment that a Retry-After named the same request was admitted. */
function promises(sessions: SessionTable): Record<string, number> {
  const lateMs = new Column('float64')
  let [refusedAgain, attemptsMax] = [0, 0]
  const { attempt: attempts, status, receivedMs, retryAfter } = sessions.exchanges
  for (let place = 0; place < sessions.length; place++) {
    const rows = sessions.rowsOf(place)
    for (const [index, row] of rows.entries()) {
      const attempt = attempts[row] as number
      if (attempt === 0 || status[row] === 429) continue
      // A session sends one request after the other: its attempts stand before it.
      const first = rows[index - attempt]
      const seconds = first === undefined ? undefined : parseRetryAfterSeconds(retryAfter.at(first))
      if (first === undefined || seconds === undefined) continue
      // From the moment that the first refusal promised to the answer that admitted the request.
      lateMs.push((receivedMs[row] as number) - ((receivedMs[first] as number) + 1000 * seconds))
      if (attempt > 1) refusedAgain++
      attemptsMax = Math.max(attemptsMax, attempt + 1)
    }
  }
  if (lateMs.length === 0) return {}
  return {
    promisedWaits: lateMs.length,
    promisedWaitsRefusedAgain: refusedAgain,
    attemptsMax,
    ...percentilesOf('admittedAfterPromiseMs', lateMs.values(), FEW_SHARES),
  }
}
