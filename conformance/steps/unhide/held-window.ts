import type { WindowLimit } from '../../../contract/limits.ts'
import type { UnhideBudgets } from '../../../harness/judge/rules/unhide.ts'
import type { Exchange } from '../../engine/kit.ts'
import { inapplicable, inconclusive, isThrottled, showAnswer } from '../../engine/kit.ts'
import {
  count,
  outcomeOf,
  readClear,
  showBudget,
  showCounts,
  type UnhideAccount,
} from './account.ts'
import { areWithin, unrefused } from '../rate-limits/between-refusals.ts'

/** Short enough to be waited for; a quarter of it is more than the slack and the gaps between looks. */
export const HELD_SECONDS = 4

/** Looks in a window: in one of a minute they show that it is short by a tenth. */
const LOOKS = 30

/** Refusals that last this share of a window say that it is as long as stated. */
const HELD_SHARE = 0.9

/** Looks further apart than this share of a window would not show one that is short by a quarter. */
const GAP_SHARE_MAX = 0.1

/** Windows that ended early until it is held against the service: once may be a hiccup of a clock. */
const DECISIVE = 2

type State = 'pending' | 'completed'

/**
 * Spends the budget of one order and looks again and again whether it stays spent. Where windows start is not shown: the first
 * admission after refusals may be an edge, and the window that begins there has to last as long as stated. Takes 1.9 windows at most
 * where the first try decides.
 */
export async function expectHeldWindow(
  unhideAccount: UnhideAccount,
  counts: State,
  orderId: string,
): Promise<void> {
  const limit = unhideAccount.budgets[counts]
  const gapMs = lookGapMs(counts, unhideAccount.budgets)
  if (gapMs === undefined)
    inapplicable(
      `admission (${showBudget(unhideAccount.budgets.admission)}) leaves no room to look`,
    )
  const early: Exchange[] = []
  const all: Exchange[] = []
  let before: Exchange | undefined
  let first = await readClear(unhideAccount, { orderId })
  // The first round may end at an edge; a hiccup may take one more.
  for (let round = 0; round <= DECISIVE + 1; round++) {
    const spent = await spend(unhideAccount, counts, orderId, first)
    if (isBeyondTwoBudgets(unhideAccount, counts, spent))
      return record(unhideAccount, counts, { early: spent, all: spent })
    const { looks, end } = await lookOn(unhideAccount, counts, { orderId, spent, gapMs })
    all.push(...spent, ...looks)
    const isShort = before && end && endedEarly(before, end, limit, unhideAccount.context.slackMs)
    if (before && isShort) early.push(before, end)
    const isWhole = !isShort && (before ?? !end)
    if (early.length === 2 * DECISIVE || (isWhole && early.length === 0))
      return record(unhideAccount, counts, { early, all })
    if (!end) break
    before = [...spent, ...looks].findLast(isThrottled)
    first = end
  }
  return inconclusive(`one window ended early, and not again: ${showCounts(all)}`)
}

/**
 * How long to wait between two looks at an order so that they do not spend its admission, milliseconds. Undefined: too long to tell a
 * window that is short by a quarter.
 */
export function lookGapMs(counts: State, budgets: UnhideBudgets): number | undefined {
  const { admission, [counts]: limit } = budgets
  const plainMs = (limit.windowSeconds * 1000) / LOOKS
  const room = roomToLook(counts, budgets)
  const sparseMs = room > 0 ? (admission.windowSeconds * 1000) / room : Infinity
  const gapMs = Math.max(plainMs, sparseMs)
  if (gapMs <= GAP_SHARE_MAX * limit.windowSeconds * 1000) return gapMs
  // Windows of one length: whichever refuses, it ends a whole window after its last end.
  return admission.windowSeconds === limit.windowSeconds ? plainMs : undefined
}

/** Attempts that admission takes beside two bursts. */
function roomToLook(counts: State, { admission, [counts]: limit }: UnhideBudgets): number {
  return admission.count - 2 * (limit.count + 1)
}

/** Whether a window that began after `before` was sent ended before `end` was answered, sooner than stated. */
function endedEarly(before: Exchange, end: Exchange, limit: WindowLimit, slackMs: number): boolean {
  return end.receivedAtMs - before.sentAtMs < limit.windowSeconds * 1000 - 2 * slackMs
}

/** Reads until the budget refuses. */
async function spend(
  unhideAccount: UnhideAccount,
  counts: State,
  orderId: string,
  first: Exchange,
): Promise<readonly Exchange[]> {
  const { count: budget } = unhideAccount.budgets[counts]
  const reads = [first]
  while (!reads.some(isThrottled) && reads.length <= 2 * budget)
    reads.push(await readClear(unhideAccount, { orderId }))
  const admitted = count(reads, counts)
  if (!reads.some(isThrottled)) {
    if (isBeyondTwoBudgets(unhideAccount, counts, reads)) return reads
    unrefused(
      [reads],
      unhideAccount.budgets[counts].windowSeconds,
      `the ${counts} budget admitted ${reads.length} reads in a row`,
    )
  }
  const isPlanned = admitted >= budget && admitted + 1 === reads.length
  if (!isPlanned && roomToLook(counts, unhideAccount.budgets) <= 0)
    inapplicable(
      `admission (${showBudget(unhideAccount.budgets.admission)}) has other edges than the ${counts} budget, and leaves no room to look`,
    )
  if (!isPlanned)
    inconclusive(`a budget of ${budget} was not spent as planned: ${showCounts(reads)}`)
  return reads
}

/** Less time than a window holds one edge at most: more reads than two budgets admit were not to be admitted. */
function isBeyondTwoBudgets(
  { budgets, context }: UnhideAccount,
  counts: State,
  reads: readonly Exchange[],
): boolean {
  const { count: budget, windowSeconds } = budgets[counts]
  const briefMs = windowSeconds * 1000 - 2 * context.slackMs
  return areWithin(reads, briefMs) && count(reads, counts) > 2 * budget
}

/** Looks at an order whose budget is spent until it is admitted, or has been refused for most of a window. */
async function lookOn(
  unhideAccount: UnhideAccount,
  counts: State,
  {
    orderId,
    spent,
    gapMs,
  }: {
    readonly orderId: string
    readonly spent: readonly Exchange[]
    readonly gapMs: number
  },
): Promise<{ readonly looks: readonly Exchange[]; readonly end?: Exchange }> {
  const { context, budgets } = unhideAccount
  const windowMs = budgets[counts].windowSeconds * 1000
  const last = spent.findLast((read) => !isThrottled(read))
  const heldMs = (last?.receivedAtMs ?? context.clock.nowMs()) + HELD_SHARE * windowMs
  const looks: Exchange[] = []
  while (context.clock.nowMs() < heldMs) {
    await context.wait('a spent unhide budget to stay spent', gapMs)
    const look = await readClear(unhideAccount, { orderId })
    const outcome = outcomeOf(look)
    if (outcome === counts) return { looks, end: look }
    if (outcome !== 'refused') inconclusive(`the order had changed: ${showAnswer(look)}`)
    looks.push(look)
  }
  return { looks }
}

function record(
  { context, budgets }: UnhideAccount,
  counts: State,
  { early, all }: Readonly<Record<'early' | 'all', readonly Exchange[]>>,
): void {
  const [before, end] = early
  const seconds = before && end ? (end.receivedAtMs - before.sentAtMs) / 1000 : 0
  const broken = early.some(isThrottled)
    ? `twice a window that lasted ${seconds.toFixed(1)} s or less`
    : `${early.length} reads in a row passed`
  context.expect('RATE-02').that(`an order whose ${counts} budget is spent`, {
    holds: early.length === 0,
    expected: `429 until its window is over (${counts} budget ${showBudget(budgets[counts])})`,
    observed: early.length === 0 ? showCounts(all) : broken,
    exchanges: early.length === 0 ? all : early,
  })
}
