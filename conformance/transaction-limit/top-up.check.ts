import { formatMoney } from '../../harness/money.ts'
import { check } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { showAnswer } from '../engine/describe.ts'
import { untested } from '../engine/undecided.ts'
import { isAccepted, isCapRefusal, needCapRefusal, priceOf } from './buyer.ts'
import { openPurse, PURSE_PURCHASES, SPENDS_A_CAP } from './purse.ts'

/** More than one voucher unit, so that a unit still fits when the top-up does not. */
const AMOUNT = 3

export const topUp = check({
  id: 'transaction-limit.top-up',
  title: 'a top-up is held to the cap like any other purchase',
  requirements: ['CAP-18'],
  needs: {
    capabilities: [...SPENDS_A_CAP.capabilities, 'dtu'],
    roles: ['capped'],
    products: ['voucher', 'dtu'],
    orderKinds: ['shop', 'dtu'],
    transactionLimit: '11.00',
    drainsCap: true,
    purchases: PURSE_PURCHASES + 5,
  },
  run: async (context) => {
    const { expect, reference } = context
    using purse = await openPurse(context)
    const order = { product: 'dtu', kind: 'dtu', amount: AMOUNT } as const
    const first = needSuccess(await purse.send(1, reference(), {}, order))
    const price = priceOf(context, first)
    // Vouchers take what is left down to less than the price of the top-up.
    const stays = Number((price - 1n) / purse.unit)
    const spare = purse.unitsLeft - stays
    if (stays < 1 || spare < 1)
      untested(
        `a top-up of ${AMOUNT} costs ${formatMoney(price)}, a voucher ${formatMoney(purse.unit)}, and ${formatMoney(purse.left)} is left: the cap cannot be brought between the two`,
      )
    const vouchers = await purse.needBought(spare)
    // The cap binds, whether it knows of the top-up or not.
    const beyond = stays + Math.ceil(Number(price) / Number(purse.unit)) + 1
    needCapRefusal(await purse.send(beyond, reference(), { throttled: 'return' }))
    const second = await purse.send(1, reference(), { throttled: 'return' }, order)
    // What the cap refuses is the top-up, not the key: a voucher that fits passes.
    const control = isAccepted(second) ? undefined : needSuccess(await purse.buy(1))
    if (control) needCapRefusal(second)
    expect('CAP-18').that('a top-up beyond the rest of the cap is refused by it', {
      holds: isCapRefusal(second),
      expected: `the same top-up of ${formatMoney(price)} is refused by the cap once less is left`,
      observed: `${showAnswer(second)}${control ? `; a voucher of ${formatMoney(purse.unit)}: accepted` : ''}`,
      exchanges: [first, vouchers, second, ...(control ? [control] : [])],
    })
  },
})
