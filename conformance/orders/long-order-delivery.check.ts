import { plural } from '../../harness/text.ts'
import { clearCodes } from '../../harness/judge/codes.ts'
import { isTerminal } from '../../contract/wire.ts'
import type { CheckContext, Needs } from '../engine/kit.ts'
import { check, inapplicable, needSuccess, show, showAnswer, untested } from '../engine/kit.ts'
import { findUnder, needReferenceFilter, replay } from '../steps/idempotency.ts'
import { isRepeated, codesIn, expectClear, reveal, vouchersOf } from '../steps/reading.ts'
import { finish } from '../steps/unhide/orders.ts'
import { buy, orderIdOf, patienceSeconds, type Bought } from '../steps/orders.ts'
import { smallestLongQuantity } from '../steps/catalog-listing.ts'

const PRODUCT = 'voucher-long'

const NEEDS = {
  capabilities: ['catalog', 'shop', 'long-orders'],
  roles: ['full'],
  products: [PRODUCT],
  orderKinds: ['shop'],
  selectors: ['listServices.services', 'listServices.items'],
} as const satisfies Needs

type LongOrder = Bought & {
  readonly order: {
    readonly product: typeof PRODUCT
    readonly quantity: number
    readonly overrides: { readonly isLongOrder: true }
  }
}

/** That it is accepted is decided by LONG-01. */
async function buyLong(context: CheckContext): Promise<LongOrder> {
  const quantity = ((await smallestLongQuantity(context)) ?? 0) + 1
  const order = { product: PRODUCT, quantity, overrides: { isLongOrder: true } } as const
  return { ...(await buy(context, order)), order }
}

export const longOrderIsMadeOnce = check({
  id: 'orders.long-order-replay',
  title: 'a long order can be read, and is made once however often it is sent',
  requirements: ['LONG-01', 'IDEM-05'],
  needs: { ...NEEDS, purchases: 3 },
  run: async (context) => {
    const { order, ...bought } = await buyLong(context)
    const { exchange, count } = await findUnder(context, bought.referenceId)
    context.expect('LONG-01').that('the referenceId of a long order finds it', {
      holds: count >= 1,
      expected: '1 order',
      observed: plural(count, 'order'),
      exchanges: [bought.exchange, exchange],
    })
    if (count === 0) untested('the long order is not found')
    await needReferenceFilter(context)
    const again = await replay(context, bought, order)
    const found = await findUnder(context, bought.referenceId)
    context.expect('IDEM-05').that('a long order that is sent again is not made again', {
      holds: found.count === 1 && orderIdOf(again) === bought.orderId,
      expected: `order ${bought.orderId}, alone under its referenceId`,
      observed: `${showAnswer(again)}; ${plural(found.count, 'order')} under the referenceId`,
      exchanges: [bought.exchange, again, found.exchange],
    })
  },
})

export const longOrderDelivers = check({
  id: 'orders.long-order-vouchers',
  title: 'a long order ends in time, and unhide=true shows a voucher for each piece in clear',
  requirements: ['ORD-03', 'STATE-02', 'UNHIDE-01'],
  needs: {
    ...NEEDS,
    capabilities: [...NEEDS.capabilities, 'unhide'],
    selectors: [...NEEDS.selectors, 'getOrders.codes'],
    purchases: 1,
    waits: [{ orders: 1, product: PRODUCT }],
  },
  run: async (context) => {
    const { order, ...bought } = await buyLong(context)
    const status = await finish(context, PRODUCT, bought)
    const stated = context.target.products[PRODUCT]?.completesWithinSeconds
    if (isTerminal(status) || (status === 'IN_PROGRESS' && stated !== undefined))
      context.expect('STATE-02').that('a long order leaves IN_PROGRESS', {
        holds: isTerminal(status),
        expected: `a terminal status; the target file states ${stated ?? 'no number of'} seconds`,
        observed: `${show(status)} after ${patienceSeconds(context, PRODUCT)} seconds at most`,
        exchanges: [bought.exchange],
      })
    if (status !== 'SUCCESS') untested(`the long order did not end in SUCCESS: ${show(status)}`)
    const { orderId } = bought
    const masked = needSuccess(await context.api.as('full').getOrders({ orderId }))
    const { exchange, codes } = await reveal(context, orderId)
    // The few listings of a key that others use are left to them.
    if (context.isFresh) await context.api.as('full').getOrders()
    // That these are nowhere in clear where they are to be masked is judged over the whole run.
    const clear = clearCodes(codes, codesIn(context, masked))
    context.revealed(clear)
    const vouchers = vouchersOf(exchange)
    const count = vouchers?.length
    const isRepeat = vouchers !== undefined && isRepeated(vouchers, codes, clear)
    if (count === undefined)
      inapplicable('the list keeps vouchers at another place than result, where none is shown')
    context.expect('ORD-03').that(`a long order of ${order.quantity} pieces has as many vouchers`, {
      holds: count >= order.quantity && !isRepeat,
      expected: `${order.quantity} vouchers at least`,
      observed: isRepeat ? `one voucher several times, of ${count}` : `${count} vouchers`,
      exchanges: [bought.exchange, exchange],
    })
    if (codes.length === 0) untested('no voucher was found where the target file says codes are')
    const exchanges = [masked, exchange]
    expectClear(context, 'every code of a long order is in clear', { codes, clear, exchanges })
  },
})
