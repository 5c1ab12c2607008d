/** What lay on the target over a stretch of time: requests of the checks, of the background, and of both. Pure. */
import { isLost, isThrottled } from '../../../contract/answers.ts'
import { inOrder, mostAtOnce } from '../../rows.ts'
import { Column } from '../evidence/column.ts'
import { latenciesOf } from '../shared/latencies.ts'
import type { Traffic } from '../../../schemas/generated/run-record.ts'

/** Requests, one for each place; times are milliseconds on one clock. */
export type Requests = {
  readonly sentMs: Float64Array
  readonly receivedMs: Float64Array
  /** 0: no answer. */
  readonly statuses: Uint16Array
}

export type Stretch = { readonly fromMs: number; readonly toMs: number }

/** Requests that were sent within the stretch, and what of them was in flight in it. */
export function trafficOf({ sentMs, receivedMs, statuses }: Requests, stretch: Stretch): Traffic {
  const { fromMs, toMs } = stretch
  const seconds = Math.max(0, toMs - fromMs) / 1000
  const latencies = new Column('float64')
  let [sent, answered, refused, errors, flightMs] = [0, 0, 0, 0, 0]
  for (let row = 0; row < sentMs.length; row++) {
    const [from, to] = [sentMs[row] as number, receivedMs[row] as number]
    flightMs += Math.max(0, Math.min(to, toMs) - Math.max(from, fromMs))
    if (from < fromMs || from > toMs) continue
    const status = statuses[row] as number
    sent++
    if (status > 0) {
      answered++
      latencies.push(to - from)
    }
    if (isThrottled({ status })) refused++
    if (isLost({ status })) errors++
  }
  return {
    sent,
    sentPerSecond: seconds > 0 ? rounded(sent / seconds) : 0,
    answered,
    refused,
    errors,
    inFlightMean: seconds > 0 ? rounded(flightMs / 1000 / seconds) : 0,
    inFlightMax: inFlightMax({ sentMs, receivedMs }, stretch),
    latency: latenciesOf(inOrder(latencies.values())),
  }
}

export function joined(a: Requests, b: Requests): Requests {
  const length = a.sentMs.length + b.sentMs.length
  const both = {
    sentMs: new Float64Array(length),
    receivedMs: new Float64Array(length),
    statuses: new Uint16Array(length),
  }
  for (const name of ['sentMs', 'receivedMs', 'statuses'] as const) {
    both[name].set(a[name])
    both[name].set(b[name], a.sentMs.length)
  }
  return both
}

function inFlightMax(
  { sentMs, receivedMs }: Pick<Requests, 'sentMs' | 'receivedMs'>,
  { fromMs, toMs }: Stretch,
): number {
  const within = (_: number, row: number): boolean =>
    (receivedMs[row] as number) > fromMs && (sentMs[row] as number) < toMs
  return mostAtOnce(sentMs.filter(within), receivedMs.filter(within))
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
