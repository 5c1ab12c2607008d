import { parseMoney } from '../../harness/money.ts'
import { check } from '../engine/kit.ts'
import { expectHeldToCap, OF_REFUSALS } from '../steps/cap/other-purchasables.ts'
import { CAPPED_KEY_PURCHASES, SPENDS_A_CAP } from '../steps/cap/capped-key.ts'
import { capMovedByOthers } from '../steps/cap/watch.ts'

/** More than one voucher unit, so that a unit still fits when the top-up does not. */
const AMOUNT = 3

export const topUp = check({
  id: 'transaction-limit.top-up',
  title: 'a top-up is held to the cap like any other purchase',
  requirements: [...OF_REFUSALS, 'CAP-18'],
  needs: {
    capabilities: [...SPENDS_A_CAP.capabilities, 'dtu'],
    roles: ['capped'],
    products: ['voucher', 'dtu'],
    orderKinds: ['shop', 'dtu'],
    transactionLimit: '5.00',
    capCovers: { dtu: 2 * AMOUNT },
    purchases: CAPPED_KEY_PURCHASES + 7,
  },
  movedByOthers: capMovedByOthers('CAP-11'),
  run: (context) =>
    expectHeldToCap(context, {
      requirement: 'CAP-18',
      product: 'dtu',
      amount: AMOUNT,
      name: 'a top-up',
      send: (cappedKey, referenceId, options) => {
        const order = { product: 'dtu', kind: 'dtu', amount: AMOUNT } as const
        return cappedKey.send(1, referenceId, { ...options, order })
      },
      sendBeyond: (cappedKey) => {
        const unit = parseMoney(context.target.products.dtu?.unitPrice) ?? cappedKey.unit
        const amount = Number(cappedKey.left / unit) + 1
        const order = { product: 'dtu', kind: 'dtu', amount } as const
        return cappedKey.send(1, context.reference(), { throttled: 'return', order })
      },
    }),
})
