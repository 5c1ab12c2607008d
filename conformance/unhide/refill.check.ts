import type { ProductAbility } from '../../contract/capabilities.ts'
import type { CheckDefinition, Exchange } from '../engine/kit.ts'
import { check, inconclusive, isThrottled } from '../engine/kit.ts'
import { areWithin, unrefused } from '../steps/rate-limits/between-refusals.ts'
import {
  openUnhideAccount,
  outcomeOf,
  readClear,
  showBudget,
  showCounts,
  stretched,
  UNHIDES,
  type UnhideAccount,
} from '../steps/unhide/account.ts'
import { HELD_SECONDS } from '../steps/unhide/held-window.ts'
import { buyFinished } from '../steps/unhide/orders.ts'

const NARROW = { count: 2, windowSeconds: HELD_SECONDS } as const
const WIDE = { count: 60, windowSeconds: HELD_SECONDS } as const

/** Looks in a window, and how many until a budget must have come back. */
const LOOKS = 30
const LOOKS_MAX = 40

/** A budget that came back in part is held against the service when it does so again: once may be a hiccup of a clock. */
const DECISIVE = 2

type State = 'pending' | 'completed'

/** The narrow budget is that of the state; what it refuses counts for admission, so the other one is wide. */
function refills(
  state: State,
  product: ProductAbility,
  end: Parameters<typeof buyFinished>[2],
): CheckDefinition {
  return check({
    id: `unhide.${state}-refill`,
    title: `when the window of a ${state} budget ends, the whole budget is there again`,
    requirements: ['RATE-01', 'RATE-02', 'RATE-03'],
    needs: {
      ...UNHIDES,
      products: [product],
      purchases: 1,
      waits: [
        { orders: 1, product },
        { windows: 4, of: [`orders.unhide.${state}`], ownSeconds: HELD_SECONDS },
      ],
      tries: DECISIVE,
    },
    run: async (context) => {
      const wanted = { pending: WIDE, completed: WIDE, [state]: NARROW }
      const unhideAccount = await openUnhideAccount(context, await stretched(context, wanted))
      const { orderId } = await buyFinished(unhideAccount.context, product, end)
      if (context.makeAccount) return judgeRefill(unhideAccount, state, orderId)
      let isBack = true
      for (let waited = 0; waited < WAITS && isBack; waited++)
        isBack = await judgeNextWindow(unhideAccount, state, orderId)
      for (const requirement of ['RATE-02', 'RATE-03'] as const)
        context.leaveUndecided(
          requirement,
          'a budget of two reads in a short window cannot be made: there is no control side',
        )
    },
  })
}

/** A window twice as long may end while one of them lasts, not while both do. */
const WAITS = 2

/**
 * Spends the budget, waits a whole window and reads once: wherever windows start, one has ended since, that of admission too. Whether
 * the budget was back.
 */
async function judgeNextWindow(
  unhideAccount: UnhideAccount,
  state: State,
  orderId: string,
): Promise<boolean> {
  const { context, budgets } = unhideAccount
  const limit = budgets[state]
  const reads = [await readClear(unhideAccount, { orderId })]
  while (!reads.some(isThrottled) && reads.length <= 2 * limit.count + 1)
    reads.push(await readClear(unhideAccount, { orderId }))
  if (!reads.some(isThrottled))
    unrefused([reads], limit.windowSeconds, `the ${state} budget admitted ${reads.length} reads`)
  await context.wait(
    'the next window of one order',
    limit.windowSeconds * 1000 + 2 * context.slackMs,
  )
  const again = await readClear(unhideAccount, { orderId })
  return context.expect('RATE-01').that(`a spent ${state} budget, a window later`, {
    holds: outcomeOf(again) === state,
    expected: `the order: the budget is ${showBudget(limit)}`,
    exchanges: [...reads.slice(-2), again],
  })
}

async function judgeRefill(
  unhideAccount: UnhideAccount,
  state: State,
  orderId: string,
): Promise<void> {
  const partly: Exchange[] = []
  const known: Exchange[] = []
  const excessive: (readonly Exchange[])[] = []
  for (let round = 1; round <= DECISIVE; round++) {
    const reads = await refill(unhideAccount, state, orderId)
    if (!expectBack(unhideAccount, state, reads)) return
    known.push(...reads)
    const beyond = await readBeyond(unhideAccount, state, { orderId, reads })
    known.push(...beyond)
    const seen = inOneWindow(unhideAccount, state, { reads, beyond })
    if (seen.length > 0) excessive.push(seen)
    const isPart = isThrottled(reads.at(-1) as Exchange)
    if (isPart) partly.push(...reads)
    if (isPart && round < DECISIVE) continue
    unhideAccount.context.expect('RATE-03').that(`a ${state} budget after the end of its window`, {
      holds: !isPart,
      expected: `${showBudget(unhideAccount.budgets[state])}: both reads pass right after the end, as of a fixed window`,
      observed: isPart
        ? `${DECISIVE} times the first passed and the second got 429`
        : showCounts(reads),
      exchanges: isPart ? partly : reads,
    })
  }
  expectNoMore(unhideAccount, state, excessive)
  // The window began with the reads that passed: now it is seen from its beginning to its end.
  known.push(...(await untilBack(unhideAccount, state, orderId)))
  expectBack(unhideAccount, state, known)
}

/** Reads on in the window that has just begun, until it refuses. */
async function readBeyond(
  unhideAccount: UnhideAccount,
  state: State,
  { orderId, reads }: { readonly orderId: string; readonly reads: readonly Exchange[] },
): Promise<readonly Exchange[]> {
  const beyond: Exchange[] = []
  const isSpent = (): boolean => [...reads.slice(-1), ...beyond].some(isThrottled)
  while (!isSpent() && beyond.length <= unhideAccount.budgets[state].count)
    beyond.push(await readClear(unhideAccount, { orderId }))
  return beyond
}

/** Reads that passed after a refusal, and it before them, where more passed within a window than its budget: it had just begun. */
function inOneWindow(
  { budgets, context }: UnhideAccount,
  state: State,
  { reads, beyond }: Readonly<Record<'reads' | 'beyond', readonly Exchange[]>>,
): readonly Exchange[] {
  const { count: budget, windowSeconds } = budgets[state]
  const before = reads.findLastIndex(isThrottled)
  const seen = [...reads.slice(before), ...beyond]
  const passed = seen.slice(1).filter((read) => outcomeOf(read) === state)
  const isBrief = areWithin(seen, windowSeconds * 1000 - 2 * context.slackMs)
  return before >= 0 && isBrief && passed.length > budget ? seen : []
}

/** Each window but the first was seen from its beginning. */
function expectNoMore(
  { budgets, context }: UnhideAccount,
  state: State,
  excessive: readonly (readonly Exchange[])[],
): void {
  const isBeyond = excessive.length >= DECISIVE
  if (excessive.length > 0 && !isBeyond)
    return context.leaveUndecided(
      'RATE-02',
      'one window admitted more than its budget, and not again',
    )
  context.expect('RATE-02').that(`a ${state} budget in the windows after its first`, {
    holds: !isBeyond,
    expected: `${showBudget(budgets[state])} in each of them`,
    observed: isBeyond ? showCounts(excessive.flat()) : 'no more',
    exchanges: excessive.flat(),
  })
}

/**
 * Refusals over more than a window, with no admission among them, cannot all lie in one: nobody else reads the order. Whether the
 * budget came back.
 */
function expectBack(
  unhideAccount: UnhideAccount,
  state: State,
  reads: readonly Exchange[],
): boolean {
  const { context, budgets } = unhideAccount
  const last = reads.findLastIndex((read) => outcomeOf(read) === state)
  const refused = reads.slice(last + 1)
  const spanMs = (refused.at(-1)?.sentAtMs ?? 0) - (refused[0]?.receivedAtMs ?? 0)
  const windowMs = budgets[state].windowSeconds * 1000
  const isStuck = refused.length > 1 && spanMs > windowMs + 2 * context.slackMs
  context.expect('RATE-01').that(`a spent ${state} budget`, {
    holds: !isStuck,
    expected: `a read within ${showBudget(budgets[state])} of the first refusal passes`,
    observed: isStuck ? `refused for ${Math.round(spanMs)} ms` : showCounts(reads),
    exchanges: isStuck ? [refused[0] as Exchange, refused.at(-1) as Exchange] : reads,
  })
  if (!isStuck && refused.length > LOOKS)
    inconclusive(`the ${state} budget did not come back: ${showCounts(reads)}`)
  return !isStuck
}

export const pendingRefill = refills('pending', 'voucher-partial', 'PARTIALLY_COMPLETED')
export const completedRefill = refills('completed', 'voucher', 'SUCCESS')

/** Spends the budget by reads half a window apart, looks until it is back, and reads once more: the last of the reads tells. */
async function refill(
  unhideAccount: UnhideAccount,
  state: State,
  orderId: string,
): Promise<readonly Exchange[]> {
  const { context } = unhideAccount
  const limit = unhideAccount.budgets[state]
  const windowMs = limit.windowSeconds * 1000
  const reads = [await readClear(unhideAccount, { orderId })]
  await context.wait('the middle of a window', windowMs / 2)
  while (!reads.some(isThrottled) && reads.length <= 2 * limit.count + 1)
    reads.push(await readClear(unhideAccount, { orderId }))
  if (!reads.some(isThrottled))
    unrefused(
      [reads.slice(1)],
      limit.windowSeconds,
      `the ${state} budget admitted ${reads.length} reads`,
    )
  reads.push(...(await untilBack(unhideAccount, state, orderId)))
  if (outcomeOf(reads.at(-1) as Exchange) !== state) return reads
  // Nodes whose clocks differ a little are then all in the new window.
  await context.wait('all nodes to be in the new window', 2 * context.slackMs)
  return [...reads, await readClear(unhideAccount, { orderId })]
}

/** Looks at a spent budget until it is back; the last read tells whether it is. */
async function untilBack(
  unhideAccount: UnhideAccount,
  state: State,
  orderId: string,
): Promise<readonly Exchange[]> {
  const { context, budgets } = unhideAccount
  const reads: Exchange[] = []
  for (let look = 0; look < LOOKS_MAX; look++) {
    await context.wait(
      'a spent unhide budget to come back',
      (budgets[state].windowSeconds * 1000) / LOOKS,
    )
    const read = await readClear(unhideAccount, { orderId })
    reads.push(read)
    if (outcomeOf(read) === state) break
  }
  return reads
}
