import { waitRule } from '../../harness/judge/rules/refusals.ts'
import { retryAfterSeconds } from '../../harness/client/headers.ts'
import type { CheckDefinition, Exchange } from '../engine/kit.ts'
import { check, inconclusive, isThrottled, showAnswer, untested } from '../engine/kit.ts'
import {
  openUnhideAccount,
  outcomeOf,
  readClear,
  stretched,
  type UnhideAccount,
} from '../steps/unhide/account.ts'
import { unrefused } from '../steps/rate-limits/between-refusals.ts'
import { atRest, expectEach } from '../steps/rules.ts'
import { buyFinished, LASTING } from '../steps/unhide/orders.ts'

/** Short enough to be waited for, long enough that a second is too short a wait. */
const BRIEF_SECONDS = 3

/** Promises that decide when they were kept, or when they were broken: once may be a hiccup of a clock. */
const DECISIVE = 2

type State = keyof typeof LASTING

function promisesKept(id: string, state: State): CheckDefinition {
  const { product, ends, needs, waits } = LASTING[state]
  return check({
    id: `unhide.${id}`,
    title: `who waits as long as the 429 of the ${state} budget says is not refused by it again`,
    requirements: ['RATE-07', 'RATE-08'],
    needs: {
      ...needs,
      purchases: 1,
      waits: [
        ...waits,
        { windows: DECISIVE, of: [`orders.unhide.${state}`], ownSeconds: BRIEF_SECONDS },
      ],
      tries: DECISIVE,
    },
    run: async (context) => {
      const wide = { count: 8, windowSeconds: BRIEF_SECONDS }
      const wanted = { pending: wide, completed: wide, [state]: { ...wide, count: 1 } }
      const unhideAccount = await openUnhideAccount(context, await stretched(context, wanted))
      const { orderId } = await buyFinished(unhideAccount.context, product, ends)
      await expectPromisesKept(unhideAccount, state, orderId)
    },
  })
}

export const promisedWait = promisesKept('promised-wait', 'completed')
export const promisedWaitPending = promisesKept('promised-wait-pending', 'pending')

/** Reads an order beyond its budget, waits as long as Retry-After says, and reads again, until the same happened twice. */
async function expectPromisesKept(
  unhideAccount: UnhideAccount,
  counts: State,
  orderId: string,
): Promise<void> {
  const { context, budgets } = unhideAccount
  const kept: Exchange[] = []
  const broken: Exchange[] = []
  // After a broken promise as many again may be kept by chance: where little of a window is left, half of it is a second too.
  const isDecided = (): boolean =>
    broken.length === 2 * DECISIVE || (kept.length >= 2 * DECISIVE && broken.length === 0)
  for (let round = 0; round < 2 * DECISIVE && !isDecided(); round++) {
    const { refused, again } = await waitAsTold(unhideAccount, counts, orderId)
    const isKept = !isThrottled(again)
    ;(isKept ? kept : broken).push(refused, again)
    if (!isKept)
      await context.wait(
        'the next window of one order',
        budgets[counts].windowSeconds * 1000 + 2 * context.slackMs,
      )
  }
  if (broken.length === 2)
    inconclusive('one Retry-After was too short, and it did not happen again')
  const last = broken.at(-1)
  context.expect('RATE-08').that('the order is readable once the promised wait is over', {
    holds: last === undefined,
    expected: 'the order after each Retry-After',
    observed: last ? `refused twice, last: ${showAnswer(last)}` : 'the order each time',
    exchanges: last ? broken : kept,
  })
}

/** No window of the interface is longer unless it is configured. */
const PROMISE_SECONDS_MAX = 60
/** A promise may be longer than what is left of the window: too late is not forbidden. */
const GENEROUS_SECONDS = 10

/** Reads until the budget refuses, then as soon as that refusal permits. */
async function waitAsTold(
  unhideAccount: UnhideAccount,
  counts: State,
  orderId: string,
): Promise<{ readonly refused: Exchange; readonly again: Exchange }> {
  const limit = unhideAccount.budgets[counts]
  const reads: Exchange[] = []
  while (reads.length <= 2 * limit.count && !reads.some(isThrottled))
    reads.push(await readClear(unhideAccount, { orderId }))
  reads.forEach(outcomeOf)
  const refused = reads.find(isThrottled)
  if (!refused)
    unrefused(
      [reads],
      limit.windowSeconds,
      `the ${counts} budget admitted ${reads.length} reads in a row`,
    )
  const again = await readAfter(unhideAccount, counts, orderId, refused)
  // The attempts may have spent admission too, whose window may end later: it has a promise of its own.
  const isByAdmission = isThrottled(again) && reads.length >= unhideAccount.budgets.admission.count
  return isByAdmission
    ? { refused: again, again: await readAfter(unhideAccount, counts, orderId, again) }
    : { refused, again }
}

/** Reads an order as soon as a refusal permits. */
async function readAfter(
  unhideAccount: UnhideAccount,
  counts: State,
  orderId: string,
  refused: Exchange,
): Promise<Exchange> {
  const { context, budgets } = unhideAccount
  expectEach(context, atRest([waitRule(budgets[counts])]), {
    answers: [refused],
    what: `refusals of the ${counts} budget`,
  })
  const seconds = retryAfterSeconds(refused)
  if (seconds === undefined)
    untested(`the refusal has no Retry-After of whole seconds: ${showAnswer(refused)}`)
  const longest = Math.max(PROMISE_SECONDS_MAX, budgets[counts].windowSeconds) + GENEROUS_SECONDS
  if (seconds > longest) untested(`the refusal promises ${seconds} s, longer than any window takes`)
  const readyMs = refused.receivedAtMs + seconds * 1000 + context.slackMs
  await context.wait('what a Retry-After promised', readyMs - context.clock.nowMs())
  return readClear(unhideAccount, { orderId })
}
