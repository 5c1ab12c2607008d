import { plural } from '../../harness/text.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, inapplicable, show, showAnswer, untested } from '../engine/kit.ts'
import {
  expectMarked,
  findUnder,
  needReferenceFilter,
  replay,
  replayOfSameOrder,
} from '../steps/idempotency.ts'
import { LATE, waitWhileLate } from '../steps/reading.ts'
import { answersHaveNoResult } from '../steps/order-results.ts'
import { dataOf, isUsd, orderIdOf, readOne, type Bought, patienceSeconds } from '../steps/orders.ts'
import { buyEsim, BUYS_ESIMS, expectWait, needIssued, payloadOf, shapeOf } from '../steps/esim.ts'

const ORDER = { product: 'esim', kind: 'esim' } as const

/** Each process of a service may keep its own copy of an answer. */
const LATE_REPLAYS = 4

export const replays = check({
  id: 'esim.replay',
  title: 'the replay of an eSIM purchase is marked, shows its order as it is now, and buys nothing',
  requirements: ['ESIM-02', 'ESIM-06', 'ESIM-07', 'ESIM-08', 'ESIM-09', 'ESIM-10'],
  needs: {
    ...BUYS_ESIMS,
    purchases: 3 + LATE_REPLAYS,
    waits: [{ orders: 1, product: 'esim' }],
  },
  run: async (context) => {
    const { expect } = context
    const bought = await buyEsim(context)
    await needReferenceFilter(context)
    const early = await replay(context, bought, ORDER)
    const isSame = await expectSameOrder(context, bought, [early])
    if (!isSame) untested('the replay does not give its order, which ESIM-10 decides')
    judgePending(context, early)
    const { exchange: issued } = await needIssued(context, bought)
    const late = await sentAgain(context, bought)
    if (!(await expectSameOrder(context, bought, [early, ...late])))
      untested('the replay does not give its order, which ESIM-10 decides')
    expectMarked(context, 'ESIM-09', [bought.exchange], [early, ...late])
    const { item, exchange: still } = await readOne(context, {
      orderId: bought.orderId,
    })
    if (item['status'] !== 'SUCCESS')
      untested('the order did not stay SUCCESS, which STATE-03 decides')
    const bare = late.some((each) => (dataOf(each)['result'] ?? null) === null)
    const mayBeBare = bare && (await answersHaveNoResult(context))
    for (const each of late) {
      const { status, result } = dataOf(each)
      const { currency } = dataOf(each)
      if (typeof currency === 'string')
        expect('ESIM-02').that('the currency of an eSIM that was issued', {
          holds: isUsd(currency),
          expected: 'USD',
          observed: show(currency),
          exchanges: [bought.exchange, each],
        })
      const isBare = mayBeBare && (result ?? null) === null
      expect('ESIM-08').that('a replay after the payload was issued shows it', {
        holds: status !== 'IN_PROGRESS' && (isBare || payloadOf(result) !== undefined),
        expected:
          'the order is no longer IN_PROGRESS and its result has the payload, as the readings before and after it show',
        observed: `status ${show(status)}, result ${shapeOf(result)}`,
        exchanges: [bought.exchange, issued, each, still],
      })
    }
  },
})

/** At once, so that they come by several connections. */
function sentAgain(context: CheckContext, bought: Bought): Promise<readonly Exchange[]> {
  return Promise.all(Array.from({ length: LATE_REPLAYS }, () => replay(context, bought, ORDER)))
}

/** Most replays by which one order is followed. */
const REPLAYS_MAX = 8

/** A client may follow its order by replays alone: they show the state as it is, though nobody has read the order. */
export const followedByReplays = check({
  id: 'esim.followed-by-replays',
  title: 'replays alone show that an eSIM was issued, without a read of its order before',
  requirements: ['ESIM-08'],
  needs: {
    ...BUYS_ESIMS,
    purchases: 1 + REPLAYS_MAX,
    waits: [{ orders: 1, product: 'esim' }, LATE],
  },
  run: async (context) => {
    const bought = await buyEsim(context)
    if (dataOf(bought.exchange)['status'] !== 'IN_PROGRESS')
      inapplicable('the eSIM was issued at once')
    const last = await replayToEnd(context, bought)
    // What is read may come from a copy that follows a moment later.
    await waitWhileLate(context)
    const { item, exchange: read } = await readOne(context, {
      orderId: bought.orderId,
    })
    if (item['status'] !== 'SUCCESS')
      untested(`the eSIM order is ${show(item['status'])} after its replays`)
    context.expect('ESIM-08').that('the last replay before an eSIM is read for the first time', {
      holds: dataOf(last)['status'] !== 'IN_PROGRESS',
      expected: 'the order is no longer IN_PROGRESS, as the read right after it shows',
      observed: showAnswer(last),
      exchanges: [bought.exchange, last, read],
    })
  },
})

/** Sends the purchase again until its replay shows the end, or longer than an eSIM takes. */
async function replayToEnd(context: CheckContext, bought: Bought): Promise<Exchange> {
  const pauseMs = (patienceSeconds(context, 'esim') * 1000) / (REPLAYS_MAX - 1)
  for (let count = 1; ; count++) {
    await context.wait('an eSIM to be issued', pauseMs)
    const again = await replayOfSameOrder(context, bought, ORDER)
    if (dataOf(again)['status'] !== 'IN_PROGRESS' || count === REPLAYS_MAX) return again
  }
}

/** A replay that shows the order as pending has no result either. The HTTP status of a replay is open: only a 202 says when to ask again. */
function judgePending(context: CheckContext, early: Exchange): void {
  const { expect, leaveUndecided } = context
  const { status, result } = dataOf(early)
  if (status !== 'IN_PROGRESS') {
    const why = 'the eSIM was issued before its purchase was sent again'
    for (const each of ['ESIM-06', 'ESIM-07'] as const) leaveUndecided(each, why, 'inapplicable')
    return
  }
  if (early.response?.status === 202) expectWait(context, early)
  else leaveUndecided('ESIM-07', 'the replay is not answered by 202', 'inapplicable')
  expect('ESIM-06').that('the result in the replay of an eSIM without a payload is null', {
    holds: (result ?? null) === null,
    expected: '"result": null',
    observed: `result ${shapeOf(result)}`,
    exchanges: [early],
  })
}

/** The replays name the order, and it is the only one under its reference. */
async function expectSameOrder(
  context: CheckContext,
  bought: Bought,
  answers: readonly Exchange[],
): Promise<boolean> {
  const { exchange, count } = await findUnder(context, bought.referenceId)
  if (count === 0) untested('the order is not found by its referenceId, which ASYNC-04 decides')
  return context.expect('ESIM-10').that('a replay names the order and creates no other', {
    holds: answers.every((each) => orderIdOf(each) === bought.orderId) && count === 1,
    expected: `orderId ${bought.orderId} in each replay, and one order under the referenceId`,
    observed: `${answers.map(showAnswer).join('; ')}; ${plural(count, 'order')} under the referenceId`,
    exchanges: [bought.exchange, ...answers, exchange],
  })
}
