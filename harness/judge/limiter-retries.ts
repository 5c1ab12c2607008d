import { inOrder, orderBy, rowsWhere, valuesAt } from '../rows.ts'
import type { RetryPairs } from './limiter-frames.ts'
import { OUTCOME, type QuotaColumns, countUpTo } from './limiter-history.ts'

/**
 * For each refused request, the last refusal whose promised wait had passed when it was sent, if there is one. Only the last
 * matters: the two are as near to each other as any such pair, so if they can lie in different windows, so can the others.
 */
export function pairRetries(columns: QuotaColumns, slackMs: number): RetryPairs {
  const { sentMs, outcomes } = columns
  const { overMs, latest } = promisesInOrder(columns, slackMs)
  const keptOf = (row: number): number | undefined =>
    latest[countUpTo(overMs, sentMs[row] as number) - 1]
  const retried = rowsWhere(
    outcomes.length,
    (row) => outcomes[row] === OUTCOME.refused && keptOf(row) !== undefined,
  )
  return { refused: retried.map((row) => keptOf(row) as number), retried }
}

/** When the promised waits are over, in that order; and for each the row of the last request that was sent until then. */
function promisesInOrder(
  { sentMs, receivedMs, outcomes, promisedSeconds }: QuotaColumns,
  slackMs: number,
): { overMs: Float64Array; latest: Uint32Array } {
  const promising = rowsWhere(
    outcomes.length,
    (row) => outcomes[row] === OUTCOME.refused && !Number.isNaN(promisedSeconds[row]),
  )
  const over = valuesAt(receivedMs, promising)
  for (let at = 0; at < over.length; at++) {
    const seconds = promisedSeconds[promising[at] as number] as number
    over[at] = (over[at] as number) + seconds * 1000 + slackMs
  }
  const order = orderBy(over)
  const latest = order === undefined ? promising : order.map((at) => promising[at] as number)
  for (let at = 1; at < latest.length; at++) {
    const before = latest[at - 1] as number
    if ((sentMs[latest[at] as number] as number) <= (sentMs[before] as number)) latest[at] = before
  }
  return { overMs: inOrder(over), latest }
}
