import { type CheckContext, check, show, untested } from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import { alterationsOf, valuesOf } from '../steps/platform-gift-body.ts'
import {
  buyFoundGift,
  buyGift,
  BUYS_GIFTS,
  giftBody,
  needToken,
  otherPlace,
  sendGift,
} from '../steps/platform-gift.ts'
import { expectNoOrder, isRefusedOtherwise } from '../steps/order-refusal.ts'

/** Altered tokens, each of which a service that looks at no signature may sell for. */
const TOKENS_MAX = 3

export const tokenIsSigned = check({
  id: 'platform-gift.token-signed',
  title: 'a gift order with an altered quoteToken is refused and creates no order',
  requirements: ['GIFT-05'],
  needs: { ...BUYS_GIFTS, rolesIfKnown: ['stranger'], purchases: 2 + TOKENS_MAX },
  run: async (context) => {
    await buyFoundGift(context)
    const token = await needToken(context)
    if (typeof token !== 'string') untested('the quoteToken is no text, so nothing can be altered')
    for (const [index, altered] of alterationsOf(token).entries()) {
      const referenceId = context.reference()
      const refused = await sendGift(context, { token: altered, referenceId })
      const where = index === 0 ? 'towards its end' : 'further ahead'
      await expectNoOrder(context, 'GIFT-05', `a token with another character ${where}`, {
        refused,
        referenceId,
        isRefused: isRefusedOtherwise,
      })
    }
    await aside(() => observeForeignToken(context))
  },
})

async function observeForeignToken(context: CheckContext): Promise<void> {
  if (!context.keys.has('stranger')) return
  const token = await needToken(context, {}, 'stranger')
  const exchange = await sendGift(context, { token, referenceId: context.reference() })
  const status = exchange.response?.status ?? 'none'
  context.observe('OPEN-84', `a gift with the token of another account: HTTP ${status}`, [exchange])
}

export const tokenHoldsForRegion = check({
  id: 'platform-gift.token-region',
  title: 'a quoteToken for one region buys no gift for another',
  requirements: ['GIFT-06'],
  needs: { ...BUYS_GIFTS, purchases: 3 },
  run: async (context) => {
    const place = otherPlace(context, 'region')
    const own = await buyFoundGift(context)
    const other = await buyGift(context, place)
    const [before, after] = [own, other].map(({ order }) =>
      valuesOf(giftBody(context, order), 'recipient_region'),
    )
    if (before?.length === 0 || show(before) === show(after))
      untested('the body template does not tell the region as recipient_region, by its variable')
    const referenceId = context.reference()
    const refused = await sendGift(context, {
      token: await needToken(context),
      place,
      referenceId,
    })
    await expectNoOrder(context, 'GIFT-06', 'an order for a region that its token is not for', {
      refused,
      referenceId,
      isRefused: isRefusedOtherwise,
    })
  },
})
