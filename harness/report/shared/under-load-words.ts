import type { RunRecord, Traffic, UnderLoad } from '../../../schemas/generated/run-record.ts'
import { formatNumber, formatSeconds, plural } from '../../text.ts'

/** Who sent what, in the order in which it is shown. */
export const TRAFFIC_ROWS = [
  ['background', 'Other accounts'],
  ['checks', 'The checks'],
  ['together', 'Together'],
] as const satisfies readonly (readonly [keyof UnderLoad, string])[]

export const TRAFFIC_COLUMNS = [
  'requests',
  'per second',
  'answered',
  '429',
  'errors',
  'in flight, mean',
  'in flight, most',
  'p50 ms',
  'p99 ms',
] as const

/** The cells of one row, as `TRAFFIC_COLUMNS` names them. */
export function trafficCells(traffic: Traffic): string[] {
  const { sent, sentPerSecond, answered, refused, errors, inFlightMean, inFlightMax } = traffic
  const { msP50, msP99 } = traffic.latency
  return [
    sent,
    sentPerSecond,
    answered,
    refused,
    errors,
    inFlightMean,
    inFlightMax,
    ...[msP50, msP99].map((ms) => Number(ms.toPrecision(3))),
  ].map(formatNumber)
}

/** What lay on the target while the checks ran, in a sentence. */
export function underLoadLine({ underLoad }: Pick<RunRecord, 'underLoad'>): string | undefined {
  if (!underLoad) return undefined
  const { workload, accounts, seconds, clients, background, checks, together, isKeptUp } = underLoad
  const kept = isKeptUp ? '' : ', which was not kept up'
  return `${workload} by ${plural(accounts, 'other account')} for ${formatSeconds(seconds)}${kept}: ${formatNumber(clients.started)} of ${formatNumber(clients.offered)} clients, ${formatNumber(background.sentPerSecond)} requests/s beside ${formatNumber(checks.sentPerSecond)}/s of the checks, ${formatNumber(together.inFlightMean)} in flight (at most ${formatNumber(together.inFlightMax)}), p99 ${formatNumber(Number(together.latency.msP99.toPrecision(3)))} ms, ${plural(together.errors, 'error')}`
}
