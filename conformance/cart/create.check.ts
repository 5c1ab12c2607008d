import { plural } from '../../harness/text.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, isAccepted, show, showAnswer, statusCodeOf, untested } from '../engine/kit.ts'
import { templateVariables } from '../../harness/target-file/template.ts'
import { needReferenceFilter, findUnder } from '../steps/idempotency.ts'
import {
  checkout,
  checkoutOfThree,
  CHECKS_OUT,
  entriesOf,
  idsOf,
  LINES,
  needPositions,
  POSITIONS,
  referenceOf,
  sendCart,
  THREE_LINES,
  type Checkout,
} from '../steps/cart.ts'

export const orderPerPosition = check({
  id: 'cart.order-per-position',
  title: 'a checkout creates as many orders as the cart has positions',
  requirements: ['CART-01'],
  needs: { ...CHECKS_OUT, purchases: 2 * POSITIONS + 8 },
  run: async (context) => {
    const known = new Set<unknown>()
    await judgePositions(context, await checkout(context), known)
    // Equal positions are positions all the same.
    const line = { product: 'voucher' } as const
    await judgePositions(context, await checkout(context, { lines: [line, line] }), known)
    const lines = [...LINES, line]
    const referenceId = context.reference()
    const exchange = await sendCart(context, { lines, referenceId })
    const reference = referenceOf(exchange) ?? referenceId
    if (isAccepted(exchange))
      await judgePositions(
        context,
        { exchange, referenceId: reference, positions: needPositions(context, lines) },
        known,
      )
    // How many positions a cart may have is not shown.
    context.observe(
      'OPEN-29',
      `a cart of three positions got HTTP ${exchange.response?.status ?? 'none'}`,
      [exchange],
    )
    const many = { lines: [...lines, line, line], referenceId: context.reference() }
    const large = await sendCart(context, many)
    if (isAccepted(large)) {
      const positions = needPositions(context, many.lines)
      const told = referenceOf(large) ?? many.referenceId
      await judgePositions(context, { exchange: large, referenceId: told, positions }, known)
    }
  },
})

/** Orders of the checkouts before, which a reference should not find, are left out: that is a matter of GET-05. */
async function judgePositions(
  context: CheckContext,
  { exchange, referenceId, positions }: Checkout,
  known: Set<unknown>,
): Promise<void> {
  await needReferenceFilter(context)
  const under = await findUnder(context, referenceId)
  const named = new Set(idsOf(exchange))
  const found = under.ids ? under.ids.filter((id) => !known.has(id)).length : under.count
  for (const id of [...named, ...(under.ids ?? [])]) known.add(id)
  // The answer may be wrong about its orders, and the reference about what it finds; neither is judged here.
  const count = Math.max(named.size, found)
  context.expect('CART-01').that(`a cart of ${positions} positions becomes as many orders`, {
    holds: count === positions,
    expected: plural(positions, 'order'),
    observed: `${named.size} orders named by the answer, ${found} found by its reference`,
    exchanges: [exchange, under.exchange],
  })
}

export const replayMakesNoOrders = check({
  id: 'cart.replay-makes-no-orders',
  title: 'a checkout that is sent again under its reference creates no further orders',
  requirements: ['CART-04', 'CART-09'],
  needs: { ...CHECKS_OUT, purchases: 5 * THREE_LINES.length + 1 },
  run: async (context) => {
    needReferenceSent(context)
    const { exchange, referenceId, sent } = await checkoutOfThree(context)
    await needReferenceFilter(context)
    const before = await findUnder(context, referenceId)
    const known = [...idsOf(exchange), ...(before.ids ?? [])]
    if (before.count === 0 || known.length === 0)
      untested(`the orders of the checkout are not known: ${showAnswer(exchange)}`)
    const replays = [await sendCart(context, sent), await sendCart(context, sent)]
    // An idempotency key stands for one checkout, whatever a later cart holds.
    const lines = [...sent.lines, { product: 'voucher' }] as const
    const larger = await sendCart(context, { ...sent, lines })
    const again = [...replays, larger]
    const after = await findUnder(context, referenceId)
    const fresh = [...again.flatMap(idsOf), ...(after.ids ?? [])].filter(
      (id) => !known.includes(id),
    )
    context.expect('CART-04').that('the reference stands for the orders of the first checkout', {
      holds: after.count === before.count && fresh.length === 0,
      expected: `${plural(before.count, 'order')}, and none but those of the first answer`,
      observed: `${plural(after.count, 'order')}; ${fresh.length} that the first answer does not name`,
      exchanges: [exchange, before.exchange, ...again, after.exchange],
    })
    judgeNamed(context, exchange, replays)
    judgeReference(context, exchange, replays)
    await observeNamespace(context)
    const statuses = replays.map(({ response }) => response?.status ?? 'none')
    context.observe(
      'OPEN-37',
      `replays of a checkout got HTTP ${statuses.join(' and ')}, statusCode ${replays.map(statusCodeOf).join(' and ')}`,
      replays,
    )
  },
})

/** The answer to a replay is a CheckoutResponse like the first, which has an entry for each order; another form is no matter of this check. */
function judgeNamed(
  { expect, leaveUndecided }: CheckContext,
  first: Exchange,
  replays: readonly Exchange[],
): void {
  const wanted = idsOf(first)
  const answered = replays.filter((each) => isAccepted(each) && entriesOf(each) !== undefined)
  if (wanted.length === 0 || answered.length === 0) {
    leaveUndecided('CART-09', 'no replay of a checkout was answered with a list of orders')
    return
  }
  const short = answered.filter((each) => wanted.some((id) => !idsOf(each).includes(id)))
  expect('CART-09').that('the answer to a checkout that is sent again names its orders', {
    holds: short.length === 0,
    expected: `an entry for each of ${show(wanted)}`,
    observed: short[0] ? `entries for ${show(idsOf(short[0]))}` : 'all of them',
    exchanges: [first, ...(short.length > 0 ? short : answered)],
  })
}

/** The reference is that of the first checkout, where the answers name one. */
function judgeReference(
  { expect }: CheckContext,
  first: Exchange,
  replays: readonly Exchange[],
): void {
  const named = replays.filter((each) => isAccepted(each) && referenceOf(each) !== undefined)
  if (referenceOf(first) === undefined || named.length === 0) return
  const other = named.find((each) => referenceOf(each) !== referenceOf(first))
  expect('CART-04').that('the answer to a checkout that is sent again has its referenceId', {
    holds: other === undefined,
    expected: show(referenceOf(first)),
    observed: show(referenceOf(other ?? first)),
    exchanges: [first, ...(other ? [other] : named)],
  })
}

/** Asks for a cart under the reference of a single order. */
async function observeNamespace(context: CheckContext): Promise<void> {
  if (!context.target.operations.createOrder.bodies.shop) return
  const referenceId = context.reference()
  const single = await context.api.as('full').createOrder({ product: 'voucher', referenceId })
  const cart = await sendCart(context, { referenceId })
  const { count } = await findUnder(context, referenceId)
  context.observe(
    'OPEN-40',
    `a checkout under the reference of a single order got HTTP ${cart.response?.status ?? 'none'} with statusCode ${show(statusCodeOf(cart))}; ${plural(count, 'order')} stand under it`,
    [single, cart],
  )
}

/** Where the service makes the reference up, a checkout cannot be sent again under it. */
function needReferenceSent({ target }: CheckContext): void {
  const { body, query } = target.operations.createCart
  if (!templateVariables({ body, query }).includes('referenceId'))
    untested('operations.createCart names no {{referenceId}}, so none can be sent again')
}
