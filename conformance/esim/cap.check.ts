import { check } from '../engine/kit.ts'
import { CAPPED_KEY_PURCHASES, SPENDS_A_CAP } from '../steps/cap/capped-key.ts'
import { expectHeldToCap, OF_REFUSALS } from '../steps/cap/other-purchasables.ts'

export const esimIsHeldToCap = check({
  id: 'esim.cap',
  title: 'an eSIM purchase is held to the cap like any other',
  requirements: [...OF_REFUSALS, 'CAP-19'],
  needs: {
    capabilities: [...SPENDS_A_CAP.capabilities, 'esim'],
    roles: ['capped'],
    products: ['voucher', 'esim'],
    orderKinds: ['shop', 'esim'],
    // One voucher to learn its price, the eSIM, and then a voucher too much for another.
    transactionLimit: '1.50',
    drainsCap: 'partly',
    capCovers: { esim: 2 },
    purchases: CAPPED_KEY_PURCHASES + 7,
  },
  run: (context) =>
    expectHeldToCap(context, {
      requirement: 'CAP-19',
      product: 'esim',
      name: 'an eSIM',
      send: (cappedKey, referenceId, options) =>
        cappedKey.send(1, referenceId, { ...options, order: { product: 'esim', kind: 'esim' } }),
    }),
})
