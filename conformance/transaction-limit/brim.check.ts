import { formatMoney } from '../../harness/money.ts'
import { check } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { showAnswer } from '../engine/describe.ts'
import { untested } from '../engine/undecided.ts'
import { Buyer, isAccepted } from './buyer.ts'
import { needLeft } from './headroom.ts'
import { openPurse, PURSE_PURCHASES, SPENDS_A_CAP } from './purse.ts'

export const brim = check({
  id: 'transaction-limit.brim',
  title: 'the cap can be used up to the last unit, and then only this key is spent',
  requirements: ['CAP-02', 'CAP-15'],
  needs: {
    ...SPENDS_A_CAP,
    roles: ['capped', 'full'],
    transactionLimit: '9.00',
    drainsCap: true,
    purchases: PURSE_PURCHASES + 7,
  },
  run: async (context) => {
    const { expect } = context
    using purse = await openPurse(context)
    const elsewhere = new Buyer(context, 'full')
    needSuccess(await elsewhere.send(1, context.reference()))
    purse.needUnits(2)
    await needLeft(purse, 2)
    if (purse.left !== purse.amountOf(2))
      untested(
        `the cap is no multiple of the unit: ${formatMoney(purse.left)} is left at ${formatMoney(purse.unit)} a unit`,
      )
    const last = await purse.buy(2)
    // Attributed only if one unit less passes: otherwise more than the last unit is wrong, which other checks find.
    const less = isAccepted(last) ? undefined : await purse.needBought(1)
    expect('CAP-02').that('a purchase of exactly what is left is accepted', {
      holds: isAccepted(last),
      expected: `2 units for the last ${formatMoney(purse.amountOf(2))} of ${formatMoney(purse.limit)} are accepted (${purse.basis})`,
      observed: `${showAnswer(last)}${less ? `; one unit: ${showAnswer(less)}` : ''}`,
      exchanges: less ? [last, less] : [last],
    })
    const beyond = await purse.needRefusal()
    const other = await elsewhere.send(1, context.reference())
    expect('CAP-15').that('another key of the account buys on after the cap is used up', {
      holds: isAccepted(other),
      expected: 'the purchase by another key is accepted',
      observed: showAnswer(other),
      exchanges: [beyond, other],
    })
  },
})
