import type { CheckContext, Exchange, OrderRequest } from '../engine/kit.ts'
import { check, show, showAnswer, statusCodeOf, untested } from '../engine/kit.ts'
import { buy, BUYS_VOUCHERS, orderIdOf, type Bought } from '../steps/orders.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'
import {
  expectMarked,
  findUnder,
  needOtherBody,
  needReferenceFilter,
  OTHER_QUANTITY,
  replay,
  replayOfSameOrder,
  resultOf,
} from '../steps/idempotency.ts'

const NEEDS = { ...BUYS_VOUCHERS, roles: ['full'] } as const

/** A purchase that was sent twice again. */
type Replayed = { readonly bought: Bought; readonly replays: readonly Exchange[] }

async function replayTwice(
  context: CheckContext,
  order: Partial<OrderRequest> = {},
): Promise<Replayed> {
  const bought = await buy(context, order)
  const replays = [await replay(context, bought, order), await replay(context, bought, order)]
  for (const again of replays)
    context
      .expect('IDEM-03')
      .equal(
        'a replay has orderId, price and currency of the first answer',
        resultOf(again),
        resultOf(bought.exchange),
        [bought.exchange, again],
      )
  return { bought, replays }
}

async function expectOneOrder(context: CheckContext, { bought, replays }: Replayed): Promise<void> {
  const { exchange, count } = await findUnder(context, bought.referenceId)
  context
    .expect('IDEM-05')
    .equal('orders that the referenceId finds after two replays', count, 1, [
      bought.exchange,
      ...replays,
      exchange,
    ])
}

export const voucherReplay = check({
  id: 'idempotency.replay',
  formerIds: ['gives-original', 'makes-no-order', 'marked'].map(
    (what) => `idempotency.replay-${what}`,
  ),
  title: 'a purchase that is sent again gives the original result, marked, and creates no order',
  requirements: ['IDEM-03', 'IDEM-04', 'IDEM-05'],
  needs: { ...NEEDS, purchases: 6 },
  run: async (context) => {
    const { expect, observe, target } = context
    const purchases = [await replayTwice(context), await replayTwice(context)]
    const { replayHttpStatus } = target.answers
    for (const again of purchases.flatMap(({ replays }) => replays))
      if (replayHttpStatus === undefined)
        observe('OPEN-37', `a replay got HTTP ${again.response?.status ?? 'none'}`, [again])
      else expect('IDEM-03').status(again, replayHttpStatus)
    judgeMarks(context, purchases)
    await needReferenceFilter(context)
    for (const each of purchases) await expectOneOrder(context, each)
  },
})

export const topUpReplay = check({
  id: 'idempotency.top-up-replay',
  title: 'a top-up that is sent again gives the original result, and tops nothing up',
  requirements: ['IDEM-03', 'IDEM-04', 'IDEM-05'],
  needs: { ...BUYS_TOP_UPS, roles: ['full'], purchases: 3 },
  run: async (context) => {
    const replayed = await replayTwice(context, topUpOrder(context))
    judgeMarks(context, [replayed])
    await needReferenceFilter(context)
    await expectOneOrder(context, replayed)
  },
})

/** Every replay of one order is marked by one statusCode, which no first success has. */
function judgeMarks(context: CheckContext, purchases: readonly Replayed[]): void {
  const replays = purchases.flatMap((each) => each.replays)
  const strange = purchases.flatMap(({ bought, replays: own }) =>
    own.filter((again) => orderIdOf(again) !== bought.orderId),
  )[0]
  if (strange) {
    const reason = `the second request did not give the original order: ${showAnswer(strange)}`
    return context.leaveUndecided('IDEM-04', reason)
  }
  const firsts = purchases.map(({ bought }) => bought.exchange)
  expectMarked(context, 'IDEM-04', firsts, replays)
  const codes = [...new Set(replays.map(statusCodeOf))]
  context.observe('OPEN-25', `the statusCode of replays is ${show(codes)}`, replays)
}

export const otherBody = check({
  id: 'idempotency.other-body',
  formerIds: ['gives-original', 'marked'].map((what) => `idempotency.other-body-${what}`),
  title: 'a replay that asks for something else gives the first result, marked, and buys nothing',
  requirements: ['IDEM-06', 'IDEM-07', 'IDEM-08'],
  needs: { ...NEEDS, purchases: 4 },
  run: async (context) => {
    const { expect, observe } = context
    const bought = await buy(context)
    await needReferenceFilter(context)
    const plain = await replayOfSameOrder(context, bought)
    if (show(resultOf(plain)) !== show(resultOf(bought.exchange)))
      untested(`a plain replay gives another result, which IDEM-03 decides: ${showAnswer(plain)}`)
    await needOtherBody(context, bought)
    const again = await replay(context, bought, { quantity: OTHER_QUANTITY })
    expect('IDEM-06').equal(
      'a replay with another quantity has orderId, price and currency of the first answer',
      resultOf(again),
      resultOf(bought.exchange),
      [bought.exchange, again],
    )
    if (orderIdOf(again) === bought.orderId)
      expect('IDEM-07').equal(
        'statusCode of a replay with another quantity, against that of a plain replay',
        statusCodeOf(again),
        statusCodeOf(plain),
        [plain, again],
      )
    else context.leaveUndecided('IDEM-07', `another body gave no replay: ${showAnswer(again)}`)
    const { exchange, count } = await findUnder(context, bought.referenceId)
    expect('IDEM-08').equal(
      'orders that the referenceId finds after a replay with another quantity',
      count,
      1,
      [bought.exchange, again, exchange],
    )
    const invalid = await replay(context, bought, { overrides: { ordersType: 'no-such-type' } })
    const status = invalid.response?.status ?? 'none'
    observe('OPEN-38', `a replay whose body breaks the rules got HTTP ${status}`, [invalid])
  },
})
