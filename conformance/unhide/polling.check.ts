import { DEFAULT_LIMITS } from '../../contract/limits.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import { type Exchange, check, inapplicable } from '../engine/kit.ts'
import { exceedsBudget } from '../../harness/judge/rules/unhide.ts'
import { buy } from '../steps/orders.ts'
import {
  openUnhideAccount,
  outcomeOf,
  readClear,
  readOf,
  showBudget,
  showCounts,
  UNHIDES,
  type UnhideAccount,
} from '../steps/unhide/account.ts'
import { buyFinished } from '../steps/unhide/orders.ts'

const STEP_SECONDS = 6
/** Over a minute at that pace, so that reads of a whole window are seen. */
const READS = 11
/** Fewer pending reads would say nothing about a pace. */
const PENDING_READS_MIN = 3

export const polling = check({
  id: 'unhide.polling',
  title:
    'reading a pending order with unhide every six seconds is never refused, a finished one is once its budget is spent',
  requirements: ['RATE-02', 'UNHIDE-24'],
  needs: {
    ...UNHIDES,
    capabilities: ['shop', 'unhide', 'async'],
    products: ['voucher-async'],
    purchases: 3,
    waits: [
      {
        seconds: (READS - 1) * STEP_SECONDS,
        reason: `reads of a pending order every ${STEP_SECONDS} s`,
        onlyDefault: 'orders.unhide.pending',
      },
    ],
  },
  run: async (context) => {
    const pending = DEFAULT_LIMITS['orders.unhide.pending']
    const completed = DEFAULT_LIMITS['orders.unhide.completed']
    const inForce = context.limit('orders.unhide.pending')
    if (inForce.count !== pending.count || inForce.windowSeconds !== pending.windowSeconds)
      inapplicable(`the pending budget is ${showBudget(inForce)}, not the default`)
    const unhideAccount = await openUnhideAccount(context, { pending, completed })
    const isSold = context.target.products.voucher !== undefined
    const finished = isSold
      ? await buyFinished(unhideAccount.context, 'voucher', 'SUCCESS')
      : undefined
    const seen: Exchange[] = []
    const beside = async (): Promise<void> => {
      if (finished) seen.push(await readClear(unhideAccount, { orderId: finished.orderId }))
    }
    const reads = await poll(unhideAccount, { product: 'voucher-async', most: READS, beside })
    // An order that stays partial is counted by the pending budget as long as it is read.
    if (reads.length < READS && context.target.products['voucher-partial'])
      reads.push(
        ...(await poll(unhideAccount, {
          product: 'voucher-partial',
          most: READS - reads.length,
          beside,
        })),
      )
    const judged = reads.filter((exchange) => outcomeOf(exchange) !== 'completed')
    if (judged.length < PENDING_READS_MIN && judged.every((each) => outcomeOf(each) === 'pending'))
      inapplicable(
        `an order finished after ${judged.length} reads at a pace of ${STEP_SECONDS} s, so nobody polls it for long`,
      )
    context.expect('UNHIDE-24').that(`one unhide read every ${STEP_SECONDS} s while pending`, {
      holds: judged.every((exchange) => outcomeOf(exchange) === 'pending'),
      expected: `no 429 (pending budget ${showBudget(pending)})`,
      observed: showCounts(judged),
      exchanges: judged,
    })
    judgeFinished(unhideAccount, seen)
  },
})

/** The budget of a finished order is for the whole window, however much later in it the order is read again. */
function judgeFinished({ context, budgets }: UnhideAccount, seen: readonly Exchange[]): void {
  if (seen.length < PENDING_READS_MIN)
    return context.leaveUndecided(
      'RATE-02',
      `a finished order was read ${seen.length} times only`,
      'inapplicable',
    )
  const { completed: limit } = budgets
  const passed = seen.filter((read) => outcomeOf(read) === 'completed')
  const { slackMs } = context
  const facts = { state: 'completed', limit, slackMs, history: 'complete' } as const
  context.expect('RATE-02').that(`a finished order, read every ${STEP_SECONDS} s`, {
    // Another window may have refused some.
    holds: !exceedsBudget([passed.map(readOf)], facts),
    expected: `no more than ${showBudget(limit)}`,
    observed: showCounts(seen),
    exchanges: seen,
  })
}

type Polled = {
  readonly product: ProductAbility
  readonly most: number
  /** What is read after each read of the order. */
  readonly beside: () => Promise<void>
}

/** Reads at the pace until the order has completed. */
async function poll(
  unhideAccount: UnhideAccount,
  { product, most, beside }: Polled,
): Promise<Exchange[]> {
  const { orderId } = await buy(unhideAccount.context, { product })
  const reads: Exchange[] = []
  for (;;) {
    const read = await readClear(unhideAccount, { orderId })
    reads.push(read)
    await beside()
    if (outcomeOf(read) === 'completed' || reads.length >= most) return reads
    await unhideAccount.context.wait('the next read of a pending order', STEP_SECONDS * 1000)
  }
}
