import { clearCodes, isMasked } from '../../harness/judge/codes.ts'
import { check } from '../check.ts'
import { needSuccess } from '../engine/controls.ts'
import { inapplicable, inconclusive } from '../engine/undecided.ts'
import { buyFinished } from '../unhide/orders.ts'
import { codesIn, reveal } from './steps.ts'

export const partialCodes = check({
  id: 'reading.partial-codes',
  title: 'unhide=true shows what a partial order delivered in clear',
  requirements: ['UNHIDE-01'],
  needs: {
    capabilities: ['shop', 'unhide'],
    roles: ['full'],
    products: ['voucher-partial'],
    orderKinds: ['shop'],
    selectors: ['getOrders.codes'],
    purchases: 1,
    waits: [{ orders: 1, product: 'voucher-partial' }],
  },
  run: async (context) => {
    const { orderId } = await buyFinished(context, 'voucher-partial', 'PARTIALLY_COMPLETED')
    const full = context.api.as('full')
    const masked = needSuccess(await full.getOrders({ orderId }))
    const { exchange, codes } = await reveal(context, orderId)
    if (codes.length === 0) inapplicable('the partial order delivered no codes, and it need not')
    const clear = clearCodes(codes, codesIn(context, masked))
    context.revealed(clear)
    const open = codes.filter((code) => !clear.includes(code as string))
    if (open.some((code) => typeof code === 'string' && !isMasked(code)))
      inconclusive('masked and revealed answers show the same text, which may be a mask or a code')
    context.expect('UNHIDE-01').that('every delivered code of a partial order is in clear', {
      holds: open.length === 0,
      expected: `${codes.length} codes in clear`,
      observed: `${clear.length} in clear, ${open.length} masked or no text`,
      exchanges: [masked, exchange],
    })
  },
})
