import type { LoadResult, LoadSlice } from '../../../schemas/generated/run-record.ts'
import { mostAtOnce, rowsWhere } from '../../rows.ts'
import { curveShares, latenciesOf, quantile, roundedMs } from '../shared/latencies.ts'
import { SESSION_ENDS } from '../../../load/protocol/open-model.ts'
import type { SessionEnd } from '../../../load/protocol/open-model.ts'
import type { SessionExchange } from './exchange-table.ts'
import { serviceTimes, timesBetween } from './operation-figures.ts'
import type { OpenModelEvidence } from './import.ts'
import type { OpenModelPlan } from './plan.ts'
import type { SessionTable } from './session-table.ts'
import { isAccepted, isThrottled, meaningOf } from '../../../contract/answers.ts'

export type OpenModelMeasures = {
  /** Length of the schedule. */
  readonly seconds: number
  readonly sessions: {
    readonly planned: number
    readonly started: number
    readonly ended: Readonly<Record<SessionEnd, number>>
    /** Most that were under way at once, of `virtualUsers`. */
    readonly busyMax: number
    readonly virtualUsers: number
  }
  /** First attempts that were due within the schedule, and sessions that never began, per second. */
  readonly offeredPerSecond: number
  /** Admitted answers within the schedule, per second. */
  readonly achievedPerSecond: number
  readonly requests: number
  /** Attempts after the first of a request. */
  readonly retries: number
  readonly errors: number
  /** Answers that are neither admitted, refused nor errors. */
  readonly otherAnswers: number
  /** From due to received, free of coordinated omission; and what the service alone took. */
  readonly latency: NonNullable<LoadResult['latency']>
  /** From when a session was due to its first request: the generator's own lateness. */
  readonly scheduleLagMs: { readonly p50: number; readonly p99: number; readonly max: number }
  readonly series: readonly LoadSlice[]
}

/** What a run of the open model offered and what came of it. Pure: judges nothing. */
export function measureOpenModel(
  { sessions }: OpenModelEvidence,
  { file }: Pick<OpenModelPlan, 'file'>,
): OpenModelMeasures {
  const seconds = file.stages.reduce((sum, stage) => sum + stage.seconds, 0)
  const { exchanges } = sessions
  const tally = new Tally(seconds, sliceSecondsFor(seconds, exchanges.length))
  for (let row = 0; row < exchanges.length; row++)
    tally.add({
      attempt: exchanges.attempt[row] as number,
      dueMs: exchanges.dueMs[row] as number,
      sentMs: exchanges.sentMs[row] as number,
      receivedMs: exchanges.receivedMs[row] as number,
      status: exchanges.status[row] as number,
    })
  const { offered, achieved } = tally
  const missing = file.sessions - sessions.length
  const lags = lagsOf(sessions)
  return {
    seconds,
    sessions: {
      planned: file.sessions,
      started: sessions.length,
      ended: endsOf(sessions),
      busyMax: busyMax(sessions),
      virtualUsers: file.virtualUsers,
    },
    offeredPerSecond: (offered + missing) / seconds,
    achievedPerSecond: achieved / seconds,
    ...tally.counts(),
    latency: latencyOf(sessions),
    scheduleLagMs: { p50: quantile(lags, 0.5), p99: quantile(lags, 0.99), max: quantile(lags, 1) },
    series: tally.series(),
  }
}

/** Of all operations together. */
function latencyOf({ exchanges }: SessionTable): NonNullable<LoadResult['latency']> {
  const { dueMs, receivedMs, status } = exchanges
  const having = (holds: typeof isAccepted): Uint32Array =>
    rowsWhere(exchanges.length, (row) => holds({ status: status[row] as number }))
  const [admitted, refused] = [having(isAccepted), having(isThrottled)]
  const fromDue = timesBetween(dueMs, receivedMs, admitted)
  const fromSent = serviceTimes(exchanges, admitted)
  const shares = curveShares(admitted.length)
  const along = (ascending: Float64Array): number[] =>
    shares.map((share) => roundedMs(quantile(ascending, share)))
  return {
    admitted: latenciesOf(fromDue),
    admittedService: latenciesOf(fromSent),
    refused: latenciesOf(timesBetween(dueMs, receivedMs, refused)),
    refusedService: latenciesOf(serviceTimes(exchanges, refused)),
    ...(admitted.length > 0 && {
      curve: { shares, dueMs: along(fromDue), sentMs: along(fromSent) },
    }),
  }
}

/** Slices of a plot: no more than can be told apart, and none with so few requests that it shows nothing but their grain. */
const SLICES_MAX = 60
const SLICES_MIN = 10
const SLICE_REQUESTS = 12
const SLICE_SECONDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600] as const

/** Clocks of virtual users differ by parts of a millisecond: what was due on the edge of a slice must not fall into the one before. */
const EDGE_MS = 1

/** Of a length that reads well. */
function sliceSecondsFor(seconds: number, requests: number): number {
  const slices = Math.min(SLICES_MAX, Math.max(SLICES_MIN, requests / SLICE_REQUESTS))
  return SLICE_SECONDS.find((each) => seconds / each <= slices) ?? seconds / slices
}

type Slice = {
  offered: number
  sent: number
  achieved: number
  admitted: number
  refused: number
  errors: number
  /** Of what was admitted, from due. */
  readonly latenciesMs: number[]
}

/** Counts exchanges, in all and by slice. What was due beyond the schedule is in no slice. */
class Tally {
  offered = 0
  achieved = 0
  #requests = 0
  #retries = 0
  #errors = 0
  #others = 0
  readonly #seconds: number
  readonly #sliceSeconds: number
  readonly #slices: Slice[]

  constructor(seconds: number, sliceSeconds: number) {
    this.#seconds = seconds
    this.#sliceSeconds = sliceSeconds
    // Sums of fractions overshoot a whole number by a little.
    this.#slices = Array.from({ length: Math.ceil(seconds / sliceSeconds - 1e-9) }, () => ({
      offered: 0,
      sent: 0,
      achieved: 0,
      admitted: 0,
      refused: 0,
      errors: 0,
      latenciesMs: [],
    }))
  }

  add(
    exchange: Pick<SessionExchange, 'attempt' | 'dueMs' | 'sentMs' | 'receivedMs' | 'status'>,
  ): void {
    const { attempt, dueMs, sentMs, receivedMs } = exchange
    const meaning = meaningOf(exchange)
    const slice = this.#sliceAt(dueMs)
    this.#requests++
    if (attempt > 0) this.#retries++
    else {
      if (slice) {
        this.offered++
        slice.offered++
      }
      const sent = this.#sliceAt(sentMs)
      if (sent) sent.sent++
    }
    if (meaning === 'refused otherwise') this.#others++
    if (meaning === 'lost') this.#errors++
    if (meaning === 'lost' && slice) slice.errors++
    if (meaning === 'refused by a window' && slice) slice.refused++
    if (meaning !== 'accepted') return
    if (slice) slice.admitted++
    slice?.latenciesMs.push(receivedMs - dueMs)
    const answered = this.#sliceAt(receivedMs)
    if (!answered) return
    this.achieved++
    answered.achieved++
  }

  counts(): Pick<OpenModelMeasures, 'requests' | 'retries' | 'errors' | 'otherAnswers'> {
    return {
      requests: this.#requests,
      retries: this.#retries,
      errors: this.#errors,
      otherAnswers: this.#others,
    }
  }

  series(): LoadSlice[] {
    return this.#slices.map(({ latenciesMs, ...counts }, index) => {
      const fromSeconds = index * this.#sliceSeconds
      const seconds = Math.min(this.#sliceSeconds, this.#seconds - fromSeconds)
      const latency = latenciesOf(Float64Array.from(latenciesMs).toSorted())
      return { fromSeconds, seconds, ...counts, latency }
    })
  }

  #sliceAt(atMs: number): Slice | undefined {
    return this.#slices[Math.floor((atMs + EDGE_MS) / 1000 / this.#sliceSeconds)]
  }
}

function endsOf(sessions: SessionTable): Record<SessionEnd, number> {
  const ends = Object.fromEntries(SESSION_ENDS.map((end) => [end, 0])) as Record<SessionEnd, number>
  for (let place = 0; place < sessions.length; place++) {
    const end = sessions.endOf(place)
    if (end) ends[end]++
  }
  return ends
}

/** From when each session was due to when its first request was sent, in ascending order; of those that sent one. */
export function lagsOf(sessions: SessionTable): Float64Array {
  return Float64Array.from(
    rowsWhere(sessions.length, (place) => sessions.rowsOf(place).length > 0),
    (place) =>
      (sessions.exchanges.sentMs[sessions.rowsOf(place)[0] as number] as number) -
      (sessions.dueMs[place] as number),
  ).toSorted()
}

/** The most sessions that were under way at one moment. */
function busyMax(sessions: SessionTable): number {
  const { receivedMs } = sessions.exchanges
  const over = sessions.startedMs.map((startedMs, place) => {
    const last = sessions.rowsOf(place).at(-1)
    if (sessions.endOf(place) === undefined) return Infinity
    return last === undefined ? startedMs : (receivedMs[last] as number)
  })
  return mostAtOnce(sessions.startedMs, over)
}
