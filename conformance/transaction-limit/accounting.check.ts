import type { Exchange } from '../../harness/client/exchange.ts'
import { formatMoney } from '../../harness/money.ts'
import { check } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { showAnswer } from '../engine/describe.ts'
import { untested } from '../engine/undecided.ts'
import { findsNothing, itemsOf } from '../orders/steps.ts'
import { Buyer, isAccepted, isCapRefusal, needCapRefusal, priceOf } from './buyer.ts'
import { openPurse, PURSE_PURCHASES, SPENDS_A_CAP, type Purse } from './purse.ts'

/** A purchase of several units in one order or, where one order takes fewer, in smaller ones; ends at the first that is refused. */
async function spend(purse: Purse, units: number): Promise<Exchange[]> {
  const whole = await purse.buy(units)
  if (isAccepted(whole) || isCapRefusal(whole) || units < 2) return [whole]
  const half = units >> 1
  const first = await purse.buy(half)
  // Halves once: a target that takes neither is told with its numbers.
  if (!isAccepted(first)) return [whole]
  return [first, await purse.buy(units - half)]
}

/** Spends down to so many units, as the ground for what is judged next. */
async function needLeft(purse: Purse, units: number): Promise<void> {
  const spare = purse.unitsLeft - units
  if (spare <= 0) return
  const last = (await spend(purse, spare)).at(-1)
  if (!last || !isAccepted(last))
    untested(
      `the cap could not be spent down to ${units} units: ${spare} units of ${formatMoney(purse.unit)} were answered ${last ? showAnswer(last) : 'not at all'}`,
    )
  if (purse.unitsLeft !== units)
    untested(
      `prices do not grow with the quantity: ${formatMoney(purse.left)} is left instead of ${units} units of ${formatMoney(purse.unit)}`,
    )
}

export const covered = check({
  id: 'transaction-limit.covered',
  title: 'purchases that fit are not refused by the cap, and each uses it up by its price',
  requirements: ['CAP-01', 'CAP-12'],
  needs: { ...SPENDS_A_CAP, transactionLimit: '16.00', purchases: PURSE_PURCHASES + 6 },
  run: async (context) => {
    const { expect } = context
    using purse = await openPurse(context)
    purse.needUnits(6)
    // One unit always stays, so that the last unit, a matter of its own, is not touched.
    const bought = [
      await purse.buy(1),
      await purse.buy(2),
      ...(await spend(purse, purse.unitsLeft - 1)),
    ]
    const fits = expect('CAP-01').that('purchases that leave a unit of the cap are accepted', {
      holds: !bought.some(isCapRefusal),
      expected: `no refusal by the cap of ${formatMoney(purse.limit)} while one unit of ${formatMoney(purse.unit)} stays (${purse.basis})`,
      observed: bought.map(showAnswer).join('; '),
      exchanges: bought,
    })
    const odd = bought.find((each) => !isAccepted(each) && !isCapRefusal(each))
    if (odd) untested(`a purchase was refused for another reason: ${showAnswer(odd)}`)
    if (!fits) untested('what the accepted purchases used up cannot be told')
    const beyond = await purse.overspend()
    if (!isAccepted(beyond)) needCapRefusal(beyond)
    expect('CAP-12').that('accepted purchases used the cap up by their prices', {
      holds: isCapRefusal(beyond),
      expected: `a purchase beyond the ${formatMoney(purse.left)} that the prices left is refused by the cap`,
      observed: showAnswer(beyond),
      exchanges: [...bought, beyond],
    })
  },
})

export const refusalCostsNothing = check({
  id: 'transaction-limit.refusal-costs-nothing',
  title: 'a refusal uses up nothing, and smaller purchases still pass',
  requirements: ['CAP-11', 'CAP-14'],
  needs: { ...SPENDS_A_CAP, transactionLimit: '18.00', purchases: 3 * PURSE_PURCHASES + 3 },
  run: async (context) => {
    const { expect } = context
    using purse = await openPurse(context)
    purse.needUnits(4)
    const first = await purse.needRefusal()
    const smaller = await purse.buy(1)
    expect('CAP-14').that('after a refusal by the cap a smaller purchase passes', {
      holds: isAccepted(smaller),
      expected: `one unit of ${formatMoney(purse.unit)} is accepted`,
      observed: showAnswer(smaller),
      exchanges: [first, smaller],
    })
    // Several, so that a small leak adds up to the one unit that is left out below.
    const refusals = [first, await purse.needRefusal(), await purse.needRefusal()]
    const wanted = purse.unitsLeft - 1
    const rest = await spend(purse, wanted)
    const odd = rest.find((each) => !isAccepted(each) && !isCapRefusal(each))
    if (odd) untested(`the rest was refused for another reason: ${showAnswer(odd)}`)
    expect('CAP-11').that('what was left before the refusals, but for one unit, can be bought', {
      holds: rest.every(isAccepted),
      expected: `${wanted} units of ${formatMoney(purse.unit)} are accepted (headroom by ${purse.basis})`,
      observed: rest.map(showAnswer).join('; '),
      exchanges: [...refusals, smaller, ...rest],
    })
  },
})

export const noTrace = check({
  id: 'transaction-limit.no-trace',
  title: 'a purchase that the cap refused leaves no order, and its referenceId is free',
  requirements: ['CAP-10'],
  needs: { ...SPENDS_A_CAP, transactionLimit: '20.00', purchases: PURSE_PURCHASES + 4 },
  run: async (context) => {
    const { api, expect } = context
    using purse = await openPurse(context)
    purse.needUnits(3)
    const bought = context.reference()
    needSuccess(await purse.buy(1, bought))
    const seen = needSuccess(await api.as('capped').getOrders({ referenceId: bought }))
    if (itemsOf(seen)?.length !== 1)
      untested(`an accepted order is not found by its referenceId: ${showAnswer(seen)}`)
    const referenceId = context.reference()
    const refused = await purse.needRefusal(referenceId)
    const found = await api.as('capped').getOrders({ referenceId })
    if (![200, 404].includes(found.response?.status ?? 0))
      untested(`the refused order could not be looked for: ${showAnswer(found)}`)
    expect('CAP-10').that('the referenceId of a purchase that the cap refused finds nothing', {
      holds: findsNothing(found),
      expected: 'no order',
      observed: showAnswer(found),
      exchanges: [refused, found],
    })
    await purse.needBought(1)
    const again = await purse.buy(1, referenceId)
    const there = await api.as('capped').getOrders({ referenceId })
    expect('CAP-10').that('the referenceId can be used again, and then creates an order', {
      holds: isAccepted(again) && itemsOf(there)?.length === 1,
      expected: 'a purchase that fits is accepted under it, and found by it',
      observed: `${showAnswer(again)}; then ${showAnswer(there)}`,
      exchanges: [refused, again, there],
    })
  },
})

export const withoutCap = check({
  id: 'transaction-limit.none',
  title: 'a key without a cap is never refused by one',
  requirements: ['CAP-16'],
  needs: {
    capabilities: SPENDS_A_CAP.capabilities.slice(0, 1),
    products: SPENDS_A_CAP.products,
    orderKinds: SPENDS_A_CAP.orderKinds,
    roles: ['full'],
    purchases: 5,
  },
  run: async (context) => {
    if (context.keys.key('full').transactionLimit)
      untested('the target file gives the role "full" a transactionLimit, so no key is without')
    const buyer = new Buyer(context, 'full')
    for (const units of [1, 1, 1, 4, 20]) await buyer.send(units, context.reference())
    const accepted = buyer.exchanges.filter(isAccepted)
    const refused = buyer.exchanges.filter(isCapRefusal)
    if (accepted.length + refused.length === 0)
      untested('no purchase was accepted, and none was refused by a cap')
    const total = accepted.reduce((sum, each) => sum + priceOf(context, each), 0n)
    context.expect('CAP-16').that('purchases on a key without a cap are not refused by one', {
      holds: refused.length === 0,
      expected: 'no 409 of a cap',
      observed: `${accepted.length} of 5 accepted, for ${formatMoney(total)}; ${refused[0] ? showAnswer(refused[0]) : 'none refused by a cap'}`,
      exchanges: buyer.exchanges,
    })
  },
})

export const brim = check({
  id: 'transaction-limit.brim',
  title: 'the cap can be used up to the last unit, and then only this key is spent',
  requirements: ['CAP-02', 'CAP-15'],
  needs: {
    ...SPENDS_A_CAP,
    roles: ['capped', 'full'],
    transactionLimit: '9.00',
    purchases: PURSE_PURCHASES + 7,
  },
  run: async (context) => {
    const { expect } = context
    const elsewhere = new Buyer(context, 'full')
    needSuccess(await elsewhere.send(1, context.reference()))
    using purse = await openPurse(context)
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
