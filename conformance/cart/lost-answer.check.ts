import { plural } from '../../harness/text.ts'
import { check, isAccepted, show, showAnswer, untested } from '../engine/kit.ts'
import { abandon, ABANDONED_MAX, COMPLETION_MS } from '../steps/races/abandoned.ts'
import { needReferenceFilter } from '../steps/idempotency.ts'
import { checkout, CHECKS_OUT, idsOf, POSITIONS, readUnder, sendCart } from '../steps/cart.ts'

export const lostAnswer = check({
  id: 'cart.lost-answer',
  title: 'a checkout whose client went away is not made twice when it is sent again',
  requirements: ['CART-04'],
  needs: {
    ...CHECKS_OUT,
    purchases: POSITIONS * (2 + ABANDONED_MAX),
    waits: [{ seconds: (2 * COMPLETION_MS) / 1000, reason: 'what became of a lost answer' }],
  },
  run: async (context) => {
    await checkout(context)
    await needReferenceFilter(context)
    const { referenceId, exchange: left } = await abandon(context, (referenceId, options) =>
      sendCart(context, { referenceId }, options),
    )
    await context.wait('the checkout whose client went away', COMPLETION_MS)
    const replays = [
      await sendCart(context, { referenceId }),
      await sendCart(context, { referenceId }),
    ]
    await context.wait('late second orders', COMPLETION_MS)
    if (!replays.every(isAccepted))
      untested(`a checkout that was sent again was refused: ${replays.map(showAnswer).join('; ')}`)
    const under = await readUnder(context, referenceId)
    const named = new Set(replays.flatMap(idsOf))
    context.expect('CART-04').that('a cart sent again settles a checkout whose answer was lost', {
      holds: under.count === POSITIONS && named.size === POSITIONS,
      expected: `the ${POSITIONS} orders of one checkout, in both answers`,
      observed: `${plural(under.count, 'order')} under the reference; the answers name ${show([...named])}`,
      exchanges: [left, ...replays, under.exchange],
    })
  },
})
