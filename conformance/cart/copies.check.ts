import { plural } from '../../harness/text.ts'
import { type CheckContext, type Exchange, check, show } from '../engine/kit.ts'
import {
  conclude,
  isBroken,
  repeatUntilPower,
  BURSTS,
  BURSTS_MAX,
  type JudgedTrial,
} from '../steps/races/race.ts'
import { makeRoom, trialOf } from '../steps/races/burst.ts'
import { burstWaits } from '../steps/races/replay-bursts.ts'
import { needReferenceFilter, findUnder } from '../steps/idempotency.ts'
import { checkout, CHECKS_OUT, idsOf, LINES, POSITIONS, sendCart } from '../steps/cart.ts'

/** Copies of one cart that are released together. */
const COPIES = 6

/** Sends copies of one cart at once, and the cart again until it is decided. */
async function burstOf(context: CheckContext, answered: Exchange[]): Promise<JudgedTrial> {
  const full = context.api.as('full')
  const options = { throttled: 'return' } as const
  await makeRoom({ context, exchanges: answered }, COPIES, 'createCart')
  await Promise.all(Array.from({ length: COPIES }, () => full.whoami(options)))
  const referenceId = context.reference()
  const copies = await Promise.all(
    Array.from({ length: COPIES }, () => full.createCart({ lines: LINES, referenceId }, options)),
  )
  answered.push(...copies)
  const last = await sendCart(context, { referenceId })
  answered.push(last)
  const under = await findUnder(context, referenceId)
  const named = new Set([...copies, last].flatMap(idsOf))
  const strange = [...named].filter((id) => under.ids?.includes(id) === false)
  const trial = trialOf(copies, answered)
  const isOne = under.count === POSITIONS && named.size <= POSITIONS && strange.length === 0
  const record = (): void =>
    void context.expect('CART-04').that(`${COPIES} copies of one cart sent together`, {
      holds: isOne,
      expected: `the ${POSITIONS} orders of one checkout`,
      observed: `${plural(under.count, 'order')} under the reference; the answers name ${show([...named])}; ${trial.text}`,
      exchanges: [...copies, last, under.exchange],
    })
  return { ...trial, holds: isOne, record }
}

export const copiesAreOneCheckout = check({
  id: 'cart.copies',
  title: `${COPIES} copies of one cart that arrive together become one checkout`,
  requirements: ['CART-04'],
  needs: {
    ...CHECKS_OUT,
    purchases: POSITIONS * (BURSTS_MAX + COPIES),
    waits: burstWaits(BURSTS, 1, COPIES),
    tries: BURSTS_MAX / BURSTS,
  },
  run: async (context) => {
    // Control: one after the other they make one checkout.
    const referenceId = context.reference()
    const { exchange } = await checkout(context, { referenceId })
    await needReferenceFilter(context)
    const answered = [exchange, await sendCart(context, { referenceId })]
    const bursts = await repeatUntilPower(() => burstOf(context, answered), { isOver: isBroken })
    conclude(bursts, 'copies')
  },
})
