import {
  type CheckContext,
  type Exchange,
  check,
  isObject,
  needSuccess,
  show,
  untested,
} from '../engine/kit.ts'
import { selectEach } from '../../harness/target-file/select.ts'
import { buy, BUYS_VOUCHERS, dataOf, itemsOf, pollToEnd, type Bought } from '../steps/orders.ts'

export const shopBuysVouchers = check({
  id: 'orders.shop-buys-vouchers',
  formerIds: ['orders.vouchers-in-clear'],
  title: 'an order of type shop delivers vouchers, each with a pin where it is read in clear',
  requirements: ['ORD-03', 'ORD-14'],
  needs: { ...BUYS_VOUCHERS, roles: ['full'], purchases: 1 },
  run: async (context) => {
    const { expect, leaveUndecided, target } = context
    const bought = await buy(context)
    const posted = vouchersOf(dataOf(bought.exchange))
    const expectVouchers = (count: number, exchanges: readonly Exchange[]): void =>
      void expect('ORD-03').that('a finished shop order has vouchers', {
        holds: count > 0,
        expected: 'a voucher in the answer to the purchase, or in the order read with unhide=true',
        observed: count > 0 ? 'vouchers' : 'none',
        exchanges: [bought.exchange, ...exchanges],
      })
    if (posted.length > 0) expectVouchers(posted.length, [])
    if (!target.capabilities.includes('unhide')) {
      const reason = 'the target does not declare unhide'
      if (posted.length === 0) untested(`the answer to the purchase has no vouchers, and ${reason}`)
      leaveUndecided('ORD-14', reason, 'inapplicable')
      return
    }
    const clear = await readInClear(context, bought)
    if (posted.length === 0)
      expectVouchers(clear.vouchers.length + clear.codes.length, [clear.exchange])
    expectPins(context, clear)
  },
})

function expectPins({ expect }: CheckContext, { exchange, vouchers, codes }: InClear): void {
  // Vouchers where the interface describes them, or what this target's file says are the codes.
  const pins = vouchers.length > 0 ? vouchers.map((voucher) => asObject(voucher)['pin']) : codes
  if (pins.length === 0) untested('the order read with unhide=true shows no voucher')
  expect('ORD-14').that('each voucher that is read in clear has a pin, a text', {
    holds: pins.every((pin) => typeof pin === 'string' && pin !== ''),
    expected: `${pins.length} pins, each a text`,
    observed: show(pins.map((pin) => (pin === '' ? 'an empty text' : typeof pin))),
    exchanges: [exchange],
  })
}

function vouchersOf(order: unknown): readonly unknown[] {
  const { vouchers } = asObject(asObject(order)['result'])
  return Array.isArray(vouchers) ? vouchers : []
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}

type InClear = {
  readonly exchange: Bought['exchange']
  readonly vouchers: readonly unknown[]
  readonly codes: readonly unknown[]
}

/** Waits for the order to succeed and spends the one reveal that it then has per window. */
async function readInClear(context: CheckContext, { referenceId }: Bought): Promise<InClear> {
  const { target, api } = context
  const last = (await pollToEnd(context, 'voucher', { referenceId })).at(-1)
  if (last?.item['status'] !== 'SUCCESS')
    untested(`the order did not end in SUCCESS: ${show(last?.item['status'])}`)
  const exchange = needSuccess(await api.as('full').getOrders({ referenceId, unhide: true }))
  const selector = target.operations.getOrders.selectors['codes']
  const codes = selector === undefined ? [] : selectEach(selector, exchange.json)
  const vouchers = (itemsOf(exchange) ?? []).flatMap(vouchersOf)
  const pins = vouchers.map((voucher) => asObject(voucher)['pin'])
  context.revealed([...codes, ...pins].filter((code) => typeof code === 'string'))
  return { exchange, vouchers, codes }
}
