import { check } from '../engine/kit.ts'
import { CAPPED_KEY_PURCHASES, SPENDS_A_CAP } from '../steps/cap/capped-key.ts'
import { expectHeldToCap } from '../steps/cap/other-purchasables.ts'

export const esimIsHeldToCap = check({
  id: 'esim.cap',
  title: 'an eSIM purchase is held to the cap like any other',
  requirements: ['CAP-11', 'CAP-19'],
  needs: {
    capabilities: [...SPENDS_A_CAP.capabilities, 'esim'],
    roles: ['capped'],
    products: ['voucher', 'esim'],
    orderKinds: ['shop', 'esim'],
    // One voucher to learn its price, the eSIM, and then a voucher too much for another.
    transactionLimit: '1.50',
    drainsCap: 'partly',
    capCovers: { esim: 2 },
    purchases: CAPPED_KEY_PURCHASES + 5,
  },
  run: (context) =>
    expectHeldToCap(context, {
      requirement: 'CAP-19',
      product: 'esim',
      name: 'an eSIM',
      send: (cappedKey, options) =>
        cappedKey.send(1, context.reference(), options, { product: 'esim', kind: 'esim' }),
    }),
})
