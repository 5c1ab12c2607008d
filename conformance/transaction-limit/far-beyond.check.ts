import { BUYER_SCOPES } from '../../contract/capabilities.ts'
import { formatMoney, parseMoney, type Micros } from '../../harness/money.ts'
import { PurchaseRefused } from '../../harness/purchases/purchase.ts'
import type { Api, CheckContext, Exchange } from '../engine/kit.ts'
import {
  check,
  inapplicable,
  isAccepted,
  isCapRefusal,
  offeredOf,
  makerOf,
  onlyWithControlSide,
} from '../engine/kit.ts'
import { sendCart } from '../steps/cart.ts'
import { deliveredOf } from '../steps/cap/delivered.ts'
import { OTHER_KINDS, VOUCHERS, type Kind } from '../steps/kinds.ts'

/**
 * Beyond 2,147.48 a signed number of 32 bits that counts millionths overflows, and below 4,294.97 it is then negative. One of 16 bits
 * that counts cents is negative there too.
 */
const AMOUNT: Micros = parseMoney('3000.00') ?? 0n
const CAP: Micros = parseMoney('0.01') ?? 0n

/** Orders of a checkout: where one order takes fewer pieces, each has a part. */
const PARTS = 3

/** What may be bought for so much in one request. */
type Large = Pick<Kind, 'name' | 'what' | 'needs' | 'idOf' | 'priceOf'> & {
  /** `pieces` cost so much. */
  readonly send: (context: CheckContext, api: Api, pieces: number) => Promise<Exchange>
  readonly product: 'voucher' | 'dtu'
}

const LARGE: readonly Large[] = [
  {
    ...VOUCHERS,
    product: 'voucher',
    send: ({ reference }, api, quantity) =>
      api.createOrder({ product: 'voucher', quantity, referenceId: reference() }),
  },
  {
    ...OTHER_KINDS.topUp,
    product: 'dtu',
    send: ({ reference }, api, amount) =>
      api.createOrder({ product: 'dtu', kind: 'dtu', amount, referenceId: reference() }),
  },
  {
    ...OTHER_KINDS.checkout,
    product: 'voucher',
    send: (context, api, pieces) => {
      const quantity = Math.ceil(pieces / PARTS)
      const lines = Array.from({ length: PARTS }, () => ({ product: 'voucher', quantity }) as const)
      return sendCart({ ...context, api }, { lines })
    },
  },
]

/** Undefined where it may not be bought, for a wrong service would take the money, or where the target file gives no price of one. */
async function sendPermitted(
  context: CheckContext,
  { send, product }: Large,
  api: Api,
): Promise<Exchange | undefined> {
  const unit = parseMoney(context.target.products[product]?.unitPrice) ?? 0n
  if (unit <= 0n) return undefined
  return send(context, api, Math.ceil(Number(AMOUNT) / Number(unit))).catch((cause: unknown) => {
    if (cause instanceof PurchaseRefused) return undefined
    throw cause
  })
}

/** Undefined where it decides nothing: an order may take fewer pieces than cost so much, or be cancelled for want of them. */
async function judge(
  context: CheckContext,
  large: Large,
  sent: Exchange,
): Promise<boolean | undefined> {
  const isBought = isAccepted(sent) && (await deliveredOf(context, large, sent)) !== undefined
  const isBeyond = isBought && large.priceOf(context, sent) > CAP
  if (!isBeyond && !isCapRefusal(sent)) return undefined
  return context.expect('CAP-03').that(`${large.what} for ${formatMoney(AMOUNT)} in one request`, {
    holds: !isBeyond,
    expected: `HTTP 409: the cap is ${formatMoney(CAP)}`,
    exchanges: [sent],
  })
}

export const farBeyond = check({
  id: 'transaction-limit.far-beyond',
  title: 'a cap refuses what costs very much more, whatever buys so much in one request',
  requirements: ['CAP-03'],
  needs: {
    capabilities: ['transaction-limit'],
    roles: ['full'],
    products: ['voucher'],
    purchases: 2 + PARTS,
    waits: [{ orders: 1, product: 'voucher' }],
    ofKeysOfFile: onlyWithControlSide('keys with a cap of their own'),
  },
  run: async (context) => {
    const keys = [{ scopes: BUYER_SCOPES, transactionLimit: formatMoney(CAP) }]
    const [api] = (await makerOf(context)({ keys })) as [Api]
    const judged: (boolean | undefined)[] = []
    for (const large of offeredOf(context.target, LARGE)) {
      const sent = await sendPermitted(context, large, api)
      judged.push(sent && (await judge({ ...context, api }, large, sent)))
      // What was bought beyond the cap is enough.
      if (judged.includes(false)) return
    }
    if (!judged.includes(true))
      inapplicable(`nothing is sold, or may be bought, for ${formatMoney(AMOUNT)} in one request`)
  },
})
