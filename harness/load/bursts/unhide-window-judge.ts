import type { WindowLimit } from '../../../contract/limits.ts'
import { judgeLimiter } from '../../judge/limiter.ts'
import { plural } from '../../text.ts'
import type { Statement } from '../shared/statements.ts'
import { limitOf, outcomeOf, say, show } from './unhide-reads.ts'
import type { OrderReads, UnhideScript } from './unhide-reads.ts'
import { budgetOfTopic } from './unhide-topics.ts'
import type { BurstExchange } from './burst-import.ts'

/** A window that is short once, or a promise that is broken once, may be a hiccup of a clock. */
const BROKEN_MIN = 2
/** Refusals that last this share of a window say that it is as long as stated. */
const HELD_SHARE = 0.9

/** Orders that were looked at through whole windows: each lasts as long as stated, and no promise ends before its window does. */
export function windowStatements(script: UnhideScript): Statement[] {
  const state = budgetOfTopic(script.topic)
  const steady = script.orders.filter(({ reads }) =>
    reads.map(outcomeOf).every((each) => each !== (state === 'pending' ? 'completed' : 'pending')),
  )
  if (steady.length === 0)
    return [say('RATE-02', 'inconclusive', script.topic, `no order stayed ${state}`)]
  const spent = steady.find(({ reads }) => mayBeAdmission(reads, script))
  if (spent)
    return [
      say('RATE-02', 'inconclusive', spent.name, 'its reads may have spent admission as well'),
    ]
  return steady.flatMap((order) => [
    lengthStatement(order, script, state),
    ...promiseStatement(order, script, state),
  ])
}

function lengthStatement(
  { name, reads }: OrderReads,
  { budgets, slackMs }: UnhideScript,
  state: 'pending' | 'completed',
): Statement {
  const limit = budgets[state]
  const known = reads.filter((each) => outcomeOf(each) !== 'other')
  const { short, held } = windowsOf(known, limit, slackMs)
  const [first] = short
  if (first !== undefined) {
    const observed = `${plural(short.length, 'window')} lasted ${(first / 1000).toFixed(1)} s or less, the budget is ${show(limit)}`
    return say('RATE-02', short.length < BROKEN_MIN ? 'inconclusive' : 'fail', name, observed)
  }
  return held > 0
    ? say('RATE-02', 'pass', name, `spent throughout ${plural(held, 'window')} of ${show(limit)}`)
    : say('RATE-02', 'inconclusive', name, `no whole window was seen, the budget is ${show(limit)}`)
}

/**
 * Reads one after the other. A window began after any refusal, wherever windows start; one read more than its budget passes by
 * its end at the earliest.
 */
function windowsOf(
  reads: readonly BurstExchange[],
  { count, windowSeconds }: WindowLimit,
  slackMs: number,
): { readonly short: readonly number[]; readonly held: number } {
  const windowMs = 1000 * windowSeconds
  const passed = reads.flatMap((each, index) => (outcomeOf(each) === 'refused' ? [] : [index]))
  const short: number[] = []
  let held = 0
  for (const [nth, index] of passed.entries()) {
    const before = reads[index - 1]
    if (before === undefined || outcomeOf(before) !== 'refused') continue
    const beyond = reads[passed[nth + count] ?? -1]
    const spentAt = reads[index] as BurstExchange
    if (beyond === undefined) {
      const lastMs = reads.at(-1)?.sentMs ?? 0
      if (passed.length - nth <= count && lastMs - spentAt.receivedMs >= HELD_SHARE * windowMs)
        held++
    } else if (beyond.receivedMs - before.sentMs < windowMs - 2 * slackMs)
      short.push(beyond.receivedMs - before.sentMs)
    else held++
  }
  return { short, held }
}

/** Whether so many attempts can have counted in one window of admission that it refused one of them. */
function mayBeAdmission(
  reads: readonly BurstExchange[],
  { budgets: { admission }, slackMs }: Pick<UnhideScript, 'budgets' | 'slackMs'>,
): boolean {
  return reads.some(({ sentMs }) => {
    const fromMs = sentMs - 1000 * admission.windowSeconds - 2 * slackMs
    const before = reads.filter((each) => each.receivedMs >= fromMs && each.sentMs < sentMs)
    return before.length >= admission.count
  })
}

function promiseStatement(
  { name, reads }: OrderReads,
  { budgets, slackMs }: UnhideScript,
  state: 'pending' | 'completed',
): Statement[] {
  const requests = reads.map((read) => limitOf(read, state))
  const limit = budgets[state]
  const { edgesMs, retryAfter } = judgeLimiter({ requests, limit, slackMs, history: 'complete' })
  const windows = new Set(
    retryAfter.tooEarly.map(({ retried }) =>
      edgesMs.findLastIndex((edgeMs) => edgeMs <= (requests[retried]?.sentMs ?? 0)),
    ),
  )
  if (windows.size > 0) {
    const observed = `refused again in ${plural(windows.size, 'window')} after the wait that Retry-After gave`
    return [say('RATE-08', windows.size < BROKEN_MIN ? 'inconclusive' : 'fail', name, observed)]
  }
  return retryAfter.retried > 0
    ? [say('RATE-08', 'pass', name, 'no wait that Retry-After gave proved too short')]
    : []
}
