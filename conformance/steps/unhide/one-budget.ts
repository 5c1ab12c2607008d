import { isThrottled, showAnswer, showRequest, type Exchange } from '../../engine/kit.ts'
import type { Bought } from '../orders.ts'
import { betweenRefusals } from '../rate-limits/between-refusals.ts'
import { readClear, type UnhideAccount } from './account.ts'

/** A budget that is spent by one name of an order is spent by its other names. */
export async function expectOneBudget(
  unhideAccount: UnhideAccount,
  bucket: 'orders.unhide.completed' | 'orders.unhide.pending',
  { orderId, referenceId }: Pick<Bought, 'orderId' | 'referenceId'>,
): Promise<void> {
  const { before, probes, after } = await betweenRefusals(unhideAccount.context, {
    bucket,
    spend: () => readClear(unhideAccount, { orderId }),
    probes: [
      () => readClear(unhideAccount, { referenceId }),
      () => readClear(unhideAccount, { orderId, referenceId }),
    ],
    sharing: true,
  })
  for (const probe of probes)
    unhideAccount.context
      .expect('UNHIDE-13')
      .that('the budget spent by orderId is spent by other names too', {
        holds: isThrottled(probe),
        expected: `HTTP 429 for ${showRequest(probe)}, as for ${showRequest(before)}`,
        observed: showAnswer(probe),
        exchanges: [before, probe, after],
        offending: probe,
      })
}

/** Once the budget of one order is spent, another one has its own, which all its names spend. */
export async function expectOwnOfOther(
  unhideAccount: UnhideAccount,
  what: string,
  other: Bought,
  spent: readonly Exchange[],
): Promise<void> {
  const read = await readClear(unhideAccount, { orderId: other.orderId })
  unhideAccount.context.expect('UNHIDE-14').that(`${what} is read after another one was`, {
    holds: !isThrottled(read),
    expected: 'the order, not 429: each order has a budget of its own',
    exchanges: [...spent.slice(-2), read],
  })
  await expectOneBudget(unhideAccount, 'orders.unhide.completed', other)
}
