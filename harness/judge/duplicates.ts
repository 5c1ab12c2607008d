/** Copies of one purchase that were sent side by side: whether they made one order. */

import { isAccepted, isThrottled } from '../../contract/answers.ts'

/** How one copy was answered. */
export type CopyAnswer = {
  /** HTTP status; undefined without an answer. */
  readonly status?: number | undefined
  /** The order that a success names. */
  readonly orderId?: string | undefined
}

export type DuplicatesJudgement = {
  readonly holds: boolean
  readonly observed: string
}

/** Every success names one order; a copy may be told to come back (429); anything else is wrong. No answer decides nothing. */
export function judgeDuplicates(answers: readonly CopyAnswer[]): DuplicatesJudgement {
  const successes = answers.filter(({ status = 0 }) => isAccepted({ status }))
  const orderIds = new Set(successes.map(({ orderId }) => orderId))
  const wrong = answers.filter(
    ({ status }) => status !== undefined && !isThrottled({ status }) && !isAccepted({ status }),
  )
  const nameless = successes.filter(({ orderId }) => orderId === undefined)
  return {
    holds: orderIds.size <= 1 && wrong.length === 0 && nameless.length === 0,
    observed: `${answers.length} copies: ${successes.length} successes naming ${orderIds.size} orders, ${tally(answers)}`,
  }
}

function tally(answers: readonly CopyAnswer[]): string {
  const counts = new Map<string, number>()
  for (const { status } of answers) {
    const name = status === undefined ? 'no answer' : `HTTP ${status}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`).join(', ')
}
