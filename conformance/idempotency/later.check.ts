import { plural } from '../../harness/text.ts'
import type { CheckContext, CheckDefinition, Exchange } from '../engine/kit.ts'
import { check, offeredOf, momentOf, show, showAnswer, untested } from '../engine/kit.ts'
import { buyOnce, OTHER_KINDS, ordersOfKinds, type Kind, type Sent } from '../steps/kinds.ts'
import { aside } from '../steps/aside.ts'
import { buy, BUYS_VOUCHERS, dataOf, findsNothing, type Bought } from '../steps/orders.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'
import {
  A_WINDOW,
  findUnder,
  needReferenceFilter,
  replay,
  resultOf,
  waitAWindow,
} from '../steps/idempotency.ts'

export const replayAfterWindow = check({
  id: 'idempotency.replay-after-window',
  formerIds: ['idempotency.replay-created-at'],
  title:
    'after a window of its endpoint, and a read in clear, a purchase is found, and sent again it is a replay still',
  requirements: ['GET-07', 'IDEM-03', 'IDEM-05'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full'],
    purchases: 2,
    waits: [A_WINDOW],
  },
  run: async (context) => {
    const { expect } = context
    const bought = await buy(context)
    await needReferenceFilter(context)
    await waitAWindow(context)
    await readInClear(context, bought)
    const again = await replay(context, bought)
    expect('IDEM-03').equal(
      'a replay after a window has orderId, price and currency of the first answer',
      resultOf(again),
      resultOf(bought.exchange),
      [bought.exchange, again],
    )
    expectSameMoment(context, bought.exchange, again)
    const later = await context.api.as('full').getOrders({ orderId: bought.orderId })
    expect('GET-07').that('the order is found by its orderId after a window', {
      holds: !findsNothing(later),
      expected: 'the order',
      exchanges: [bought.exchange, later],
    })
    const { exchange, count } = await findUnder(context, bought.referenceId)
    expect('IDEM-05').that('the reference of a purchase that was sent again after a window', {
      holds: count === 1,
      expected: 'one order',
      observed: `${plural(count, 'order')}; ${showAnswer(exchange)}`,
      exchanges: [bought.exchange, again, exchange],
    })
  },
})

/** How far apart two texts of one moment may be: one of them may be cut to seconds. */
const SAME_MOMENT_MS_MAX = 1_000

/** What has no createdAt, or none that can be read, is the matter of ORD-09. */
function expectSameMoment(
  { expect, observe }: CheckContext,
  first: Exchange,
  again: Exchange,
): void {
  const moments = [first, again].map((each) => dataOf(each)['createdAt'])
  const isTold = moments.some((moment) => moment !== undefined)
  observe('OPEN-77', `orders have ${isTold ? 'a' : 'no'} createdAt`, [first, again])
  const [firstMs = NaN, laterMs = NaN] = moments.map(momentOf)
  if (Number.isNaN(firstMs) || Number.isNaN(laterMs)) return
  expect('IDEM-03').that('a replay has the createdAt of the first answer', {
    holds: Math.abs(laterMs - firstMs) <= SAME_MOMENT_MS_MAX,
    expected: `the moment ${show(moments[0])}`,
    observed: show(moments[1]),
    exchanges: [first, again],
  })
}

/** A client that has its codes may still send a late copy of the purchase. The budgets of keys that last belong to other checks. */
async function readInClear(context: CheckContext, { orderId }: Bought): Promise<void> {
  if (context.isFresh && context.target.capabilities.includes('unhide'))
    await context.api.as('full').getOrders({ orderId, unhide: true }, RETURN_429_UNPACED)
}

const KINDS = Object.values<Kind>(OTHER_KINDS)

/** A replay after a window gives what was bought, and the reference finds no more than that. */
async function judgeLater(context: CheckContext, begun: Sent): Promise<void> {
  const { kind, referenceId, send, first } = begun
  const again = await send()
  const exchanges = [first, again]
  context.expect('IDEM-03').that(`${kind.what} that is sent again after a window`, {
    holds: kind.idOf(again) === kind.idOf(first),
    expected: 'what was bought',
    exchanges,
  })
  const { exchange, count } = await findUnder(context, referenceId)
  context.expect('IDEM-05').that(`the reference of ${kind.what} after that`, {
    holds: count === kind.orders,
    expected: plural(kind.orders, 'order'),
    observed: `${plural(count, 'order')}; ${showAnswer(exchange)}`,
    exchanges: [...exchanges, exchange],
  })
}

export const kindsAfterWindow: CheckDefinition = check({
  id: 'idempotency.kinds-after-window',
  title: 'a purchase of any other kind that is sent again after a window is a replay still',
  requirements: ['IDEM-03', 'IDEM-05'],
  needs: {
    roles: ['full'],
    purchases: 2 * ordersOfKinds(KINDS),
    waits: [A_WINDOW],
  },
  run: async (context) => {
    const begun: Sent[] = []
    for (const kind of offeredOf(context.target, KINDS)) begun.push(await buyOnce(context, kind))
    if (begun.length === 0) untested('the target sells no other kind')
    await needReferenceFilter(context)
    await waitAWindow(context)
    for (const each of begun) {
      const judge = (): Promise<void> => judgeLater(context, each)
      // The token of a gift may have expired meanwhile.
      await (each.kind === OTHER_KINDS.gift ? aside(judge) : judge())
    }
  },
})
