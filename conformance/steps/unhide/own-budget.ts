import {
  exceedsBudget,
  spanOf,
  unexplainedRefusals,
  type UnhideRead,
} from '../../../harness/judge/rules/unhide.ts'
import type { CallOptions, Exchange, RequirementId } from '../../engine/kit.ts'
import { isAccepted, isThrottled, showAnswer } from '../../engine/kit.ts'
import { itemsOf } from '../orders.ts'
import { sendMany } from '../rate-limits/probe.ts'
import {
  count,
  giveUp,
  isPast,
  outcomeOf,
  readClear,
  readOf,
  showBudget,
  showCounts,
  type UnhideAccount,
  type Filter,
  type Unusable,
} from './account.ts'

/** An order that is ready to be read, with the unhide reads that it has had. Or why there is none this time. */
export type Opened = { readonly filter: Filter; readonly before: readonly Exchange[] } | Unusable

/** What is read, and by which budget it is to be counted. */
export type Subject = {
  readonly what: string
  readonly counts: 'pending' | 'completed'
  readonly open: () => Promise<Opened>
  /** Whether the order is still what it was, after the burst. */
  readonly isStill?: ((filter: Filter) => Promise<boolean>) | undefined
  /** Requests in flight at once. Default: one after the other. */
  readonly width?: number
  /** Options of the n-th read. */
  readonly options?: (index: number) => CallOptions
  /** What is sent before each read beyond the budget, and must not begin it anew. */
  readonly between?: () => Promise<unknown>
}

/** Orders that one subject takes at most. */
export const ROUNDS_MAX = 5

/** Time between two bursts that had too many, so that no one edge can explain both. */
const APART_SLACKS = 5

export type Round = {
  readonly filter: Filter
  readonly reads: readonly Exchange[]
  readonly burst: readonly Exchange[]
}

/**
 * Reads an order in a burst beyond its budget: as many reads pass as the budget has, the others get 429. A burst may meet an edge and
 * then admit up to two budgets; that is held against the service once several orders had too many and edges do not explain it.
 */
export async function expectOwnBudget(
  unhideAccount: UnhideAccount,
  requirements: readonly RequirementId[],
  subject: Subject,
): Promise<Round> {
  const limit = unhideAccount.budgets[subject.counts]
  const windowMs = limit.windowSeconds * 1000
  const { slackMs } = unhideAccount.context
  const excessive: UnhideRead[][] = []
  const tries: Unusable[] = []
  for (let number = 1; number <= ROUNDS_MAX; number++) {
    const opened = await subject.open()
    if ('unusable' in opened) {
      tries.push(opened)
      continue
    }
    // Where it changes before so many reads in turn, they are sent at once.
    const isAtOnce = subject.isStill !== undefined && tries.length > 0
    const round = await burst(
      unhideAccount,
      isAtOnce ? { ...subject, width: Infinity } : subject,
      opened,
    )
    const odd = answeredOtherwise(round)
    if (odd) {
      recordOdd(unhideAccount, requirements, { ...subject, ...round }, odd)
      return round
    }
    const void_ = await flawOf(
      isAtOnce ? { ...subject, isStill: undefined } : subject,
      round,
      windowMs,
    )
    if (void_ !== undefined) {
      tries.push({ unusable: void_, isPast: subject.counts === 'pending' && isPast(round.reads) })
      continue
    }
    const admitted = count(round.burst, subject.counts)
    const wrong = unexplainedRefusals(round.reads.map(readOf), unhideAccount.budgets, slackMs)
    const isTooMany = admitted > limit.count
    if (isTooMany) excessive.push(round.burst.map(readOf))
    const isFinal =
      isTooMany &&
      exceedsBudget(excessive, { state: subject.counts, limit, slackMs, history: 'partial' })
    if (wrong.length > 0 || isFinal || !isTooMany) {
      record(
        unhideAccount,
        requirements,
        { ...subject, ...round },
        wrong.length === 0 && !isTooMany,
      )
      return round
    }
    tries.push({ unusable: `${admitted} of ${limit.count} passed, which an edge may explain` })
    await unhideAccount.context.wait(
      'a moment that no edge shares with the last',
      APART_SLACKS * slackMs,
    )
  }
  return giveUp('no burst decided', tries)
}

async function burst(
  unhideAccount: UnhideAccount,
  subject: Subject,
  { filter, before }: { filter: Filter; before: readonly Exchange[] },
): Promise<Round> {
  const { width = 1, options = () => ({}), counts, between } = subject
  const { admission } = unhideAccount.budgets
  const { count: budget } = unhideAccount.budgets[counts]
  const most = Math.min(2 * budget + 1, admission.count - before.length + 1)
  let sent = 0
  const read = async (): Promise<Exchange> => {
    const index = sent++
    if (index >= budget) await between?.()
    return readClear(unhideAccount, filter, options(index))
  }
  const reads = await sendMany(read, most, width)
  return { filter, burst: reads, reads: [...before, ...reads] }
}

/** An answer beyond reads that passed that is neither an order nor a 429: an error, or nothing where an order was. */
function answeredOtherwise({ burst }: Round): Exchange | undefined {
  const odd = burst.findIndex((exchange) => !isThrottled(exchange) && !showsOrders(exchange))
  return odd > 0 && burst[odd]?.response ? burst[odd] : undefined
}

function showsOrders(exchange: Exchange): boolean {
  return isAccepted(exchange) && itemsOf(exchange)?.length !== 0
}

/** Why a round says nothing. */
async function flawOf(
  { counts, isStill, what }: Subject,
  { filter, burst }: Round,
  windowMs: number,
): Promise<string | undefined> {
  const others = burst.filter((exchange) => !['refused', counts].includes(outcomeOf(exchange)))
  if (others.length > 0) return `${what} had changed after ${burst.length - others.length} reads`
  const { fromMs, toMs } = spanOf(burst.map(readOf))
  if (toMs - fromMs >= windowMs)
    return `${burst.length} reads took ${((toMs - fromMs) / 1000).toFixed(1)} s, longer than a window`
  if (isStill && !(await isStill(filter))) return `${what} had changed by the end of the burst`
  return undefined
}

function recordOdd(
  { context, budgets }: UnhideAccount,
  requirements: readonly RequirementId[],
  { what, counts, reads }: Subject & Round,
  odd: Exchange,
): void {
  for (const requirement of requirements)
    context.expect(requirement).that(`${what}, read with unhide beyond its ${counts} budget`, {
      holds: false,
      expected: `the order, or HTTP 429 once ${showBudget(budgets[counts])} is spent`,
      observed: showAnswer(odd),
      exchanges: [odd, ...reads.filter((read) => read !== odd)],
    })
}

function record(
  { context, budgets }: UnhideAccount,
  requirements: readonly RequirementId[],
  { what, counts, reads, burst }: Subject & Round,
  holds: boolean,
): void {
  const budget = budgets[counts]
  for (const requirement of requirements)
    context
      .expect(requirement)
      .that(
        `${what}, read with unhide ${burst.length} times in a row, spends its ${counts} budget`,
        {
          holds,
          expected: `${budget.count} reads pass (${counts} budget ${showBudget(budget)}), the others get 429`,
          observed: showCounts(reads),
          exchanges: reads,
        },
      )
}
