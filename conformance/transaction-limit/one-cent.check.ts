import { capCurrencyOf } from '../../harness/accounts/select-accounts.ts'
import { HarnessError } from '../../harness/errors.ts'
import { formatMoney, type Micros } from '../../harness/money.ts'
import { BUYER_SCOPES } from '../../contract/capabilities.ts'
import type { Api, CheckContext, Exchange, Needs, OrderRequest } from '../engine/kit.ts'
import {
  check,
  inapplicable,
  isAccepted,
  isOffered,
  offeredOf,
  makerOf,
  onlyWithControlSide,
  untested,
} from '../engine/kit.ts'
import { BUYS_ESIMS } from '../steps/esim.ts'
import { BUYS_VOUCHERS, dataOf, isUsd } from '../steps/orders.ts'
import { BUYS_TOP_UPS, topUpOrder } from '../steps/top-ups.ts'
import { priceOf } from '../steps/buyer.ts'

type Purchasable = {
  readonly what: string
  readonly needs: Needs
  readonly order: (context: CheckContext) => Omit<OrderRequest, 'referenceId'>
}

const PURCHASABLES: readonly Purchasable[] = [
  { what: 'a voucher', needs: BUYS_VOUCHERS, order: () => ({ product: 'voucher' }) },
  { what: 'a top-up', needs: BUYS_TOP_UPS, order: topUpOrder },
  { what: 'an eSIM', needs: BUYS_ESIMS, order: () => ({ product: 'esim', kind: 'esim' }) },
]

const CENT: Micros = 10_000n
/** A million. A price beyond that is none that a cap could be made for. */
const PRICE_MAX: Micros = 1_000_000_000_000n

/** A key whose cap is the given amount, which buys the same. */
async function buyCapped(
  context: CheckContext,
  order: Omit<OrderRequest, 'referenceId'>,
  cap: Micros,
): Promise<Exchange> {
  const key = { scopes: BUYER_SCOPES, transactionLimit: formatMoney(cap) }
  const [api] = (await makerOf(context)({ keys: [key] })) as [Api]
  return api.createOrder({ ...order, referenceId: context.reference() })
}

/** Whether it was decided: the price has to be known, and to the cent. */
async function judge(
  context: CheckContext,
  { what, order: orderOf }: Purchasable,
): Promise<boolean> {
  const { api, expect, reference } = context
  const order = orderOf(context)
  const bought = await api.as('full').createOrder({ ...order, referenceId: reference() })
  if (!isAccepted(bought) || !isUsd(dataOf(bought)['currency'])) return false
  const price = priceOf(context, bought)
  if (price <= CENT || price > PRICE_MAX || price % CENT !== 0n) return false
  const short = await buyCapped(context, order, price - CENT)
  // A quote may be another one the next time.
  const beyond = isAccepted(short) && priceOf(context, short) > price - CENT
  expect('CAP-03').that(`${what} at ${formatMoney(price)} with a cap that is one cent short`, {
    holds: !beyond,
    expected: 'HTTP 409',
    exchanges: [bought, short],
  })
  return true
}

/** A cap of nothing is a cap. A control side need not make one. */
async function judgeZero(context: CheckContext): Promise<void> {
  const order = { product: 'voucher' } as const
  const refused = await buyCapped(context, order, 0n).catch((cause: unknown) => {
    if (cause instanceof HarnessError) return undefined
    throw cause
  })
  if (refused === undefined) return
  context.expect('CAP-03').that('a voucher with a cap of 0.00', {
    holds: !isAccepted(refused) || priceOf(context, refused) <= 0n,
    expected: 'HTTP 409',
    exchanges: [refused],
  })
}

export const oneCentShort = check({
  id: 'transaction-limit.one-cent-short',
  title:
    'a cap that is one cent short of the price refuses it, whatever it buys, and so does a cap of 0',
  requirements: ['CAP-03'],
  needs: {
    capabilities: ['transaction-limit'],
    roles: ['full'],
    purchases: 2 * PURCHASABLES.length + 1,
    ofKeysOfFile: onlyWithControlSide('keys with a cap of their own'),
  },
  run: async (context) => {
    const ofCap = capCurrencyOf(context.target)
    if (!isUsd(ofCap)) inapplicable(`the cap is in ${ofCap}: only of USD is a cent known`)
    let judged = 0
    for (const purchasable of offeredOf(context.target, PURCHASABLES))
      if (await judge(context, purchasable)) judged++
    if (isOffered(context.target, BUYS_VOUCHERS)) await judgeZero(context)
    if (judged === 0) untested('nothing is sold at a price in USD that is known to the cent')
  },
})
