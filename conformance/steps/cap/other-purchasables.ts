import type { ProductAbility } from '../../../contract/capabilities.ts'
import { amountsIn, isStatedAs, namesAmount } from '../../../harness/judge/spend-message.ts'
import { formatMoney, parseMoney, type Micros } from '../../../harness/money.ts'
import type { CallOptions, CheckContext, Exchange, RequirementId } from '../../engine/kit.ts'
import {
  asText,
  inapplicable,
  isAccepted,
  isCapRefusal,
  isThrottled,
  messageOf,
  needSuccess,
  showAnswer,
  untested,
} from '../../engine/kit.ts'
import { dataOf, isSameCurrency } from '../orders.ts'
import { needCapRefusal, priceOf } from '../buyer.ts'
import { openCappedKey, type CappedKey } from './capped-key.ts'
import { expectStatedLeft } from './stated-left.ts'

export type Purchasable = {
  readonly requirement: RequirementId
  readonly product: ProductAbility
  /** How many times its unitPrice one purchase costs. Default: once. */
  readonly amount?: number
  /** For sentences, for example `an eSIM`. */
  readonly name: string
  /** Buys one with that key. */
  readonly send: (
    cappedKey: CappedKey,
    referenceId: string,
    options?: CallOptions,
  ) => Promise<Exchange>
  /** One of a price beyond what is left of the cap, where the purchaser chooses the amount. */
  readonly sendBeyond?: (cappedKey: CappedKey) => Promise<Exchange>
  /** Waits until what was bought is delivered, where that comes later. */
  readonly needDelivered?: (bought: Exchange) => Promise<void>
}

/** Another product is held to the cap. Of a key that lasts only what is left is read, so that its cap is not used up. */
export async function expectHeldToCap(
  context: CheckContext,
  purchasable: Purchasable,
): Promise<void> {
  using cappedKey = await openCappedKey(context)
  if (cappedKey.fresh) {
    await expectRefused(context, cappedKey, purchasable)
    return
  }
  const isCharged = await expectCharged(context, cappedKey, purchasable)
  const { name, sendBeyond } = purchasable
  if (isCharged && sendBeyond)
    expectRefusalFree(cappedKey, name, await afterRefusal(cappedKey, () => sendBeyond(cappedKey)))
  leaveRefusalsUndecided(context, 'the key lasts, and is not spent until it refuses')
}

function leaveRefusalsUndecided({ leaveUndecided }: CheckContext, reason: string): void {
  for (const requirement of OF_REFUSALS) leaveUndecided(requirement, reason)
}

/** What the refusal of another product shows. */
export const OF_REFUSALS = ['CAP-06', 'CAP-07', 'CAP-08', 'CAP-09', 'CAP-11'] as const

/**
 * Buys another product once, lets vouchers take what is left down to less than its price, and buys it again: the cap must refuse it,
 * though a voucher still fits.
 */
async function expectRefused(
  context: CheckContext,
  cappedKey: CappedKey,
  { requirement, product, name, send, sendBeyond, needDelivered }: Purchasable,
): Promise<void> {
  // At some rates of exchange the cap has no room for the first one.
  const stated = context.target.products[product]?.currency
  if (stated !== undefined) needSameCurrency(context, stated)
  const first = needSuccess(await send(cappedKey, context.reference()))
  needCurrencyOfCap(context, first)
  await needDelivered?.(first)
  const price = priceOf(context, first)
  const vouchers = await buyDownTo(cappedKey, price)
  if (!vouchers) {
    // Less than its price cannot be left while a voucher fits: what a refusal says is left shows the charge all the same.
    const bought = { name, bought: [first], charge: price }
    const isCharged = await expectStatedLeft(cappedKey, requirement, bought)
    if (isCharged && sendBeyond && cappedKey.unitsLeft >= 1)
      await expectFitsAfter(cappedKey, name, () => sendBeyond(cappedKey))
    leaveRefusalsUndecided(
      context,
      `${name} costs ${formatMoney(price)}, a voucher ${formatMoney(cappedKey.unit)}, and ${formatMoney(cappedKey.left)} is left: the cap cannot be brought between the two`,
    )
    return
  }
  const isSeenToBind = await needBinding(cappedKey, price)
  const { left } = cappedKey
  const referenceId = context.reference()
  const attempt = (reference: string) => (): Promise<Exchange> =>
    send(cappedKey, reference, { throttled: 'return' })
  const { refused: second, controls } = await cappedKey.decide(attempt(referenceId))
  if (!isSeenToBind) needCapRefusal(second)
  const isOpen = isAccepted(second) || controls.length > 0
  const control = isOpen ? controls[0] : await cappedKey.buy(1)
  if (control && isCapRefusal(second)) expectOpen(cappedKey, name, { refused: second, control })
  else context.leaveUndecided('CAP-11', `${name} beyond the cap was not refused by it`)
  // A 429 while a voucher passes is the cap in the words of a rate limit.
  if (control && controls.length === 0) needCapRefusal(second)
  context.expect(requirement).that(`${name} beyond the rest of the cap is refused by it`, {
    holds: isCapRefusal(second),
    expected: `the same purchase of ${formatMoney(price)} is refused by the cap once less is left`,
    observed: `${showAnswer(second)}${control ? `; a voucher of ${formatMoney(cappedKey.unit)}: accepted` : ''}`,
    exchanges: [first, ...vouchers, second, ...(control ? [control] : [])],
  })
  if (!isCapRefusal(second)) {
    for (const each of ['CAP-06', 'CAP-07', 'CAP-08', 'CAP-09'] as const)
      context.leaveUndecided(each, `${name} beyond the cap was not refused by it`)
    return
  }
  expectAttempted(context, price, second, [cappedKey.limit, left])
  expectNamed(context, 'CAP-08', [cappedKey.limit, 'limit'], second)
  // What a control bought in between is not in the message for sure.
  if (controls.length === 0)
    expectNamed(context, 'CAP-07', [left, 'remaining headroom', cappedKey.basis], second)
  else context.leaveUndecided('CAP-07', 'purchases in between moved the headroom')
  const again = [await attempt(referenceId)(), await attempt(context.reference())()]
  expectRefusedAlike(context, name, second, again)
}

/** A larger purchase than the one bought is refused, and a voucher that fits passes all the same. */
async function expectFitsAfter(
  cappedKey: CappedKey,
  name: string,
  sendBeyond: () => Promise<Exchange>,
): Promise<void> {
  const { refused, controls } = await cappedKey.decide(sendBeyond)
  if (isCapRefusal(refused) && controls.length === 0)
    expectOpen(cappedKey, name, { refused, control: await cappedKey.buy(1) })
}

/** What the cap refuses is this purchase, not the key: a voucher that fits passes. */
function expectOpen(
  { context, unit }: CappedKey,
  name: string,
  { refused, control }: Readonly<Record<'refused' | 'control', Exchange>>,
): void {
  if (!isCapRefusal(control)) needSuccess(control)
  context.expect('CAP-11').that(`after ${name} that the cap refused a voucher that fits passes`, {
    holds: isAccepted(control),
    expected: `a voucher of ${formatMoney(unit)} still fits the cap`,
    exchanges: [refused, control],
  })
}

/**
 * Lets vouchers take what is left down to less than a price, in several orders where many cost less than as many single ones. Undefined
 * where no voucher fits then.
 */
async function buyDownTo(
  cappedKey: CappedKey,
  price: Micros,
): Promise<readonly Exchange[] | undefined> {
  const bought: Exchange[] = []
  while (cappedKey.left >= price) {
    const spare = Number((cappedKey.left - price) / cappedKey.unit) + 1
    if (cappedKey.unitsLeft - spare < 1) return undefined
    bought.push(await cappedKey.needBought(spare))
  }
  return cappedKey.unitsLeft < 1 ? undefined : bought
}

/** The cap binds, whether it knows of the other product or not. False where no order is large enough to show it. */
async function needBinding(cappedKey: CappedKey, price: Micros): Promise<boolean> {
  const { context, left } = cappedKey
  const beyond = cappedKey.unitsOver(left + price) + 1
  const answer = await cappedKey.send(beyond, context.reference(), { throttled: 'return' })
  if (context.pieces.isTooLarge(beyond, answer)) return false
  needCapRefusal(answer)
  return true
}

/** The cap refuses for good: what is sent again is no order, under its reference or a fresh one. A 429 in between says nothing. */
export function expectRefusedAlike(
  { expect, leaveUndecided }: CheckContext,
  name: string,
  refused: Exchange,
  again: readonly Exchange[],
): void {
  if (again.every(isThrottled)) {
    leaveUndecided('CAP-09', 'a 429 was in the way of what was sent again')
    return
  }
  expect('CAP-09').that(`${name} that the cap refused is refused when it is sent again`, {
    holds: !again.some(isAccepted),
    expected: 'no success, under its referenceId or a fresh one',
    observed: again.map(showAnswer).join('; '),
    exchanges: [refused, ...again],
  })
}

/** So large a part of a price it may move by between two quotes. */
const MOVED_PARTS = 20n

/** Nothing else can be bought with this key: an amount near the price may be that of another quote. */
function expectAttempted(
  context: CheckContext,
  price: Micros,
  refused: Exchange,
  known: readonly Micros[],
): void {
  const message = messageOf(refused)
  const isNear = (stated: Micros): boolean => {
    const apart = stated < price ? price - stated : stated - price
    return apart * MOVED_PARTS <= price && !known.some((amount) => isStatedAs(stated, amount))
  }
  if (!namesAmount(message, price) && amountsIn(message).some(isNear))
    context.leaveUndecided(
      'CAP-06',
      `the price may not be ${formatMoney(price)} any more: ${message}`,
    )
  else expectNamed(context, 'CAP-06', [price, 'attempted amount'], refused)
}

/** The three amounts differ by how much is attempted, so that one number cannot stand for another. */
export function expectNamed(
  context: CheckContext,
  requirement: RequirementId,
  [amount, what, basis]: readonly [Micros, string, string?],
  refused: Exchange,
): void {
  const known = basis === undefined ? '' : ` (by ${basis})`
  context.expect(requirement).that(`the message names the ${what}`, {
    holds: namesAmount(messageOf(refused), amount),
    expected: `${what} ${formatMoney(amount)}${known} in statusMessage, in any format and place`,
    observed: JSON.stringify(messageOf(refused)),
    exchanges: [refused],
  })
}

/** As many as make whole units, or what is left could not be told from then on. */
export const CHARGED_MAX = 4
/** Of what is bought once and not replayed: cheap products make whole units only in such numbers. */
const CHARGED_ONCE_MAX = 10

/** How many purchases of a price, as the target file states it, are to be made on a key that lasts: what they cost together is whole units. */
export function needWholeCount(
  { context, unit }: CappedKey,
  product: ProductAbility,
  { amount = 1, countMax = CHARGED_MAX }: { amount?: number; countMax?: number } = {},
): { count: number; price: Micros } {
  const unitPrice = parseMoney(context.target.products[product]?.unitPrice)
  if (unitPrice === undefined) untested(`the target file gives no unitPrice for ${product}`)
  const price = BigInt(amount) * unitPrice
  const counts = Array.from({ length: countMax }, (_, index) => index + 1)
  const count = counts.find((each) => (BigInt(each) * price) % unit === 0n)
  if (count === undefined)
    untested(
      `up to ${countMax} times ${formatMoney(price)} is no multiple of a voucher's ${formatMoney(unit)}, and the key is shared by checks that count in it`,
    )
  return { count, price }
}

/** Buys a few, so that a refusal can tell whether they were charged. */
async function expectCharged(
  context: CheckContext,
  cappedKey: CappedKey,
  { requirement, product, amount, name, send, needDelivered }: Purchasable,
): Promise<boolean> {
  const countMax = CHARGED_ONCE_MAX
  const { count, price } = needWholeCount(cappedKey, product, {
    countMax,
    ...(amount !== undefined && { amount }),
  })
  cappedKey.needUnits(Number((BigInt(count) * price) / cappedKey.unit) + 1)
  const buyAll = async (): Promise<readonly Exchange[]> => {
    const bought: Exchange[] = []
    while (bought.length < count) {
      const exchange = needSuccess(await send(cappedKey, context.reference()))
      needCurrencyOfCap(context, exchange)
      bought.push(exchange)
    }
    for (const each of bought) await needDelivered?.(each)
    return bought
  }
  const charged = { name, bought: await buyAll(), charge: BigInt(count) * price }
  return expectStatedLeft(cappedKey, requirement, { ...charged, buyAgain: buyAll })
}

/** A purchase beyond what is left, and what the next refusal says is left. Undefined where neither tells. */
type AfterRefusal = { readonly stated: Micros | undefined; readonly exchanges: readonly Exchange[] }

export async function afterRefusal(
  cappedKey: CappedKey,
  send: () => Promise<Exchange>,
): Promise<AfterRefusal> {
  const { refused } = await cappedKey.decide(send)
  if (!isCapRefusal(refused)) return { stated: undefined, exchanges: [refused] }
  const { stated, refused: next } = await cappedKey.statedLeft()
  return { stated, exchanges: [refused, next] }
}

/** Of a key that lasts: after a refusal as much is left as before. */
export function expectRefusalFree(
  { context, left }: CappedKey,
  name: string,
  { stated, exchanges }: AfterRefusal,
): void {
  if (stated === undefined)
    context.leaveUndecided(
      'CAP-11',
      `what is left after ${name} beyond the cap cannot be read: ${exchanges.map(showAnswer).join('; ')}`,
    )
  else
    context.expect('CAP-11').that(`${name} that the cap refused takes nothing of it`, {
      holds: stated === left,
      expected: `the next refusal says that ${formatMoney(left)} is left`,
      observed: formatMoney(stated),
      exchanges,
    })
}

/** How amounts of another currency count is not shown. */
export function needCurrencyOfCap(context: CheckContext, exchange: Exchange): void {
  needSameCurrency(context, dataOf(exchange)['currency'])
}

function needSameCurrency(context: CheckContext, currency: unknown): void {
  const ofCap = context.keys.key('capped').transactionLimit?.currency
  if (isSameCurrency(currency, ofCap)) return
  const reason = `the purchase is in ${asText(currency)}, the cap of the key in ${asText(ofCap)}`
  const products = Object.values(context.target.products)
  const isSoldSo = products.some((product) => product.currency === currency)
  // A control side makes caps in the currency of vouchers alone. A target file could name a key with another cap.
  if (isSoldSo && context.isFresh) inapplicable(`${reason}: how the two compare is not shown`)
  untested(reason)
}
