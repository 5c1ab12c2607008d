import { formatMoney } from '../../harness/money.ts'
import { check } from '../engine/kit.ts'
import { CHECKS_TOP_UPS, needSilence, needTimedOut } from '../steps/dtu-check.ts'
import { balanceMovedByOthers, measureBalance, READS_THE_BALANCE } from '../steps/funds.ts'

export const timeoutDebitsNothing = check({
  id: 'funds.timeout-debits-nothing',
  title: 'a check that timed out takes nothing from the balance',
  requirements: ['CHECK-09'],
  needs: {
    ...CHECKS_TOP_UPS,
    ...READS_THE_BALANCE,
    capabilities: ['dtu-check', 'funds'],
    products: ['dtu', 'dtu-timeout'],
    // None is wanted; a faulty service would make one.
    purchases: 1,
  },
  movedByOthers: balanceMovedByOthers('CHECK-09'),
  run: async (context) => {
    const { before, done, after } = await measureBalance(context, async () =>
      needTimedOut(await needSilence(context, context.reference())),
    )
    context.expect('CHECK-09').that('a check that timed out leaves the balance as it was', {
      holds: after.balance >= before.balance,
      expected: `a balance of ${formatMoney(before.balance)}`,
      observed: formatMoney(after.balance),
      exchanges: [before.exchange, done, after.exchange],
    })
  },
})
