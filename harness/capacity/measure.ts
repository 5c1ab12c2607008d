import type { SessionOperation } from '../../load/protocol/open-model.ts'
import { quantile } from '../load/shared/latencies.ts'
import { type Exchanges, listAt } from '../load/open-model/exchange-table.ts'
import { answerKindAt, serviceTimes, timesBetween } from '../load/open-model/operation-figures.ts'
import { lagsOf } from '../load/open-model/measure.ts'
import type { SessionTable } from '../load/open-model/session-table.ts'
import { rowsWhere, valuesAt } from '../rows.ts'
import type { CapacityStep } from '../../schemas/generated/run-record.ts'

/** What one step offered and what came of it, counted from the evidence. Times are milliseconds, sorted. */
export type StepMeasurement = {
  /** Requests per second that the schedule asked for: its sessions, each with as many requests as those that came to their end. */
  readonly offeredPerSecond: number
  /** What the achieved rate is held against. */
  readonly duePerSecond: number
  /** Admitted answers per second once the step is under way. */
  readonly achievedPerSecond: number
  readonly requests: CapacityStep['requests']
  /** From due to received: free of coordinated omission. */
  readonly admittedMs: Float64Array
  readonly refusedMs: Float64Array
  /** From sent to received, of what was admitted: what the service took, the generator's own delays left out. */
  readonly serviceMs: Float64Array
  /** By how much its median grew from the second quarter of the step to the last: a queue that builds up. */
  readonly growthMs: number
  /** From when a session was due to its first request. */
  readonly lagMs: Float64Array
  readonly sessionsPlanned: number
  readonly sessionsStarted: number
  readonly requestsPerSession: number
  /** Orders that were made; undefined where nothing was to be bought. */
  readonly orders?: number
}

export type StepSchedule = {
  readonly seconds: number
  readonly sessions: number
  /** Where no session came to its end. */
  readonly requestsPerSession: number
  /** Sessions wait in between: what was due by then is counted, for the schedule does not tell it. */
  readonly waits: boolean
}

/** The first part of a step is left out of its achieved rate: answers trail behind requests by the latency. */
const QUARTER = 0.25
export const UNDER_WAY_FROM = QUARTER

export function measureStep(
  { sessions }: { readonly sessions: SessionTable },
  schedule: StepSchedule,
): StepMeasurement {
  const { exchanges } = sessions
  const of = (outcome: Outcome): Uint32Array =>
    rowsWhere(exchanges.length, (row) => outcomeAt(exchanges, row) === outcome)
  const [admitted, refused] = [of('admitted'), of('refused')]
  const requestsPerSession = meanRequests(sessions) ?? schedule.requestsPerSession
  const offeredPerSecond = (schedule.sessions * requestsPerSession) / schedule.seconds
  const { dueMs, receivedMs } = exchanges
  return {
    offeredPerSecond,
    duePerSecond: schedule.waits ? withinPerSecond(dueMs, schedule) : offeredPerSecond,
    achievedPerSecond: withinPerSecond(valuesAt(receivedMs, admitted), schedule),
    requests: {
      planned: Math.round(schedule.sessions * schedule.requestsPerSession),
      sent: exchanges.length,
      admitted: admitted.length,
      refused: refused.length,
      capped: of('capped').length,
      failed: of('failed').length,
    },
    admittedMs: timesBetween(dueMs, receivedMs, admitted),
    refusedMs: timesBetween(dueMs, receivedMs, refused),
    serviceMs: serviceTimes(exchanges, admitted),
    growthMs: growthMs(exchanges, admitted, schedule),
    lagMs: lagsOf(sessions),
    sessionsPlanned: schedule.sessions,
    sessionsStarted: sessions.length,
    requestsPerSession,
    ...ordersOf(exchanges),
  }
}

/** Of the sessions that came to their end; undefined where none did. */
function meanRequests(sessions: SessionTable): number | undefined {
  let [done, requests] = [0, 0]
  for (let place = 0; place < sessions.length; place++) {
    if (sessions.endOf(place) !== 'done') continue
    done++
    requests += sessions.rowsOf(place).length
  }
  return done === 0 ? undefined : requests / done
}

const PURCHASES: ReadonlySet<SessionOperation> = new Set(['order', 'cart'])

function ordersOf(exchanges: Exchanges): Pick<StepMeasurement, 'orders'> {
  const purchases = rowsWhere(exchanges.length, (row) => PURCHASES.has(exchanges.operation.at(row)))
  if (purchases.length === 0) return {}
  return { orders: new Set([...purchases].flatMap((row) => listAt(exchanges, 'ids', row))).size }
}

/** To a hundredth. */
export function rounded(value: number): number {
  return Math.round(100 * value) / 100
}

type Outcome = 'admitted' | 'refused' | 'capped' | 'failed'

function outcomeAt(exchanges: Exchanges, row: number): Outcome {
  const kind = answerKindAt(exchanges, row)
  return kind === 'admitted' || kind === 'refused' || kind === 'capped' ? kind : 'failed'
}

/** How many come per second once the step is under way: in a steady state answers come as fast as requests go. */
function withinPerSecond(timesMs: Float64Array, { seconds }: StepSchedule): number {
  const [fromMs, untilMs] = [1000 * UNDER_WAY_FROM * seconds, 1000 * seconds]
  const within = timesMs.filter((timeMs) => timeMs >= fromMs && timeMs < untilMs).length
  return within / ((1 - UNDER_WAY_FROM) * seconds)
}

/** Fewer answers have no median to speak of. */
const MEDIAN_OF_MIN = 5

function growthMs(exchanges: Exchanges, admitted: Uint32Array, { seconds }: StepSchedule): number {
  const { dueMs } = exchanges
  const medianFrom = (share: number): number | undefined => {
    const [fromMs, untilMs] = [1000 * share * seconds, 1000 * (share + QUARTER) * seconds]
    const within = admitted.filter(
      (row) => (dueMs[row] as number) >= fromMs && (dueMs[row] as number) < untilMs,
    )
    return within.length < MEDIAN_OF_MIN
      ? undefined
      : quantile(serviceTimes(exchanges, within), 0.5)
  }
  const [early, late] = [medianFrom(QUARTER), medianFrom(3 * QUARTER)]
  return early === undefined || late === undefined ? 0 : late - early
}
