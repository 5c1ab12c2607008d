import { clearCodes, isMasked } from '../../harness/judge/codes.ts'
import { check, showRequest, untested } from '../engine/kit.ts'
import { buy, itemsOf, pollToEnd } from '../steps/orders.ts'
import { codesIn, reveal, vouchersOf } from '../steps/reading.ts'
import { BUYS_LATER } from '../steps/states.ts'

export const codesOfFinishedOrder = check({
  id: 'states.codes-readable',
  title: 'the codes of an asynchronous order can be read once it is SUCCESS',
  requirements: ['STATE-07'],
  needs: {
    ...BUYS_LATER,
    capabilities: ['shop', 'async', 'unhide'],
    selectors: ['getOrders.codes'],
    purchases: 1,
    waits: [{ orders: 1, product: 'voucher-async' }],
  },
  run: async (context) => {
    const product = 'voucher-async'
    const { orderId } = await buy(context, { product })
    const end = (await pollToEnd(context, product, { orderId })).at(-1)
    if (end?.item['status'] !== 'SUCCESS') untested('the order did not end in SUCCESS')
    const { exchange, codes } = await reveal(context, orderId)
    if (itemsOf(exchange)?.[0]?.['status'] !== 'SUCCESS')
      untested('the order did not stay SUCCESS, which STATE-03 decides')
    context.revealed(clearCodes(codes, codesIn(context, end.exchange)))
    const vouchers = vouchersOf(exchange)
    const texts = codes.filter((code) => typeof code === 'string')
    if (texts.length > 0 && texts.every(isMasked))
      untested('the codes stay masked with unhide=true, which UNHIDE-01 decides')
    context.expect('STATE-07').that(`${showRequest(exchange)} shows the codes of the order`, {
      holds: texts.length > 0,
      expected: 'at least one code',
      observed: `${texts.length} codes among ${vouchers?.length ?? codes.length} vouchers`,
      exchanges: [end.exchange, exchange],
    })
  },
})
