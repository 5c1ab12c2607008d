import { QUOTE_MARGIN_SECONDS } from '../../harness/plan/waits.ts'
import { check, inapplicable, show, type CheckContext, untested } from '../engine/kit.ts'
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

/** Altered tokens. A service that looks at no signature may accept each of them. */
const TOKENS_MAX = 4

export const tokenIsSigned = check({
  id: 'platform-gift.token-signed',
  title: 'a gift order with an altered quoteToken is refused and creates no order',
  requirements: ['GIFT-05'],
  needs: { ...BUYS_GIFTS, rolesIfKnown: ['stranger'], purchases: 2 + TOKENS_MAX },
  run: async (context) => {
    await buyFoundGift(context)
    const token = await needToken(context)
    if (typeof token !== 'string') untested('the quoteToken is no text, so nothing can be altered')
    for (const altered of alterationsOf(token)) {
      const referenceId = context.reference()
      const refused = await sendGift(context, { token: altered.token, referenceId })
      await expectNoOrder(context, 'GIFT-05', {
        statement: `a token ${altered.how}`,
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
    await expectNoOrder(context, 'GIFT-06', {
      statement: 'an order for a region that its token is not for',
      refused,
      referenceId,
      isRefused: isRefusedOtherwise,
    })
  },
})

/** Longest life of a quoteToken that is waited for. */
const QUOTE_SECONDS_MAX = 600

export const tokenExpires = check({
  id: 'platform-gift.token-expires',
  title: 'a gift order with an expired quoteToken is refused and creates no order',
  requirements: ['GIFT-09'],
  needs: {
    ...BUYS_GIFTS,
    purchases: 2,
    waits: [{ quotes: 1, upToSeconds: QUOTE_SECONDS_MAX }],
  },
  run: async (context) => {
    const { quoteSeconds } = context.target.products['platform-gift'] ?? {}
    if (quoteSeconds === undefined)
      inapplicable('the target file does not state products.platform-gift.quoteSeconds')
    if (quoteSeconds > QUOTE_SECONDS_MAX)
      inapplicable(
        `a quoteToken can be used for ${quoteSeconds} s, and this check waits for at most ${QUOTE_SECONDS_MAX} s`,
      )
    await buyFoundGift(context)
    const token = await needToken(context)
    const lifeMs = (quoteSeconds + QUOTE_MARGIN_SECONDS) * 1000
    await context.wait('a quoteToken to expire', lifeMs + context.slackMs)
    const referenceId = context.reference()
    const refused = await sendGift(context, { token, referenceId })
    const what = `an order with a token that is older than ${quoteSeconds} s`
    await expectNoOrder(context, 'GIFT-09', {
      statement: what,
      refused,
      referenceId,
      isRefused: isRefusedOtherwise,
    })
  },
})
