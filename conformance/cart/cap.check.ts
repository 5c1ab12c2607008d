import { plural } from '../../harness/text.ts'
import { positionTemplate } from '../../harness/client/bodies.ts'
import { formatMoney, parseMoney, type Micros } from '../../harness/money.ts'
import type { CartLine, CheckContext, Exchange } from '../engine/kit.ts'
import {
  check,
  isAccepted,
  isCapRefusal,
  isThrottled,
  offeredOf,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { needReferenceFilter } from '../steps/idempotency.ts'
import {
  openCappedKey,
  CAPPED_KEY_PURCHASES,
  SPENDS_A_CAP,
  type CappedKey,
} from '../steps/cap/capped-key.ts'
import { CHECKS_OUT, needData, POSITIONS, referenceOf, sendCart } from '../steps/cart.ts'
import { priceOf } from '../steps/buyer.ts'
import { linesOf, RETURNED, sendUnits } from '../steps/cap/capped-cart.ts'
import { ordersIn, ordersOf, sumOf } from '../steps/cap/checkout-orders.ts'
import { judgeNames, judgeNothingKept, OF_REFUSED_WHOLE } from '../steps/cap/refused-checkout.ts'
import { capMovedByOthers } from '../steps/cap/watch.ts'
import { topUpOrder } from '../steps/top-ups.ts'
import { OTHER_KINDS } from '../steps/kinds.ts'

/** Units that the check takes. */
const UNITS = 3 * POSITIONS
/** How many positions of another kind are tried for a price of whole units. */
const COUNTS = [1n, 2n, 3n, 4n]

const KINDS = [OTHER_KINDS.topUp, OTHER_KINDS.esim, OTHER_KINDS.later] as const

/** Orders that the checkouts may create, two each. */
const MIXED_PURCHASES = 2 * KINDS.length

export const withinCap = check({
  id: 'cart.within-cap',
  title: 'the orders of a checkout never take a key beyond its cap, which answers in its own words',
  requirements: ['CAP-03', ...OF_REFUSED_WHOLE, 'CAP-17', 'CAP-21'],
  needs: {
    ...CHECKS_OUT,
    ...SPENDS_A_CAP,
    roles: ['full', 'capped'],
    capabilities: ['cart', 'shop', 'transaction-limit'],
    operations: CHECKS_OUT.operations,
    transactionLimit: '14.00',
    capCovers: { dtu: 1, esim: 1 },
    purchases: CAPPED_KEY_PURCHASES + 8 * POSITIONS + 2 + 2 * COUNTS.length + MIXED_PURCHASES,
  },
  movedByOthers: capMovedByOthers('CAP-07', 'CAP-11'),
  run: async (context) => {
    using cappedKey = await openCappedKey(context)
    // The checkout, and a rest that makes the next one too dear as a whole but not position by position.
    cappedKey.needUnits(UNITS)
    await cappedKey.needRefusal()
    const charged = await judgeCharged(context, cappedKey)
    // Awaited, or the capped key would be given back before: another check could spend the cap meanwhile.
    if (charged) return await judgeSum(cappedKey, charged)
    for (const requirement of ['CAP-03', ...OF_REFUSED_WHOLE, 'CAP-17'] as const)
      context.leaveUndecided(requirement, 'checkouts are not held to the cap, which CAP-21 decides')
  },
})

/**
 * What a checkout bought counts: what the prices leave is not exceeded by the next purchase. What is left then, and the least that a unit
 * in a cart may cost. Undefined where it was exceeded.
 */
async function judgeCharged(
  context: CheckContext,
  cappedKey: CappedKey,
): Promise<Charged | undefined> {
  const exchange = needData(await sendKinds(context, cappedKey))
  const left = cappedKey.left - sumOf(ordersIn(exchange))
  const units = cappedKey.unitsOver(left)
  const beyond = await cappedKey.send(units, context.reference())
  if (!isAccepted(beyond) && !isCapRefusal(beyond))
    untested(`a purchase beyond the cap was refused for another reason: ${showAnswer(beyond)}`)
  const holds = context.expect('CAP-21').that('what a checkout bought counts for the cap', {
    holds: isCapRefusal(beyond),
    expected: `${units} units of ${formatMoney(cappedKey.unit)} do not fit the ${formatMoney(left)} that it left (${cappedKey.basis})`,
    exchanges: [exchange, beyond],
  })
  if (!holds) return undefined
  const vouchers = ordersIn(exchange).filter(({ kind }) => kind === undefined || kind === 'shop')
  return {
    left,
    unit: cheapestInCart(cappedKey, exchange),
    prices: vouchers.map(({ price }) => price),
  }
}

/** What a checkout left of the cap, and the least that a unit may cost in a cart. */
type Charged = {
  readonly left: Micros
  readonly unit: Micros
  /** Of one unit in each position: a body may have a product of its own in each. */
  readonly prices: readonly Micros[]
}

/** A cart may be cheaper than its positions one by one. Where entries do not name their kind, the nearest lower price is that of a voucher. */
function cheapestInCart({ unit, cheapest }: CappedKey, exchange: Exchange): Micros {
  const vouchers = ordersIn(exchange).filter(
    ({ kind, price }) => kind === 'shop' || (kind === undefined && unit < 2n * price),
  )
  const lower = vouchers
    .map(({ price }) => price)
    .filter((price) => 0n < price && price < unit)
    .reduce((most, price) => (price > most ? price : most), 0n)
  return lower === 0n ? cheapest : (cheapest * lower) / unit
}

/** How many positions a cart may have is not shown. */
async function sendKinds(context: CheckContext, cappedKey: CappedKey): Promise<Exchange> {
  const lines = [...linesOf(1), ...linesOfOtherKinds(context, cappedKey)]
  const exchange = await sendCart(context, { lines, role: 'capped' })
  return exchange.response?.status === 422 ? (await sendUnits(context, 1)).exchange : exchange
}

/**
 * Positions of each other kind that the cart takes and that fits: a kind that is not charged is seen by what is left. Of a key that
 * lasts they cost whole units, or what is left could not be told from then on.
 */
function linesOfOtherKinds(context: CheckContext, cappedKey: CappedKey): CartLine[] {
  const { target } = context
  const others = [topUpOrder(context), { product: 'esim', kind: 'esim' }] as const
  let room = cappedKey.left - cappedKey.amountOf(UNITS)
  return others.flatMap((line) => {
    const { unitPrice, currency } = target.products[line.product] ?? {}
    const price = parseMoney(unitPrice)
    if (price === undefined || currency !== target.products.voucher?.currency) return []
    const count = COUNTS.find((n) => cappedKey.fresh || (n * price) % cappedKey.unit === 0n)
    if (count === undefined || count * price > room) return []
    if (positionTemplate(target, line) === undefined) return []
    room -= count * price
    return Array.from({ length: Number(count) }, () => line)
  })
}

/** Each position of a checkout fits what is left, all of them do not. */
async function judgeSum(
  cappedKey: CappedKey,
  { left: leftFirst, unit, prices }: Charged,
): Promise<void> {
  const { context } = cappedKey
  const units = Number(leftFirst / (BigInt(POSITIONS) * unit)) + 1
  const sent = context.reference()
  const { refused: exchange, controls } = await cappedKey.decide(
    async () => (await sendUnits(context, units, { referenceId: sent, ...RETURNED })).exchange,
    async () => (await sendUnits(context, 1, RETURNED)).exchange,
  )
  const left = leftFirst - sumOf(controls.flatMap(ordersIn))
  const referenceId = referenceOf(exchange) ?? sent
  await judgeWords(context, units, exchange, controls)
  await needReferenceFilter(context, 'capped')
  const { orders, under } = await ordersOf(context, exchange, referenceId)
  const sum = sumOf(orders)
  const bought = orders.filter(({ status }) => status !== 'CANCELLED')
  if (bought.length >= POSITIONS && sum <= left)
    untested(
      `the cart fitted: ${units} units were asked for in each position, and all cost ${formatMoney(sum)}`,
    )
  context.expect('CAP-21').that('the orders of a checkout stay within what is left of the cap', {
    holds: sum <= left,
    expected: `at most ${formatMoney(left)} (${cappedKey.basis}) for ${POSITIONS} positions of ${formatMoney(cappedKey.amountOf(units))}`,
    observed: `${formatMoney(sum)} by ${plural(orders.length, 'order')}; ${showAnswer(exchange)}`,
    exchanges: [exchange, under.exchange],
  })
  if (sum > left) return
  if (sum > 0n) await judgeKept(cappedKey, { exchange, referenceId, left: left - sum })
  if (isCapRefusal(exchange) && under.count === 0) {
    const refused = { cappedKey, refused: exchange, referenceId, units, left, prices }
    judgeNames(refused)
    await judgeNothingKept(refused)
  } else
    for (const requirement of OF_REFUSED_WHOLE)
      context.leaveUndecided(requirement, 'the cap did not refuse the checkout as a whole')
  context.observe(
    'OPEN-57',
    `a checkout beyond the cap got HTTP ${exchange.response?.status ?? 'none'} and created ${under.count} of ${POSITIONS} orders`,
    [exchange, under.exchange],
  )
  await expectMixedHeld(cappedKey, left - sum)
}

/** What a checkout bought of its positions, though not all of it fitted, counts for the cap as well. */
async function judgeKept(
  cappedKey: CappedKey,
  {
    exchange,
    referenceId,
    left,
  }: { readonly exchange: Exchange; readonly referenceId: string; readonly left: Micros },
): Promise<void> {
  const { context } = cappedKey
  const beyond = await cappedKey.send(cappedKey.unitsOver(left), context.reference(), RETURNED)
  const price = isAccepted(beyond) ? priceOf(context, beyond) : 0n
  const { orders, under } = await ordersOf(context, exchange, referenceId)
  // Whether a cancelled order gives its amount back is not shown.
  if (price > left && orders.some(({ status }) => status === 'CANCELLED'))
    context.leaveUndecided('CAP-21', 'an order of the checkout was cancelled meanwhile')
  else
    context.expect('CAP-21').that('what a checkout bought that did not fit as a whole counts', {
      holds: price <= left,
      expected: `nothing beyond ${formatMoney(left)}, which its orders left, is accepted`,
      exchanges: [exchange, under.exchange, beyond],
    })
}

/** Where a checkout is refused as a whole, the cap refuses it as it refuses an order. */
async function judgeWords(
  context: CheckContext,
  units: number,
  exchange: Exchange,
  controls: readonly Exchange[],
): Promise<void> {
  context.expect('CAP-17').that('a checkout beyond the cap is not refused as a rate limit', {
    holds: exchange.response?.status !== 429,
    expected: 'not HTTP 429',
    observed: `${showAnswer(exchange)}${controls.length > 0 ? '; a checkout that fits passed right after it' : ''}`,
    exchanges: [exchange, ...controls],
  })
  // A cart may be refused for its size: then a key without a cap cannot buy it either.
  const isOtherwise = !isAccepted(exchange) && !isCapRefusal(exchange)
  const lines = linesOf(units)
  const uncapped = isOtherwise && controls.length === 0 ? [await sendCart(context, { lines })] : []
  context.expect('CAP-03').that('a checkout that the cap refuses gets its 409', {
    holds: !isOtherwise || !uncapped.some(isAccepted),
    expected: 'HTTP 409 with a mark of the cap, where a key without a cap can buy the same cart',
    observed: [exchange, ...uncapped].map(showAnswer).join('; '),
    exchanges: [exchange, ...uncapped],
  })
}

/**
 * A voucher position beyond what is left, with a position of each other kind: a service that holds checkouts of vouchers alone to the cap
 * would let it pass. Which positions are bought, if any, is not shown; their sum fits.
 */
async function expectMixedHeld(cappedKey: CappedKey, left: Micros): Promise<void> {
  const { context } = cappedKey
  for (const { what, order } of offeredOf(context.target, KINDS)) {
    const { product, kind, amount } = await order(context, 'capped')
    const line = { product, ...(kind && { kind }), ...(amount !== undefined && { amount }) }
    if (isSoldAlike(context, line) && !(await isHeld(cappedKey, { what, line, left }))) return
  }
}

/** How amounts of another currency count is not shown. */
function isSoldAlike({ target }: CheckContext, line: CartLine): boolean {
  const { products } = target
  const isSameCurrency = products[line.product]?.currency === products.voucher?.currency
  const isTaken = line.kind === undefined || positionTemplate(target, line) !== undefined
  return isSameCurrency && isTaken
}

type Mixed = { readonly what: string; readonly line: CartLine; readonly left: Micros }

/** Whether what is left then is still known. */
async function isHeld(cappedKey: CappedKey, { what, line, left }: Mixed): Promise<boolean> {
  const { context } = cappedKey
  const voucher: CartLine = { product: 'voucher', quantity: cappedKey.unitsOver(left) }
  const referenceId = context.reference()
  const cart = { lines: [voucher, line], referenceId, role: 'capped' } as const
  const exchange = await sendCart(context, cart, { throttled: 'return' })
  if (isThrottled(exchange)) return true
  // Whether a refusal leaves orders was seen before: each read takes room that other checks need.
  const { orders, under } = isCapRefusal(exchange)
    ? { orders: [], under: undefined }
    : await ordersOf(context, exchange, referenceOf(exchange) ?? referenceId)
  const sum = sumOf(orders)
  context.expect('CAP-21').that(`a checkout with ${what} stays within what is left of the cap`, {
    holds: sum <= left,
    expected: `at most ${formatMoney(left)}, beside a position of ${voucher.quantity} vouchers`,
    observed: `${formatMoney(sum)} by ${plural(orders.length, 'order')}; ${showAnswer(exchange)}`,
    exchanges: [exchange, ...(under ? [under.exchange] : [])],
  })
  return sum === 0n
}
