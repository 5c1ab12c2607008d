import { formatMoney } from '../../harness/money.ts'
import {
  check,
  isAccepted,
  isCapRefusal,
  needSuccess,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { findsNothing, itemsOf } from '../steps/orders.ts'
import { Buyer, needCapRefusal, priceOf } from '../steps/buyer.ts'
import { expectHeadroomWhole, spend } from '../steps/cap/headroom.ts'
import { openCappedKey, CAPPED_KEY_PURCHASES, SPENDS_A_CAP } from '../steps/cap/capped-key.ts'
import { capMovedByOthers } from '../steps/cap/watch.ts'

export const covered = check({
  id: 'transaction-limit.covered',
  title: 'purchases that fit are not refused by the cap, and each uses it up by its price',
  requirements: ['CAP-01', 'CAP-12'],
  needs: { ...SPENDS_A_CAP, transactionLimit: '16.00', purchases: CAPPED_KEY_PURCHASES + 6 },
  movedByOthers: capMovedByOthers('CAP-01'),
  run: async (context) => {
    const { expect } = context
    using cappedKey = await openCappedKey(context)
    cappedKey.needUnits(6)
    // One unit always stays, so that the last unit, a matter of its own, is not touched.
    const bought = [
      await cappedKey.buy(1),
      await cappedKey.buy(2),
      ...(await spend(cappedKey, cappedKey.fresh ? cappedKey.unitsLeft - 1 : 3)),
    ]
    const fits = expect('CAP-01').that('purchases that leave a unit of the cap are accepted', {
      holds: !bought.some(isCapRefusal),
      expected: `no refusal by the cap of ${formatMoney(cappedKey.limit)} while one unit of ${formatMoney(cappedKey.unit)} stays (${cappedKey.basis})`,
      observed: bought.map(showAnswer).join('; '),
      exchanges: bought,
    })
    const odd = bought.find((each) => !isAccepted(each) && !isCapRefusal(each))
    if (odd) untested(`a purchase was refused for another reason: ${showAnswer(odd)}`)
    if (!fits) untested('it is not clear how much of the cap the accepted purchases used up')
    const beyond = await cappedKey.overspend()
    if (!isAccepted(beyond)) needCapRefusal(beyond)
    expect('CAP-12').that('accepted purchases used the cap up by their prices', {
      holds: isCapRefusal(beyond),
      expected: `a purchase beyond the ${formatMoney(cappedKey.left)} that the prices left is refused by the cap`,
      exchanges: [...bought, beyond],
    })
  },
})

/** Refusals in a row. A service may lose patience with a key, or a little of its cap with each. */
const REFUSALS_OF_FRESH = 8
const REFUSALS_OF_SHARED = 3

export const refusalCostsNothing = check({
  id: 'transaction-limit.refusal-costs-nothing',
  title: 'a refusal uses up nothing, and smaller purchases still pass',
  requirements: ['CAP-11', 'CAP-14'],
  needs: { ...SPENDS_A_CAP, transactionLimit: '18.00', purchases: 3 * CAPPED_KEY_PURCHASES + 4 },
  movedByOthers: capMovedByOthers('CAP-11', 'CAP-14'),
  run: async (context) => {
    const { expect } = context
    using cappedKey = await openCappedKey(context)
    cappedKey.needUnits(5)
    const first = await cappedKey.needRefusal()
    if (cappedKey.unitsLeft < 1)
      untested(
        'one order of the target takes one piece: the cap was used up before an order exceeded it',
      )
    const smaller = await cappedKey.buy(1)
    expect('CAP-14').that('after a refusal by the cap a smaller purchase passes', {
      holds: isAccepted(smaller),
      expected: `one unit of ${formatMoney(cappedKey.unit)} is accepted`,
      exchanges: [first, smaller],
    })
    // Several, so that a small leak adds up to the one unit that is left out below.
    const refusals = [first]
    const times = cappedKey.fresh ? REFUSALS_OF_FRESH : REFUSALS_OF_SHARED
    while (refusals.length < times && refusals.every(isCapRefusal))
      refusals.push((await cappedKey.overspendDecisively()).refused)
    const again = await cappedKey.buy(1)
    // What the cap refuses now was leaked, which is judged next.
    if (!isCapRefusal(again))
      expect('CAP-14').that(`after ${times} refusals by the cap a smaller purchase passes`, {
        holds: isAccepted(again),
        expected: `one unit of ${formatMoney(cappedKey.unit)} is accepted`,
        exchanges: [...refusals.slice(-1), again],
      })
    if (!isAccepted(again) && !isCapRefusal(again)) return
    await expectHeadroomWhole(cappedKey, 'CAP-11', 'what was left before the refusals', [
      ...refusals,
      smaller,
    ])
  },
})

export const noTrace = check({
  id: 'transaction-limit.no-trace',
  title:
    'a purchase that the cap refused leaves no order, and its referenceId buys or is refused as before',
  requirements: ['CAP-10'],
  needs: { ...SPENDS_A_CAP, transactionLimit: '20.00', purchases: CAPPED_KEY_PURCHASES + 4 },
  run: async (context) => {
    const { api, expect } = context
    using cappedKey = await openCappedKey(context)
    cappedKey.needUnits(3)
    const bought = context.reference()
    needSuccess(await cappedKey.buy(1, bought))
    const seen = needSuccess(await api.as('capped').getOrders({ referenceId: bought }))
    if (itemsOf(seen)?.length !== 1)
      untested(`an accepted order is not found by its referenceId: ${showAnswer(seen)}`)
    const referenceId = context.reference()
    const refused = await cappedKey.needRefusal(referenceId)
    const found = await api.as('capped').getOrders({ referenceId })
    if (![200, 404].includes(found.response?.status ?? 0))
      untested(`the refused order could not be looked for: ${showAnswer(found)}`)
    expect('CAP-10').that('the referenceId of a purchase that the cap refused finds nothing', {
      holds: findsNothing(found),
      expected: 'no order',
      exchanges: [refused, found],
    })
    await cappedKey.needBought(1)
    const again = await cappedKey.buy(1, referenceId)
    const there = await api.as('capped').getOrders({ referenceId })
    context.observe(
      'OPEN-65',
      `a purchase that fits, under a referenceId that the cap refused: HTTP ${again.response?.status ?? 'none'}`,
      [refused, again],
    )
    expect('CAP-10').that('what is sent under the referenceId again is bought, or refused alike', {
      holds: isCapRefusal(again)
        ? findsNothing(there)
        : isAccepted(again) && itemsOf(there)?.length === 1,
      expected:
        'a purchase that fits is accepted under it and found by it, or refused by the cap as before and not found',
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
    ofKeysOfFile: ({ target }) =>
      target.credentials.full?.transactionLimit && {
        verdict: 'untested',
        reason: 'the target file gives the role "full" a transactionLimit, so no key is without',
        wants: [{ what: 'a key of role full without a cap' }],
      },
  },
  run: async (context) => {
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
