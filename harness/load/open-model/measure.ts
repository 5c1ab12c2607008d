import { createHistogram } from 'node:perf_hooks'
import type { RecordableHistogram } from 'node:perf_hooks'
import type { Latencies, LoadSlice } from '../../../schemas/generated/run-record.ts'
import { SESSION_ENDS } from '../../../load/protocol/open-model.ts'
import type { SessionEnd } from '../../../load/protocol/open-model.ts'
import type { SessionExchange } from './exchange-table.ts'
import type { OpenModelEvidence } from './import.ts'
import type { OpenModelPlan } from './plan.ts'
import type { SessionTable } from './session-table.ts'
import { isAccepted, isLost, isThrottled } from '../../judge/answers.ts'

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
  /** From due to received: free of coordinated omission. */
  readonly admitted: Latencies
  readonly refused: Latencies
  /** From sent to received: what the service took, and the generator's own delays left out. */
  readonly admittedService: Latencies
  readonly refusedService: Latencies
  /** From when a session was due to its first request: the generator's own lateness. */
  readonly scheduleLagMs: { readonly p50: number; readonly p99: number; readonly max: number }
  readonly series: readonly LoadSlice[]
}

/** What a run of arrivals offered and what came of it. Pure: judges nothing. */
export function measureOpenModel(
  { sessions }: OpenModelEvidence,
  { file }: Pick<OpenModelPlan, 'file'>,
): OpenModelMeasures {
  const seconds = file.stages.reduce((sum, stage) => sum + stage.seconds, 0)
  const { exchanges } = sessions
  const tally = new Tally(seconds, sliceSecondsFor(seconds, exchanges.length))
  for (let row = 0; row < exchanges.length; row++)
    tally.add({
      attempt: exchanges.attempts[row] as number,
      dueMs: exchanges.dueMs[row] as number,
      sentMs: exchanges.sentMs[row] as number,
      receivedMs: exchanges.receivedMs[row] as number,
      status: exchanges.statuses[row] as number,
    })
  const { offered, achieved } = tally
  const missing = file.sessions - sessions.length
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
    ...tally.summary(),
    scheduleLagMs: lagOf(sessions),
    series: tally.series(),
  }
}

export type Outcome = 'admitted' | 'refused' | 'error' | 'other'

export function outcomeOf({ status }: Pick<SessionExchange, 'status'>): Outcome {
  if (isLost({ status })) return 'error'
  if (isThrottled({ status })) return 'refused'
  return isAccepted({ status }) ? 'admitted' : 'other'
}

/** Slices of a plot: no more than can be told apart, and none with so few requests that it shows nothing but their grain. */
const SLICES_MAX = 60
const SLICES_MIN = 10
const SLICE_REQUESTS = 12
const SLICE_SECONDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600] as const

/** Of a length that reads well. */
function sliceSecondsFor(seconds: number, requests: number): number {
  const slices = Math.min(SLICES_MAX, Math.max(SLICES_MIN, requests / SLICE_REQUESTS))
  return SLICE_SECONDS.find((each) => seconds / each <= slices) ?? seconds / slices
}

type Slice = {
  offered: number
  achieved: number
  admitted: number
  refused: number
  errors: number
  readonly latency: LatencyHistogram
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
  readonly #fromDue = { admitted: new LatencyHistogram(3), refused: new LatencyHistogram(3) }
  readonly #fromSent = { admitted: new LatencyHistogram(3), refused: new LatencyHistogram(3) }

  constructor(seconds: number, sliceSeconds: number) {
    this.#seconds = seconds
    this.#sliceSeconds = sliceSeconds
    // Sums of fractions overshoot a whole number by a little.
    this.#slices = Array.from({ length: Math.ceil(seconds / sliceSeconds - 1e-9) }, () => ({
      offered: 0,
      achieved: 0,
      admitted: 0,
      refused: 0,
      errors: 0,
      latency: new LatencyHistogram(2),
    }))
  }

  add(
    exchange: Pick<SessionExchange, 'attempt' | 'dueMs' | 'sentMs' | 'receivedMs' | 'status'>,
  ): void {
    const { attempt, dueMs, sentMs, receivedMs } = exchange
    const outcome = outcomeOf(exchange)
    const slice = this.#sliceAt(dueMs)
    this.#requests++
    if (attempt > 0) this.#retries++
    else if (slice) {
      this.offered++
      slice.offered++
    }
    if (outcome === 'error') {
      this.#errors++
      if (slice) slice.errors++
    } else if (outcome === 'other') this.#others++
    else {
      this.#fromDue[outcome].add(receivedMs - dueMs)
      this.#fromSent[outcome].add(receivedMs - sentMs)
      if (slice) slice[outcome]++
    }
    if (outcome !== 'admitted') return
    slice?.latency.add(receivedMs - dueMs)
    const answered = this.#sliceAt(receivedMs)
    if (!answered) return
    this.achieved++
    answered.achieved++
  }

  summary(): Pick<
    OpenModelMeasures,
    | 'requests'
    | 'retries'
    | 'errors'
    | 'otherAnswers'
    | 'admitted'
    | 'refused'
    | 'admittedService'
    | 'refusedService'
  > {
    return {
      requests: this.#requests,
      retries: this.#retries,
      errors: this.#errors,
      otherAnswers: this.#others,
      admitted: this.#fromDue.admitted.summary(),
      refused: this.#fromDue.refused.summary(),
      admittedService: this.#fromSent.admitted.summary(),
      refusedService: this.#fromSent.refused.summary(),
    }
  }

  series(): LoadSlice[] {
    return this.#slices.map(({ latency, ...counts }, index) => {
      const fromSeconds = index * this.#sliceSeconds
      const seconds = Math.min(this.#sliceSeconds, this.#seconds - fromSeconds)
      return { fromSeconds, seconds, ...counts, latency: latency.summary() }
    })
  }

  #sliceAt(atMs: number): Slice | undefined {
    return atMs < 0 ? undefined : this.#slices[Math.floor(atMs / 1000 / this.#sliceSeconds)]
  }
}

/** An HDR histogram of microseconds: its size does not grow with what it holds. */
class LatencyHistogram {
  readonly #histogram: RecordableHistogram

  constructor(figures: 2 | 3) {
    this.#histogram = createHistogram({ lowest: 1, highest: LATENCY_US_MAX, figures })
  }

  add(milliseconds: number): void {
    this.#histogram.record(Math.min(LATENCY_US_MAX, Math.max(1, Math.round(1000 * milliseconds))))
  }

  summary(): Latencies {
    const { count, max } = this.#histogram
    if (count === 0) return { count, msP50: 0, msP95: 0, msP99: 0, msP999: 0, msMax: 0 }
    const at = (percent: number): number => this.#histogram.percentile(percent) / 1000
    return {
      count,
      msP50: at(50),
      msP95: at(95),
      msP99: at(99),
      msP999: at(99.9),
      msMax: max / 1000,
    }
  }
}

const LATENCY_US_MAX = 3_600_000_000

function endsOf(sessions: SessionTable): Record<SessionEnd, number> {
  const ends = Object.fromEntries(SESSION_ENDS.map((end) => [end, 0])) as Record<SessionEnd, number>
  for (let place = 0; place < sessions.length; place++) {
    const end = sessions.endOf(place)
    if (end) ends[end]++
  }
  return ends
}

/** From when each session was due to when its first request was sent; of those that sent one. */
function lagOf(sessions: SessionTable): OpenModelMeasures['scheduleLagMs'] {
  const lags = new LatencyHistogram(3)
  for (let place = 0; place < sessions.length; place++) {
    const [first] = sessions.rowsOf(place)
    if (first !== undefined)
      lags.add((sessions.exchanges.sentMs[first] as number) - (sessions.dueMs[place] as number))
  }
  const { msP50, msP99, msMax } = lags.summary()
  return { p50: msP50, p99: msP99, max: msMax }
}

/** The most sessions that were under way at one moment. */
function busyMax(sessions: SessionTable): number {
  const { receivedMs } = sessions.exchanges
  const begun = sessions.startedMs.toSorted()
  const over = sessions.startedMs
    .map((startedMs, place) => {
      const last = sessions.rowsOf(place).at(-1)
      if (sessions.endOf(place) === undefined) return Infinity
      return last === undefined ? startedMs : (receivedMs[last] as number)
    })
    .toSorted()
  let most = 0
  let ended = 0
  for (let begin = 0; begin < begun.length; begin++) {
    // At the same moment an end comes before a start: that virtual user is free again.
    while ((over[ended] as number) <= (begun[begin] as number)) ended++
    most = Math.max(most, begin + 1 - ended)
  }
  return most
}
