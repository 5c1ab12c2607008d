import { retryAfterSeconds } from '../../harness/client/headers.ts'
import { waitRule } from '../../harness/judge/rules/refusals.ts'
import { isBeyondEdges, type Span } from '../../harness/judge/rules/unhide.ts'
import { coveringSeconds } from '../../harness/plan/waits.ts'
import { type CheckContext, type Exchange, check, showAnswer } from '../engine/kit.ts'
import { buy } from '../steps/orders.ts'
import { atRest, expectEach } from '../steps/rules.ts'
import { POLLS_IN_TIME } from '../steps/rate-limits/counters.ts'
import {
  giveUp,
  LONG_SECONDS,
  openUnhideAccount,
  outcomeOf,
  readClear,
  showBudget,
  UNHIDES,
  type UnhideAccount,
  type Unusable,
} from '../steps/unhide/account.ts'
import { ROUNDS_MAX } from '../steps/unhide/own-budget.ts'
import {
  delayMs,
  NO_EXPERIENCE,
  spendWhilePending,
  type Experience,
  type Spent,
} from '../steps/unhide/pending.ts'

const PRODUCT = 'voucher-async'

const NEEDS = {
  ...UNHIDES,
  capabilities: ['shop', 'unhide', 'async'],
  products: [PRODUCT],
  windows: [POLLS_IN_TIME],
} as const

/** Short enough to be waited for; made longer where no order would complete in it. */
const WAITED_SECONDS = 8
/** So long that an edge while an order completes is improbable. */
const IMPROBABLE_SECONDS = 600
/** Orders whose sum is overspent at most. */
const BEYOND_MAX = 2 * ROUNDS_MAX

/** The attempt after the sum was spent: made once the order had completed, so that only admission can refuse it. */
type Beyond = {
  readonly read: Exchange
  readonly reads: readonly Exchange[]
  readonly orderId: string
  /** In windows that nobody waits for. */
  readonly isLong: boolean
}

function unhideAccountFor(context: CheckContext, secondsMin: number): Promise<UnhideAccount> {
  const windowSeconds = coveringSeconds(context.target, PRODUCT, secondsMin)
  return openUnhideAccount(context, {
    pending: { count: 3, windowSeconds },
    completed: { count: 2, windowSeconds },
  })
}

export const sumOfBudgets = check({
  id: 'unhide.admission',
  title: 'one admission window takes as many attempts as both budgets allow, and no more',
  requirements: ['RATE-07', 'RATE-08', 'UNHIDE-17', 'UNHIDE-19', 'UNHIDE-21'],
  needs: {
    ...NEEDS,
    purchases: ROUNDS_MAX + BEYOND_MAX + 1,
    waits: [
      { orders: 2, product: PRODUCT },
      {
        windows: 1,
        of: ['orders.unhide.admission'],
        ownSeconds: WAITED_SECONDS,
        ownCovers: PRODUCT,
      },
    ],
    tries: ROUNDS_MAX,
  },
  run: async (context) => {
    const { expect, wait } = context
    const experience: Experience = { ...NO_EXPERIENCE }
    const unhideAccount = await unhideAccountFor(context, WAITED_SECONDS)
    await expectLastAdmitted(unhideAccount, experience)
    const { read, reads, orderId, isLong } = await attemptBeyond(unhideAccount, experience)
    const { admission, completed } = unhideAccount.budgets
    const holds = outcomeOf(read) === 'refused'
    for (const requirement of ['UNHIDE-17', 'UNHIDE-19', 'UNHIDE-21'] as const)
      expect(requirement).that(
        `attempt ${admission.count + 1}, after ${completed.count} that the pending budget refused, of an order that has completed`,
        {
          holds,
          expected: `HTTP 429: admission (${showBudget(admission)}) is spent, refused attempts counted`,
          observed: showAnswer(read),
          exchanges: [read, ...reads],
        },
      )
    if (!holds || isLong) {
      for (const requirement of ['RATE-07', 'RATE-08'] as const)
        context.leaveUndecided(
          requirement,
          'no admission refused in a short window',
          'inapplicable',
        )
      return
    }
    const kept = await readAsTold(unhideAccount, orderId, read)
    const endMs = read.receivedAtMs + admission.windowSeconds * 1000 + 2 * context.slackMs
    if (!kept) await wait('the admission window to end', endMs - context.clock.nowMs())
    const later = kept ?? (await readClear(unhideAccount, { orderId }))
    expect('UNHIDE-21').that('an attempt after the admission window', {
      holds: outcomeOf(later) === 'completed',
      expected: `the order, ${admission.windowSeconds} s after the last attempt`,
      exchanges: [read, later],
    })
  },
})

/** A clock may be off by less. */
const BROKEN_MS = 1_000

/** Reads an order when the refusal by admission says so. Gives what was read, undefined where admission refused longer. */
async function readAsTold(
  unhideAccount: UnhideAccount,
  orderId: string,
  refused: Exchange,
): Promise<Exchange | undefined> {
  const { context, budgets } = unhideAccount
  expectEach(context, atRest([waitRule(budgets.admission)]), {
    answers: [refused],
    what: 'refusals of admission',
  })
  const seconds = retryAfterSeconds(refused)
  if (seconds === undefined || seconds > budgets.admission.windowSeconds) {
    context.leaveUndecided('RATE-08', 'it promises no time within its window', 'inapplicable')
    return undefined
  }
  const exchanges: Exchange[] = []
  for (const waitMs of [seconds * 1000 + context.slackMs, BROKEN_MS]) {
    await context.wait('what a Retry-After promised', waitMs)
    exchanges.push(await readClear(unhideAccount, { orderId }))
    if (exchanges.map(outcomeOf).at(-1) !== 'refused') break
  }
  const last = exchanges.at(-1) as Exchange
  const holds = context.expect('RATE-08').that('the order once the wait of admission is over', {
    holds: outcomeOf(last) !== 'refused',
    expected: `the order, ${seconds} s after the refusal`,
    exchanges: [refused, ...exchanges],
  })
  return holds ? last : undefined
}

/** All attempts but one are spent while the order is pending: the last one returns it once it has completed. */
async function expectLastAdmitted(
  unhideAccount: UnhideAccount,
  experience: Experience,
): Promise<void> {
  const { admission, completed } = unhideAccount.budgets
  const planned = { orders: 1, refusals: completed.count - 1, experience }
  await judgeSpent(unhideAccount, planned, async ({ orderId, reads }) => {
    const last = await readClear(unhideAccount, { orderId })
    unhideAccount.context
      .expect('UNHIDE-17')
      .that(`attempt ${admission.count} of an admission window`, {
        holds: outcomeOf(last) === 'completed',
        expected: `the order: admission takes ${showBudget(admission)}`,
        observed: showAnswer(last),
        exchanges: [last, ...reads],
      })
  })
}

/** How many orders are judged, and how many attempts of each its pending budget refuses. */
type Planned = {
  readonly orders: number
  readonly refusals: number
  readonly experience?: Experience
}

/** Spends the pending budgets of orders, until so many could be read as planned. */
async function judgeSpent(
  unhideAccount: UnhideAccount,
  { orders, refusals, experience = { ...NO_EXPERIENCE } }: Planned,
  judge: (spent: Spent) => Promise<void>,
): Promise<void> {
  const tries: Unusable[] = []
  let judged = 0
  for (let round = 1; round <= ROUNDS_MAX && judged < orders; round++) {
    const spent = await spendWhilePending(unhideAccount, refusals, experience)
    if ('unusable' in spent) {
      tries.push(spent)
      continue
    }
    await judge(spent)
    judged += 1
  }
  if (judged === 0) giveUp('no order could be read as planned', tries)
}

/**
 * Waits so that the next order is read right after where in the admission window the last one was: what edge fell there is then most
 * of a window away. Orders that take as long as a window would meet the same edge again and again.
 */
async function keepApart(
  { context, budgets }: UnhideAccount,
  last: Span | undefined,
  experience: Experience,
): Promise<void> {
  if (last === undefined) return
  const windowMs = budgets.admission.windowSeconds * 1000
  const startMs = context.clock.nowMs() + delayMs(experience, windowMs)
  const lengthMs = last.toMs - last.fromMs
  const soonMs = Math.max(startMs, last.toMs + 2 * context.slackMs)
  // Two looks within half a window share no edge.
  if (soonMs + lengthMs + 2 * context.slackMs < last.fromMs + windowMs / 2)
    return context.wait('an edge to be out of the way', soonMs - startMs)
  const aheadMs = (last.toMs + context.slackMs - startMs) % windowMs
  await context.wait('an edge to be out of the way', (aheadMs + windowMs) % windowMs)
}

/**
 * The whole sum is spent while the order is pending. An edge before the next attempt would admit it: that is held against the
 * service once it happened to several orders and edges do not explain it. Where accounts can be made, those have windows in which
 * an edge is improbable.
 */
async function attemptBeyond(first: UnhideAccount, experience: Experience): Promise<Beyond> {
  const { context } = first
  const { makeAccount, slackMs } = context
  let unhideAccount = first
  let spans: Span[] = []
  const tries: Unusable[] = []
  for (let round = 1; round <= BEYOND_MAX; round++) {
    await keepApart(unhideAccount, spans.at(-1), experience)
    const { admission, completed } = unhideAccount.budgets
    const spent = await spendWhilePending(unhideAccount, completed.count, experience)
    if ('unusable' in spent) {
      tries.push(spent)
      continue
    }
    const { reads, orderId } = spent
    const isLong = unhideAccount !== first
    const read = await readClear(unhideAccount, { orderId })
    if (outcomeOf(read) === 'refused') return { read, reads, orderId, isLong }
    spans.push({ fromMs: reads[0]?.sentAtMs ?? read.sentAtMs, toMs: read.receivedAtMs })
    if (isBeyondEdges(spans, admission.windowSeconds * 1000, slackMs))
      return { read, reads, orderId, isLong }
    tries.push({ unusable: 'an edge may have come before the last attempt' })
    if (isLong || !makeAccount) continue
    unhideAccount = await unhideAccountFor(context, IMPROBABLE_SECONDS)
    // What was held against an order that was not the first of its account is to be asked of such an order again.
    await readFirst(unhideAccount)
    spans = []
  }
  return giveUp('no order could be read as planned', tries)
}

/** Reads an order in clear, so that none after it is the first of its account. */
async function readFirst(unhideAccount: UnhideAccount): Promise<void> {
  const { orderId } = await buy(unhideAccount.context, { product: PRODUCT })
  await readClear(unhideAccount, { orderId })
}

export const commonDivisor = check({
  id: 'unhide.admission-window',
  title: 'the admission window is the greatest common divisor of the two windows',
  requirements: ['UNHIDE-18'],
  needs: {
    ...NEEDS,
    purchases: ROUNDS_MAX,
    waits: [
      { orders: 2, product: PRODUCT },
      { windows: 2, of: ['orders.unhide.admission'], ownSeconds: 1 },
    ],
    tries: 2,
  },
  run: async (context) => {
    // The divisor of these is a second: any other rule would give a window of half a minute at least.
    const unhideAccount = await openUnhideAccount(context, {
      pending: { count: 3, windowSeconds: 41 },
      completed: { count: 2, windowSeconds: 40 },
    })
    const { admission, completed } = unhideAccount.budgets
    // A longer window may happen to end in time for one order, not for two.
    const planned = { orders: 2, refusals: completed.count }
    await judgeSpent(unhideAccount, planned, async ({ reads, orderId }) => {
      const endMs = (reads.at(-1)?.receivedAtMs ?? 0) + admission.windowSeconds * 1000
      await context.wait(
        'the admission window to end',
        endMs + 2 * context.slackMs - context.clock.nowMs(),
      )
      const read = await readClear(unhideAccount, { orderId })
      context.expect('UNHIDE-18').that('an attempt in the admission window after a spent one', {
        holds: outcomeOf(read) === 'completed',
        expected: `the order: admission takes ${showBudget(admission)}`,
        observed: showAnswer(read),
        exchanges: [read, ...reads],
      })
    })
  },
})

export const pendingDoesNotBlock = check({
  id: 'unhide.pending-does-not-block',
  title: 'a spent pending budget does not keep a completed order from being read',
  requirements: ['UNHIDE-20'],
  needs: {
    ...NEEDS,
    purchases: ROUNDS_MAX,
    waits: [{ orders: 2, product: PRODUCT }],
    tries: 2,
  },
  run: async (context) => {
    const window = { windowSeconds: coveringSeconds(context.target, PRODUCT, LONG_SECONDS) }
    const unhideAccount = await openUnhideAccount(context, {
      pending: { count: 3, ...window },
      completed: { count: 3, ...window },
    })
    // The window may happen to end before one order has completed, not before two have.
    const planned = { orders: 2, refusals: 0 }
    await judgeSpent(unhideAccount, planned, async ({ reads, orderId }) => {
      const read = await readClear(unhideAccount, { orderId })
      context.expect('UNHIDE-20').that(`the attempt after ${reads.length} pending replies`, {
        holds: outcomeOf(read) === 'completed',
        expected: 'the completed order: its completed budget is whole',
        observed: showAnswer(read),
        exchanges: [read, ...reads],
      })
    })
  },
})
