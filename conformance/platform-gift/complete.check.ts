import type { CheckContext, CheckDefinition, RequirementId } from '../engine/kit.ts'
import { check, inapplicable, isAccepted, isObject, showAnswer, untested } from '../engine/kit.ts'
import { formatMoney } from '../../harness/money.ts'
import { isPriceOfOne, priceOf } from '../steps/buyer.ts'
import { hasListOfGifts, valuesOf, without, withTwoGifts } from '../steps/platform-gift-body.ts'
import {
  buyFoundGift,
  buyGift,
  BUYS_GIFTS,
  expectRefused,
  giftBody,
  needToken,
  sendFreshGift,
  sendGift,
} from '../steps/platform-gift.ts'
import { expectNoOrder, isRefusedOtherwise } from '../steps/order-refusal.ts'

/** What a gift order must have, by the requirement that says so. */
const DEMANDED = [
  { name: 'quote-token', requirement: 'GIFT-12', fields: ['quoteToken'] },
  { name: 'recipient-region', requirement: 'GIFT-14', fields: ['recipient_region'] },
  { name: 'addresses', requirement: 'GIFT-15', fields: ['invite_url', 'profile_url'] },
] as const

/** A complete order is accepted; the same one without the fields is refused and creates nothing. */
function demanded({ name, requirement, fields }: (typeof DEMANDED)[number]): CheckDefinition {
  return check({
    id: `platform-gift.needs-${name}`,
    title: `a gift order without ${fields.join(' and ')} is refused and creates no order`,
    requirements: [requirement],
    needs: { ...BUYS_GIFTS, purchases: 2 },
    run: async (context) => {
      const { order } = await buyFoundGift(context)
      if (fields.every((field) => valuesOf(giftBody(context, order), field).length === 0))
        untested(`the body template of gift orders has no ${fields.join(' or ')}`)
      await expectRefusedWhen(context, requirement, `without ${fields.join(' and ')}`, (body) =>
        without(body, fields),
      )
    },
  })
}

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

export const needsQuoteToken = demanded(DEMANDED[0])
export const needsRecipientRegion = demanded(DEMANDED[1])
export const needsAddresses = demanded(DEMANDED[2])

export const needsReference = check({
  id: 'platform-gift.needs-reference',
  title: 'a gift order without a referenceId is refused',
  requirements: ['GIFT-13'],
  needs: { ...BUYS_GIFTS, purchases: 2 },
  run: async (context) => {
    await buyGift(context)
    const refused = await sendGift(context, {
      token: await needToken(context),
      referenceId: context.reference(),
      change: (body) => without(body, ['referenceId']),
    })
    expectRefused(context, 'GIFT-13', 'a gift order without referenceId', refused)
  },
})

export const oneGift = check({
  id: 'platform-gift.one-gift',
  title: 'a gift order with two gifts is refused and creates no order',
  requirements: ['GIFT-16'],
  needs: { ...BUYS_GIFTS, purchases: 3 },
  run: async (context) => {
    const body = giftBody(context, { token: '', referenceId: '' })
    if (!hasListOfGifts(body))
      inapplicable('the body of gift orders in the target file has room for one gift: no list')
    if (withTwoGifts(body) === undefined)
      untested('the body of gift orders in the target file has a list of several gifts: give one')
    await buyFoundGift(context)
    await expectRefusedWhen(context, 'GIFT-16', 'with its gift twice', withTwoGifts)
  },
})

export const quantityBuysOne = check({
  id: 'platform-gift.quantity',
  title: 'a gift order with quantity 2 is refused, or charged for one gift',
  requirements: ['GIFT-16'],
  needs: { ...BUYS_GIFTS, purchases: 3 },
  run: async (context) => {
    const one = await buyGift(context)
    const { exchange: two } = await sendFreshGift(context, {
      change: (body) => (isObject(body) ? { ...body, quantity: 2 } : body),
    })
    const single = priceOf(context, one.exchange)
    if (single <= 0n) inapplicable('a gift costs nothing, so that two cost no more')
    const isTaken = isAccepted(two)
    context.expect('GIFT-16').that('a gift order with quantity 2', {
      holds: !isTaken || isPriceOfOne(priceOf(context, two), single),
      expected: `a refusal, or less than twice the ${formatMoney(single)} of one gift`,
      observed: isTaken ? formatMoney(priceOf(context, two)) : showAnswer(two),
      exchanges: [one.exchange, two],
    })
  },
})
