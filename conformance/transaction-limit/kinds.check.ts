import type { ProductAbility } from '../../contract/capabilities.ts'
import { retryAfterSeconds } from '../../harness/client/headers.ts'
import { formatMoney, inHundredths, type Micros } from '../../harness/money.ts'
import { BUYER_SCOPES } from '../../contract/capabilities.ts'
import type { Api, CheckContext, CheckDefinition, Exchange, Needs } from '../engine/kit.ts'
import {
  check,
  isAccepted,
  isCapRefusal,
  isThrottled,
  makerOf,
  messageOf,
  needSuccess,
  onlyWithControlSide,
} from '../engine/kit.ts'
import { namesAmount } from '../../harness/judge/spend-message.ts'
import { judgeNothingBought } from '../steps/races/nothing-bought.ts'
import { needPrices, needSamePrices, type Prices } from '../steps/races/prices.ts'
import { deliveredOf } from '../steps/cap/delivered.ts'
import { expectNamed } from '../steps/cap/other-purchasables.ts'
import { balanceOfMade, type Reading } from '../steps/funds.ts'
import { BUYS_VOUCHERS } from '../steps/orders.ts'
import { OTHER_KINDS, orderKind, type Kind, type Send } from '../steps/kinds.ts'

/** The least that two prices can differ by. */
const CENT: Micros = 10_000n

/** A context whose only key has this cap, which is one of whole cents. */
async function capped(context: CheckContext, cap: Micros): Promise<CheckContext> {
  const scopes = [...BUYER_SCOPES, 'funds:read'] as const
  const key = { scopes, transactionLimit: formatMoney(cap) }
  const [api] = await makerOf(context)({ keys: [key] })
  return { ...context, api: api as Api }
}

function voucherOn(context: CheckContext, quantity = 1): Promise<Exchange> {
  const order = { product: 'voucher', quantity, referenceId: context.reference() } as const
  return context.api.as('full').createOrder(order)
}

/** A cap of just its price takes it, gives it back when it is sent again, and takes nothing more. */
async function judgeExact(context: CheckContext, kind: Kind, prices: Prices): Promise<void> {
  const { whole } = prices
  const cap = inHundredths(whole)
  const own = await capped(context, cap)
  const send: Send = await kind.begin(own, 'full')
  const first = await send()
  if (isCapRefusal(first)) await needSamePrices(context, kind, prices)
  if (cap === whole || isCapRefusal(first)) {
    const fits = context.expect('CAP-02').that(`${kind.what} that costs all of the cap`, {
      holds: !isCapRefusal(first),
      expected: `success: the cap of ${formatMoney(cap)} covers its price, ${formatMoney(whole)}`,
      exchanges: [first],
    })
    if (!fits) return
  } else {
    const reason = `${kind.what} costs ${formatMoney(whole)}, which no cap of whole cents is`
    context.leaveUndecided('CAP-02', reason, 'inapplicable')
  }
  needSuccess(first)
  const again = await send()
  context.expect('IDEM-03').that(`${kind.what} that is sent again when the cap is spent`, {
    holds: kind.idOf(again) === kind.idOf(first),
    expected: 'what was bought: a replay needs nothing of the cap',
    exchanges: [first, again],
  })
  const needSame = (): Promise<void> => needSamePrices(context, kind, prices)
  await judgeBeyond(own, kind, { first, leaving: 'nothing of the cap', needSame })
}

/** A cap that lacks two cents for a voucher more: each of the two prices may be rounded by a part of one. */
async function judgeCharged(context: CheckContext, kind: Kind, prices: Prices): Promise<void> {
  const { whole, unit } = prices
  if (unit <= 3n * CENT) return
  const own = await capped(context, inHundredths(whole + unit - 2n * CENT))
  const first = await (await kind.begin(own, 'full'))()
  if (isCapRefusal(first)) await needSamePrices(context, kind, prices)
  const leaving = 'two cents less than a voucher costs'
  const needSame = (): Promise<void> => needSamePrices(context, kind, prices)
  await judgeBeyond(own, kind, { first: needSuccess(first), leaving, needSame })
}

/** What was bought leaves less of the cap than a voucher costs. */
async function judgeBeyond(
  own: CheckContext,
  kind: Kind,
  {
    first,
    leaving,
    needSame,
  }: {
    readonly first: Exchange
    readonly leaving: string
    readonly needSame: () => Promise<void>
  },
): Promise<void> {
  const delivered = await deliveredOf(own, kind, first)
  if (!delivered) {
    own.leaveUndecided('CAP-12', `${kind.what} was not delivered`, 'inapplicable')
    return
  }
  const beyond = await voucherOn(own)
  if (isAccepted(beyond)) await needSame()
  own.expect('CAP-12').that(`a voucher after ${kind.what} that left ${leaving}`, {
    holds: !isAccepted(beyond),
    expected: 'a refusal by the cap',
    exchanges: [first, delivered, beyond],
  })
}

/** A cap with room for a voucher more: replays leave that room and the balance, at once and after the end. */
async function judgeReplays(context: CheckContext, kind: Kind, prices: Prices): Promise<void> {
  const own = await capped(context, inHundredths(prices.whole + prices.unit))
  await judgeNothingBought(own, kind, {
    requirement: 'IDEM-09',
    when: `after replays of ${kind.what}`,
    act: async ({ bought, send }) => {
      const sent = [await send(), await send()]
      await deliveredOf(own, kind, bought)
      return [...sent, await send()]
    },
    needSamePrices: () => needSamePrices(context, kind, prices),
  })
}

const TRIES_MAX = 3

/** Sent again after a 429, which may be one of a window or of the shop service: the cap in such words comes every time. */
async function answerTo(context: CheckContext, send: Send): Promise<Exchange> {
  for (let tried = 1; ; tried++) {
    const exchange = await send({ throttled: 'return' })
    if (!isThrottled(exchange) || tried === TRIES_MAX) return exchange
    await context.wait('a limit that is in the way', (retryAfterSeconds(exchange) ?? 1) * 1000)
  }
}

async function expectBalance(
  own: CheckContext,
  { what }: Kind,
  before: Reading,
  refused: Exchange,
): Promise<void> {
  const after = await balanceOfMade(own)
  if (!after) return
  own.expect('CAP-11').that(`the balance after the cap refused ${what}`, {
    holds: after.balance === before.balance,
    expected: `${formatMoney(before.balance)}, as before`,
    observed: formatMoney(after.balance),
    exchanges: [before.exchange, refused, after.exchange],
  })
}

/** The reference is free, or keeps that refusal: what is sent again does not fit either. */
async function judgeReference(
  own: CheckContext,
  { what }: Kind,
  refused: Exchange,
  send: Send,
): Promise<void> {
  const again = isCapRefusal(refused) ? await answerTo(own, send) : undefined
  // That it is refused for good is the matter of CAP-09.
  if (!again || isThrottled(again) || isAccepted(again))
    own.leaveUndecided('CAP-10', `${what} was not refused by the cap twice`, 'inapplicable')
  else
    own.expect('CAP-10').that(`${what} that the cap refused, sent again`, {
      holds: isCapRefusal(again),
      expected: 'the refusal of the cap: no other reason came with the first one',
      exchanges: [refused, again],
    })
}

/** A cap that lacks a cent, or a part of one, refuses it, and vouchers can still spend all of it. */
async function judgeRefused(context: CheckContext, kind: Kind, prices: Prices): Promise<void> {
  const { whole, unit } = prices
  const cap = inHundredths(whole - CENT)
  const own = await capped(context, cap)
  const send = await kind.begin(own, 'full')
  const before = await balanceOfMade(own)
  const refused = await answerTo(own, send)
  const isTold = namesAmount(messageOf(refused), whole)
  if (isAccepted(refused) || !isTold) await needSamePrices(context, kind, prices)
  if (before && isCapRefusal(refused)) await expectBalance(own, kind, before, refused)
  // A checkout may buy the positions that fit.
  const isPart = isAccepted(refused) && kind.priceOf(own, refused) < whole
  if (isPart && kind.name === OTHER_KINDS.checkout.name) {
    for (const each of ['CAP-03', 'CAP-06', 'CAP-10', 'CAP-11'] as const)
      context.leaveUndecided(each, 'a checkout beyond the cap is bought in part', 'inapplicable')
    return
  }
  context.expect('CAP-03').that(`${kind.what} that costs up to a cent more than the cap`, {
    holds: isCapRefusal(refused),
    expected: `a refusal by the cap of ${formatMoney(cap)}`,
    exchanges: [refused],
  })
  await judgeReference(own, kind, refused, send)
  // A checkout may name the amount of one position.
  if (isCapRefusal(refused) && kind.name !== OTHER_KINDS.checkout.name)
    expectNamed(context, 'CAP-06', [whole, 'attempted amount'], refused)
  else context.leaveUndecided('CAP-06', 'no refusal of one price by the cap', 'inapplicable')
  // Many may cost a cent more each, where the price of one was rounded down.
  const units = Number(cap / (unit + CENT))
  if (units < 1 || !isCapRefusal(refused)) {
    context.leaveUndecided('CAP-11', 'no voucher fits a cap that refuses it', 'inapplicable')
    return
  }
  const rest = await voucherOn(own, units)
  if (isCapRefusal(rest)) await needSamePrices(context, kind, prices)
  context.expect('CAP-11').that(`vouchers for all of the cap that refused ${kind.what}`, {
    holds: !isCapRefusal(rest),
    expected: `success: ${units} of ${formatMoney(unit)} fit, and a refusal uses up nothing`,
    exchanges: [refused, rest],
  })
}

function withFirst<T extends string>(first: T, others: readonly T[] = []): readonly T[] {
  return [...new Set([first, ...others])]
}

const JUDGES = [judgeExact, judgeCharged, judgeReplays, judgeRefused]

/** Whatever is sold is held to the cap to the cent. */
function needsOf({ needs, orders, product }: Kind): Needs {
  return {
    ...needs,
    capabilities: ['shop', ...withFirst('transaction-limit', needs.capabilities)],
    products: withFirst('voucher', needs.products),
    orderKinds: withFirst('shop', needs.orderKinds),
    roles: ['full'],
    purchases: 5 * orders + 6,
    waits: [{ orders: 3, product }],
    ofKeysOfFile: onlyWithControlSide('keys with caps of their own'),
  }
}

function heldExactly(kind: Kind): CheckDefinition {
  return check({
    id: `transaction-limit.exact-${kind.name}`,
    title: `${kind.what} is held to the cap to the cent, and its replay needs nothing of it`,
    requirements: [
      'CAP-02',
      'CAP-03',
      'CAP-06',
      'CAP-10',
      'CAP-11',
      'CAP-12',
      'IDEM-03',
      'IDEM-09',
    ],
    needs: needsOf(kind),
    run: async (context) => {
      const prices = await needPrices(context, kind)
      for (const judge of JUDGES) await judge(context, kind, prices)
    },
  })
}

export const topUps = heldExactly(OTHER_KINDS.topUp)
export const unitsOfTopUps = heldExactly(OTHER_KINDS.units)
export const later = heldExactly(OTHER_KINDS.later)
export const longOrders = heldExactly(OTHER_KINDS.long)
export const esims = heldExactly(OTHER_KINDS.esim)
export const gifts = heldExactly(OTHER_KINDS.gift)
export const checkouts = heldExactly(OTHER_KINDS.checkout)

/** Orders that do not end in SUCCESS. What of them the cap keeps is not shown. */
function replayedFree(name: string, what: string, product: ProductAbility): CheckDefinition {
  const needs = { ...BUYS_VOUCHERS, products: [product] }
  const order = { product } as const
  const kind = orderKind({ name, what, product, needs, order: () => Promise.resolve(order) })
  return check({
    id: `transaction-limit.replays-of-${name}`,
    title: `replays of ${what} take nothing, before it ends and after`,
    requirements: ['IDEM-09'],
    needs: needsOf(kind),
    run: async (context) => judgeReplays(context, kind, await needPrices(context, kind)),
  })
}

export const partial = replayedFree(
  'partial',
  'an order that is delivered in part',
  'voucher-partial',
)
export const cancelled = replayedFree(
  'cancelled',
  'an order that is cancelled',
  'voucher-cancelled',
)
