import { parseMoney } from '../../harness/money.ts'
import { check, type CheckDefinition, type Needs } from '../engine/kit.ts'
import { CAPPED_KEY_PURCHASES, SPENDS_A_CAP } from '../steps/cap/capped-key.ts'
import { expectHeldToCap, OF_REFUSALS, type Purchasable } from '../steps/cap/other-purchasables.ts'
import { capMovedByOthers } from '../steps/cap/watch.ts'
import { BUYS_GIFTS, giftRequest, needToken } from '../steps/platform-gift.ts'

type Held = Pick<CheckDefinition, 'id' | 'title' | 'movedByOthers'> & {
  /** The product, which is named as its capability and its kind of order are. */
  readonly product: 'dtu' | 'esim' | 'platform-gift'
  readonly requirement: 'CAP-18' | 'CAP-19' | 'CAP-20'
  readonly needs: Needs
  readonly purchasable: Omit<Purchasable, 'product' | 'requirement'>
}

function heldToCap({ product, requirement, needs, purchasable, ...rest }: Held): CheckDefinition {
  return check({
    ...rest,
    requirements: [...OF_REFUSALS, requirement],
    needs: {
      capabilities: [...SPENDS_A_CAP.capabilities, product],
      roles: ['capped'],
      products: ['voucher', product],
      orderKinds: ['shop', product],
      purchases: CAPPED_KEY_PURCHASES + 7,
      ...needs,
    },
    run: (context) => expectHeldToCap(context, { product, requirement, ...purchasable }),
  })
}

/** More than one voucher unit, so that a unit still fits when the top-up does not. */
const AMOUNT = 3

const TOP_UP = { product: 'dtu', kind: 'dtu' } as const

export const topUp = heldToCap({
  id: 'transaction-limit.top-up',
  title: 'a top-up is held to the cap like any other purchase',
  product: 'dtu',
  requirement: 'CAP-18',
  needs: { transactionLimit: '5.00', capCovers: { dtu: 2 * AMOUNT } },
  movedByOthers: capMovedByOthers('CAP-11'),
  purchasable: {
    amount: AMOUNT,
    name: 'a top-up',
    send: (cappedKey, referenceId, options) =>
      cappedKey.send(1, referenceId, { ...options, order: { ...TOP_UP, amount: AMOUNT } }),
    sendBeyond: (cappedKey) => {
      const { reference, target } = cappedKey.context
      const unit = parseMoney(target.products.dtu?.unitPrice) ?? cappedKey.unit
      const order = { ...TOP_UP, amount: Number(cappedKey.left / unit) + 1 }
      return cappedKey.send(1, reference(), { throttled: 'return', order })
    },
  },
})

/** One voucher to learn its price, the other purchase, and then a voucher too much for another. */
const FEW = { transactionLimit: '1.50', drainsCap: 'partly' } as const

export const esim = heldToCap({
  id: 'esim.cap',
  title: 'an eSIM purchase is held to the cap like any other',
  product: 'esim',
  requirement: 'CAP-19',
  needs: { ...FEW, capCovers: { esim: 2 } },
  purchasable: {
    name: 'an eSIM',
    send: (cappedKey, referenceId, options) =>
      cappedKey.send(1, referenceId, { ...options, order: { product: 'esim', kind: 'esim' } }),
  },
})

export const gift = heldToCap({
  id: 'platform-gift.cap',
  title: 'a gift purchase is held to the cap like any other',
  product: 'platform-gift',
  requirement: 'CAP-20',
  needs: { ...FEW, capCovers: { 'platform-gift': 2 }, operations: BUYS_GIFTS.operations },
  purchasable: {
    name: 'a gift',
    send: async (cappedKey, referenceId, options) => {
      const token = await needToken(cappedKey.context, {}, 'capped')
      return cappedKey.send(1, referenceId, {
        ...options,
        order: giftRequest({ token, referenceId }),
      })
    },
  },
})
