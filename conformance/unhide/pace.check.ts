import {
  type CheckDefinition,
  type Exchange,
  check,
  inapplicable,
  untested,
} from '../engine/kit.ts'
import {
  openUnhideAccount,
  outcomeOf,
  readClear,
  showBudget,
  showOutcomes,
  stretched,
  type UnhideAccount,
} from '../steps/unhide/account.ts'
import { HELD_SECONDS } from '../steps/unhide/held-window.ts'
import { buyFinished, LASTING } from '../steps/unhide/orders.ts'

const READ_ON = { count: 3, windowSeconds: HELD_SECONDS } as const
const OTHER = { count: 1, windowSeconds: HELD_SECONDS } as const

/** Orders that are refused so until it is held against the service: once may be a hiccup of a clock. */
const DECISIVE = 2

type State = keyof typeof LASTING

/**
 * More reads follow each other than a budget has, so slowly that no window can hold more than its budget. A window that begins anew
 * with each read never ends, and refuses one of them.
 */
function paced(state: State): CheckDefinition {
  const { product, ends, needs, waits } = LASTING[state]
  return check({
    id: `unhide.${state}-pace`,
    title: `a ${state} order that is read as slowly as its budgets allow is never refused`,
    requirements: ['RATE-01', 'RATE-03'],
    needs: {
      ...needs,
      purchases: DECISIVE,
      waits: [...waits, { windows: 2, of: [`orders.unhide.${state}`], ownSeconds: HELD_SECONDS }],
      tries: DECISIVE,
    },
    run: async (context) => {
      const wanted = { pending: OTHER, completed: OTHER, [state]: READ_ON }
      const unhideAccount = await openUnhideAccount(context, await stretched(context, wanted))
      const { [state]: limit, admission } = unhideAccount.budgets
      if (limit.count < 2) inapplicable(`a budget of ${showBudget(limit)} ends with each window`)
      const all: Exchange[] = []
      let refused: readonly Exchange[] = []
      for (let order = 1; order <= DECISIVE; order++) {
        const { orderId } = await buyFinished(unhideAccount.context, product, ends)
        const reads = await readSlowly(unhideAccount, state, orderId)
        all.push(...reads)
        refused = reads.filter((read) => outcomeOf(read) === 'refused')
        if (refused.length === 0) break
      }
      for (const requirement of ['RATE-01', 'RATE-03'] as const)
        context.expect(requirement).that(`reads of a ${state} order that no window can refuse`, {
          holds: refused.length === 0,
          expected: `no 429: never more than ${showBudget(limit)}, nor than admission has (${showBudget(admission)})`,
          observed: showOutcomes(all),
          exchanges: refused.length === 0 ? all : refused,
        })
    },
  })
}

/** Until one is refused, or more passed than each budget of the same window has. */
async function readSlowly(
  unhideAccount: UnhideAccount,
  state: State,
  orderId: string,
): Promise<readonly Exchange[]> {
  const { context, budgets } = unhideAccount
  const { [state]: limit, admission } = budgets
  // So many reads and one more take longer than a window, wherever it starts.
  const paceMs = (1000 * limit.windowSeconds + 2 * context.slackMs) / limit.count
  const most = (admission.windowSeconds === limit.windowSeconds ? admission : limit).count + 2
  const reads = [await readClear(unhideAccount, { orderId })]
  while (reads.length < most && reads.every((read) => outcomeOf(read) === state)) {
    const dueMs = (reads.at(-1)?.receivedAtMs ?? 0) + paceMs
    await context.wait('the next read of an order', dueMs - context.clock.nowMs())
    reads.push(await readClear(unhideAccount, { orderId }))
  }
  const others = reads.filter((read) => ![state, 'refused'].includes(outcomeOf(read)))
  if (others.length > 0) untested(`the order changed meanwhile: ${showOutcomes(reads)}`, others)
  return reads
}

export const pendingPace = paced('pending')
export const completedPace = paced('completed')
