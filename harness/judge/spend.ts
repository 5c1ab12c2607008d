import type { Micros } from '../money.ts'
import { countUpTo } from './limiter-history.ts'

/** What became of a purchase. `unknown`: it may have been charged (time-out, 5xx). `none`: it was not (a contention 429, another 4xx). */
export type SpendOutcome = 'ok' | 'refused' | 'unknown' | 'none'

/** One purchase on one key. The server decided it at some moment in [sentMs, receivedMs]. */
export type SpendEvent = {
  readonly outcome: SpendOutcome
  readonly amount: Micros
  /** Monotonic milliseconds. Of an order that was sent several times: of the first attempt that may have been charged. */
  readonly sentMs: number
  readonly receivedMs: number
}

export type SpendVerdict = {
  readonly okSum: Micros
  /** What was bought beyond the headroom; 0 when nothing was. */
  readonly overspent: Micros
  /** Indexes of refusals that no order of events explains: even all that may have been bought before left room. */
  readonly falseRefusals: readonly number[]
}

/**
 * Holds purchases on one key against "a counter with a cap". Exact in O(n log n) where nothing is unknown: the history fits only if what
 * was bought is at most the headroom. Each refused amount must also exceed what the purchases sent before its answer had left. What is
 * unknown is left out of the first sum and counted in the second, so that it never makes an alarm.
 */
export function judgeSpend(headroom: Micros, events: readonly SpendEvent[]): SpendVerdict {
  const okSum = sumOf(events.filter(({ outcome }) => outcome === 'ok'))
  const spentBefore = spentBySendTime(events)
  const falseRefusals = events.flatMap(({ outcome, amount, receivedMs }, index) =>
    outcome === 'refused' && spentBefore(receivedMs) + amount <= headroom ? [index] : [],
  )
  return { okSum, overspent: okSum > headroom ? okSum - headroom : 0n, falseRefusals }
}

function sumOf(events: readonly SpendEvent[]): Micros {
  return events.reduce((sum, { amount }) => sum + amount, 0n)
}

/** The most that may have been spent by purchases sent until a moment. */
function spentBySendTime(events: readonly SpendEvent[]): (untilMs: number) => Micros {
  const spending = events
    .filter(({ outcome }) => outcome === 'ok' || outcome === 'unknown')
    .toSorted((a, b) => a.sentMs - b.sentMs)
  const sums: Micros[] = [0n]
  for (const { amount } of spending) sums.push((sums.at(-1) ?? 0n) + amount)
  const sentMs = Float64Array.from(spending, (event) => event.sentMs)
  return (untilMs) => sums[countUpTo(sentMs, untilMs)] ?? 0n
}
