import { isTerminal } from '../../contract/wire.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, inconclusive, isCapRefusal, showAnswer, untested } from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import { BUYER_SCOPES } from '../../contract/capabilities.ts'
import { formatMoney, inHundredths, parseMoney } from '../../harness/money.ts'
import { buy, orderIdOf, pollToEnd } from '../steps/orders.ts'
import { expectHeldToCap, OF_REFUSALS } from '../steps/cap/other-purchasables.ts'
import { CAPPED_KEY_PURCHASES, SPENDS_A_CAP } from '../steps/cap/capped-key.ts'

const PRODUCT = 'voucher-async'

/** When a pending order counts is not shown, nor what a cancelled one leaves: only one that bought something is looked at. */
async function needDelivered(context: CheckContext, bought: Exchange): Promise<void> {
  const orderId = orderIdOf(bought)
  if (orderId === undefined)
    untested(`the purchase names no order to wait for: ${showAnswer(bought)}`)
  const last = (await pollToEnd(context, PRODUCT, { orderId }, { role: 'capped' })).at(-1)
  const status = last?.item['status']
  if (!isTerminal(status)) inconclusive(`the asynchronous order ${orderId} did not finish in time`)
  if (status === 'CANCELLED')
    untested(`the asynchronous order ${orderId} was cancelled, so it bought nothing`)
}

/** Whether a cancelled order gives its amount back (OPEN-56): on a key whose cap has room for one order alone. */
async function observeCancelled(context: CheckContext): Promise<void> {
  const { makeAccount, target } = context
  const { voucher, 'voucher-cancelled': cancelled } = target.products
  const [first, second] = [cancelled, voucher].map((product) => parseMoney(product?.unitPrice))
  if (!makeAccount || first === undefined || second === undefined) return
  const cap = first > second ? first : second
  const [api] = await makeAccount({
    keys: [{ scopes: BUYER_SCOPES, transactionLimit: formatMoney(inHundredths(cap)) }],
  })
  if (!api) throw new Error('an account with one key has one caller')
  const own: CheckContext = { ...context, api }
  const bought = await buy(own, { product: 'voucher-cancelled' })
  const last = (await pollToEnd(own, 'voucher-cancelled', { orderId: bought.orderId })).at(-1)
  if (last?.item['status'] !== 'CANCELLED') return
  const again = await api.as('full').createOrder({
    product: 'voucher',
    referenceId: context.reference(),
  })
  context.observe(
    'OPEN-56',
    `after a cancelled order its amount is ${isCapRefusal(again) ? 'not ' : ''}there again: HTTP ${again.response?.status ?? 'none'}`,
    [bought.exchange, again],
  )
}

export const asynchronousIsHeldToCap = check({
  id: 'transaction-limit.asynchronous',
  title: 'a purchase that was accepted and finished later uses the cap up by its price',
  requirements: [...OF_REFUSALS, 'CAP-12'],
  needs: {
    capabilities: [...SPENDS_A_CAP.capabilities, 'async'],
    roles: ['capped'],
    products: ['voucher', PRODUCT],
    orderKinds: SPENDS_A_CAP.orderKinds,
    transactionLimit: '5.50',
    capCovers: { [PRODUCT]: 2 },
    purchases: CAPPED_KEY_PURCHASES + 9,
    waits: [
      { orders: 1, product: PRODUCT },
      { orders: 1, product: 'voucher-cancelled' },
    ],
  },
  run: async (context) => {
    await expectHeldToCap(context, {
      requirement: 'CAP-12',
      product: PRODUCT,
      name: 'an asynchronous purchase',
      send: (cappedKey, referenceId, options) =>
        cappedKey.send(1, referenceId, {
          ...options,
          order: { product: PRODUCT, kind: 'shop' },
        }),
      needDelivered: (bought) => needDelivered(context, bought),
    })
    await aside(() => observeCancelled(context))
  },
})
