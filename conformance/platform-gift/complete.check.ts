import type { CheckContext, Exchange, RequirementId } from '../engine/kit.ts'
import { check, isAccepted, isObject, showAnswer } from '../engine/kit.ts'
import { formatMoney } from '../../harness/money.ts'
import { isPriceOfOne, priceOf } from '../steps/buyer.ts'
import {
  ADDRESSES,
  hasListOfGifts,
  valuesOf,
  without,
  withTwoGifts,
} from '../steps/platform-gift-body.ts'
import {
  buyGift,
  BUYS_GIFTS,
  giftBody,
  needFound,
  needToken,
  sendFreshGift,
  sendGift,
  type BoughtGift,
} from '../steps/platform-gift.ts'
import { expectNoOrder, isRefusedOtherwise } from '../steps/order-refusal.ts'

/** What a gift order must have besides its referenceId, by the requirement that says so. */
const DEMANDED = [
  ['GIFT-12', ['quoteToken']],
  ['GIFT-14', ['recipient_region']],
  ['GIFT-15', ADDRESSES],
] as const

export const needs = check({
  id: 'platform-gift.needs',
  formerIds: ['reference', 'quote-token', 'recipient-region', 'addresses'].map(
    (name) => `platform-gift.needs-${name}`,
  ),
  title:
    'a gift order without its reference, quoteToken, region or addresses is refused and creates no order',
  requirements: ['GIFT-13', ...DEMANDED.map(([requirement]) => requirement)],
  needs: { ...BUYS_GIFTS, purchases: 5 },
  run: async (context) => {
    // A complete order is accepted.
    const bought = await buyGift(context)
    const refused = await sendGift(context, {
      token: await needToken(context),
      referenceId: context.reference(),
      change: (body) => without(body, ['referenceId']),
    })
    context.expect('GIFT-13').that('a gift order without referenceId', {
      holds: isRefusedOtherwise(refused),
      expected: 'a client error (such as HTTP 422)',
      exchanges: [refused],
    })
    await needFound(context, bought)
    const body = giftBody(context, bought.order)
    for (const [requirement, fields] of DEMANDED) {
      const [all, any] = [fields.join(' and '), fields.join(' or ')]
      if (fields.every((field) => valuesOf(body, field).length === 0))
        context.leaveUndecided(requirement, `the body template of gift orders has no ${any}`)
      else
        await expectRefusedWhen(context, requirement, `without ${all}`, (sent) =>
          without(sent, fields),
        )
    }
  },
})

async function expectRefusedWhen(
  context: CheckContext,
  requirement: RequirementId,
  what: string,
  change: (body: unknown) => unknown,
): Promise<void> {
  const referenceId = context.reference()
  const token = await needToken(context)
  const refused = await sendGift(context, { token, referenceId, change })
  await expectNoOrder(context, requirement, {
    statement: `a gift order ${what}`,
    refused,
    referenceId,
    isRefused: isRefusedOtherwise,
  })
}

export const oneGift = check({
  id: 'platform-gift.one-gift',
  formerIds: ['platform-gift.quantity'],
  title:
    'a gift order with quantity 2 is refused or charged for one, and one with two gifts is refused',
  requirements: ['GIFT-16'],
  needs: { ...BUYS_GIFTS, purchases: 4 },
  run: async (context) => {
    const bought = await buyGift(context)
    await judgeTwoGifts(context, bought)
    await judgeQuantity(context, bought.exchange)
  },
})

async function judgeTwoGifts(context: CheckContext, bought: BoughtGift): Promise<void> {
  const body = giftBody(context, bought.order)
  const sent = 'the body of gift orders in the target file has'
  if (!hasListOfGifts(body))
    return context.leaveUndecided('GIFT-16', `${sent} room for one gift: no list`, 'inapplicable')
  if (withTwoGifts(body) === undefined)
    return context.leaveUndecided('GIFT-16', `${sent} a list of several gifts: give one`)
  await needFound(context, bought)
  await expectRefusedWhen(context, 'GIFT-16', 'with its gift twice', withTwoGifts)
}

async function judgeQuantity(context: CheckContext, one: Exchange): Promise<void> {
  const { exchange: two } = await sendFreshGift(context, {
    change: (body) => (isObject(body) ? { ...body, quantity: 2 } : body),
  })
  const single = priceOf(context, one)
  if (single <= 0n) {
    const reason = 'a gift costs nothing, so that two cost no more'
    return context.leaveUndecided('GIFT-16', reason, 'inapplicable')
  }
  const isTaken = isAccepted(two)
  context.expect('GIFT-16').that('a gift order with quantity 2', {
    holds: !isTaken || isPriceOfOne(priceOf(context, two), single),
    expected: `a refusal, or less than twice the ${formatMoney(single)} of one gift`,
    observed: isTaken ? formatMoney(priceOf(context, two)) : showAnswer(two),
    exchanges: [one, two],
  })
}
