import { formatMoney } from '../../harness/money.ts'
import { check, isAccepted, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { replay, resultOf } from '../steps/idempotency.ts'
import { Buyer } from '../steps/buyer.ts'
import { needLeft } from '../steps/cap/headroom.ts'
import { openCappedKey, CAPPED_KEY_PURCHASES, SPENDS_A_CAP } from '../steps/cap/capped-key.ts'

export const brim = check({
  id: 'transaction-limit.brim',
  title:
    'the cap can be used up to the last unit, then only this key is spent, and replays still pass',
  requirements: ['CAP-02', 'CAP-15', 'IDEM-03'],
  needs: {
    ...SPENDS_A_CAP,
    roles: ['capped', 'full'],
    transactionLimit: '9.00',
    drainsCap: 'wholly',
    purchases: CAPPED_KEY_PURCHASES + 7,
  },
  run: async (context) => {
    const { expect, reference } = context
    using cappedKey = await openCappedKey(context)
    const elsewhere = new Buyer(context, 'full')
    needSuccess(await elsewhere.send(1, reference()))
    cappedKey.needUnits(2)
    await needLeft(cappedKey, 2)
    if (cappedKey.left !== cappedKey.amountOf(2))
      untested(
        `the cap is no multiple of the unit: ${formatMoney(cappedKey.left)} is left at ${formatMoney(cappedKey.unit)} a unit`,
      )
    let referenceId = reference()
    const last = await cappedKey.buy(2, referenceId)
    // Attributed only if one unit less passes: otherwise more than the last unit is wrong, which other checks find.
    if (!isAccepted(last)) referenceId = reference()
    const less = isAccepted(last) ? undefined : needSuccess(await cappedKey.buy(1, referenceId))
    expect('CAP-02').that('a purchase of exactly what is left is accepted', {
      holds: isAccepted(last),
      expected: `2 units for the last ${formatMoney(cappedKey.amountOf(2))} of ${formatMoney(cappedKey.limit)} are accepted (${cappedKey.basis})`,
      observed: `${showAnswer(last)}${less ? `; one unit: ${showAnswer(less)}` : ''}`,
      exchanges: less ? [last, less] : [last],
    })
    const beyond = await cappedKey.needRefusal()
    const other = await elsewhere.send(1, reference())
    expect('CAP-15').that('another key of the account buys on after the cap is used up', {
      holds: isAccepted(other),
      expected: 'the purchase by another key is accepted',
      exchanges: [beyond, other],
    })
    // Nothing is left now, and nothing is bought by a replay.
    const bought = less ?? last
    const again = await replay(context, { referenceId }, { role: 'capped', quantity: less ? 1 : 2 })
    expect('IDEM-03').equal(
      'a replay gives the first result when nothing is left of the cap',
      resultOf(again),
      resultOf(bought),
      [bought, beyond, again],
    )
  },
})
