import { check } from '../engine/kit.ts'
import { expectHeldToCap, OF_REFUSALS } from '../steps/cap/other-purchasables.ts'
import { CAPPED_KEY_PURCHASES, SPENDS_A_CAP } from '../steps/cap/capped-key.ts'
import { BUYS_GIFTS, giftRequest, needToken } from '../steps/platform-gift.ts'

export const giftIsHeldToCap = check({
  id: 'platform-gift.cap',
  title: 'a gift purchase is held to the cap like any other',
  requirements: [...OF_REFUSALS, 'CAP-20'],
  needs: {
    capabilities: [...SPENDS_A_CAP.capabilities, 'platform-gift'],
    roles: ['capped'],
    products: ['voucher', 'platform-gift'],
    orderKinds: ['shop', 'platform-gift'],
    operations: BUYS_GIFTS.operations,
    // One voucher to learn its price, the gift, and then a voucher too much for another.
    transactionLimit: '1.50',
    drainsCap: 'partly',
    capCovers: { 'platform-gift': 2 },
    purchases: CAPPED_KEY_PURCHASES + 7,
  },
  run: (context) =>
    expectHeldToCap(context, {
      requirement: 'CAP-20',
      product: 'platform-gift',
      name: 'a gift',
      send: async (cappedKey, referenceId, options) => {
        const token = await needToken(context, {}, 'capped')
        return cappedKey.send(1, referenceId, {
          ...options,
          order: giftRequest({ token, referenceId }),
        })
      },
    }),
})
