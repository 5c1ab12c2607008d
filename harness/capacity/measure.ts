import type { ArrivalOperation } from '../../load/protocol/arrivals.ts'
import type { ArrivalExchange, ArrivalsEvidence } from '../load/arrivals/arrivals-import.ts'
import type { CapacityStep, Latencies } from '../../schemas/generated/run-record.ts'

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
const UNDER_WAY_FROM = QUARTER

const STATUS_LIMIT_REACHED = 429
const STATUS_CONFLICT = 409
const CODE_CAP_REACHED = 13

export function measureStep(
  { sessions }: Pick<ArrivalsEvidence, 'sessions'>,
  schedule: StepSchedule,
): StepMeasurement {
  const exchanges = sessions.flatMap((session) => session.exchanges)
  const by = Map.groupBy(exchanges, outcomeOf)
  const [admitted = [], refused = []] = [by.get('admitted'), by.get('refused')]
  const done = sessions.filter(({ end }) => end === 'done')
  const requestsPerSession =
    done.length === 0
      ? schedule.requestsPerSession
      : done.reduce((sum, session) => sum + session.exchanges.length, 0) / done.length
  const offeredPerSecond = (schedule.sessions * requestsPerSession) / schedule.seconds
  return {
    offeredPerSecond,
    duePerSecond: schedule.waits
      ? withinPerSecond(exchanges, schedule, ({ dueMs }) => dueMs)
      : offeredPerSecond,
    achievedPerSecond: withinPerSecond(admitted, schedule, ({ receivedMs }) => receivedMs),
    requests: {
      planned: Math.round(schedule.sessions * schedule.requestsPerSession),
      sent: exchanges.length,
      admitted: admitted.length,
      refused: refused.length,
      capped: by.get('capped')?.length ?? 0,
      failed: by.get('failed')?.length ?? 0,
    },
    admittedMs: sorted(admitted, ({ dueMs, receivedMs }) => receivedMs - dueMs),
    refusedMs: sorted(refused, ({ dueMs, receivedMs }) => receivedMs - dueMs),
    serviceMs: sorted(admitted, serviceTime),
    growthMs: growthMs(admitted, schedule),
    lagMs: sorted(
      sessions.flatMap((session) => session.exchanges.slice(0, 1)),
      ({ dueMs, sentMs }) => sentMs - dueMs,
    ),
    sessionsPlanned: schedule.sessions,
    sessionsStarted: sessions.length,
    requestsPerSession,
    ...ordersOf(exchanges),
  }
}

const PURCHASES: ReadonlySet<ArrivalOperation> = new Set(['order', 'cart'])

function ordersOf(exchanges: readonly ArrivalExchange[]): Pick<StepMeasurement, 'orders'> {
  const purchases = exchanges.filter(({ operation }) => PURCHASES.has(operation))
  if (purchases.length === 0) return {}
  return { orders: new Set(purchases.flatMap(({ ids }) => ids)).size }
}

/** The smallest value that this share of all values does not exceed; 0 of none. With too few values for it: the largest. */
export function quantile(ascending: Float64Array, share: number): number {
  const rank = Math.ceil(share * ascending.length - 1e-9)
  return ascending[Math.max(0, Math.min(ascending.length, rank) - 1)] ?? 0
}

export function latenciesOf(ascending: Float64Array): Latencies {
  const at = (share: number): number => rounded(quantile(ascending, share))
  return {
    count: ascending.length,
    msP50: at(0.5),
    msP95: at(0.95),
    msP99: at(0.99),
    msP999: at(0.999),
    msMax: at(1),
  }
}

/** To a hundredth. */
export function rounded(value: number): number {
  return Math.round(100 * value) / 100
}

type Outcome = 'admitted' | 'refused' | 'capped' | 'failed'

function outcomeOf({ status, code }: ArrivalExchange): Outcome {
  if (status === STATUS_LIMIT_REACHED) return 'refused'
  if (status === STATUS_CONFLICT && code === CODE_CAP_REACHED) return 'capped'
  return status >= 200 && status < 400 ? 'admitted' : 'failed'
}

/** How many come per second once the step is under way: in a steady state answers come as fast as requests go. */
function withinPerSecond(
  exchanges: readonly ArrivalExchange[],
  { seconds }: StepSchedule,
  of: (exchange: ArrivalExchange) => number,
): number {
  const [fromMs, untilMs] = [1000 * UNDER_WAY_FROM * seconds, 1000 * seconds]
  const within = exchanges.filter(
    (exchange) => of(exchange) >= fromMs && of(exchange) < untilMs,
  ).length
  return within / ((1 - UNDER_WAY_FROM) * seconds)
}

/** Fewer answers have no median to speak of. */
const MEDIAN_OF_MIN = 5

function growthMs(admitted: readonly ArrivalExchange[], { seconds }: StepSchedule): number {
  const medianFrom = (share: number): number | undefined => {
    const [fromMs, untilMs] = [1000 * share * seconds, 1000 * (share + QUARTER) * seconds]
    const within = admitted.filter(({ dueMs }) => dueMs >= fromMs && dueMs < untilMs)
    return within.length < MEDIAN_OF_MIN ? undefined : quantile(sorted(within, serviceTime), 0.5)
  }
  const [early, late] = [medianFrom(QUARTER), medianFrom(3 * QUARTER)]
  return early === undefined || late === undefined ? 0 : late - early
}

function serviceTime({ sentMs, receivedMs }: ArrivalExchange): number {
  return receivedMs - sentMs
}

function sorted(
  exchanges: readonly ArrivalExchange[],
  of: (exchange: ArrivalExchange) => number,
): Float64Array {
  return Float64Array.from(exchanges, of).toSorted()
}
