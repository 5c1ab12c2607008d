import { DEFAULT_LIMITS } from '../../contract/limits.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import { type Exchange, check, inapplicable } from '../engine/kit.ts'
import { buy } from '../steps/orders.ts'
import {
  openUnhideAccount,
  outcomeOf,
  readClear,
  showBudget,
  showCounts,
  UNHIDES,
  type UnhideAccount,
} from '../steps/unhide/account.ts'

const STEP_SECONDS = 6
/** Over a minute at that pace, so that reads of a whole window are seen. */
const READS = 11
/** Fewer pending reads would say nothing about a pace. */
const PENDING_READS_MIN = 3

export const polling = check({
  id: 'unhide.polling',
  title: 'reading a pending order with unhide every six seconds is never refused',
  requirements: ['UNHIDE-24'],
  needs: {
    ...UNHIDES,
    capabilities: ['shop', 'unhide', 'async'],
    products: ['voucher-async'],
    purchases: 2,
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
    const reads = await poll(unhideAccount, 'voucher-async', READS)
    // An order that stays partial is counted by the pending budget as long as it is read.
    if (reads.length < READS && context.target.products['voucher-partial'])
      reads.push(...(await poll(unhideAccount, 'voucher-partial', READS - reads.length)))
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
  },
})

/** Reads at the pace until the order has completed. */
async function poll(
  unhideAccount: UnhideAccount,
  product: ProductAbility,
  most: number,
): Promise<Exchange[]> {
  const { orderId } = await buy(unhideAccount.context, { product })
  const reads: Exchange[] = []
  for (;;) {
    const read = await readClear(unhideAccount, { orderId })
    reads.push(read)
    if (outcomeOf(read) === 'completed' || reads.length >= most) return reads
    await unhideAccount.context.wait('the next read of a pending order', STEP_SECONDS * 1000)
  }
}
