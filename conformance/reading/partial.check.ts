import { clearCodes } from '../../harness/judge/codes.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, inapplicable, needSuccess } from '../engine/kit.ts'
import { OTHER_QUANTITY } from '../steps/idempotency.ts'
import { buyFinished } from '../steps/unhide/orders.ts'
import { codesIn, expectClear, reveal, type Revealed } from '../steps/reading.ts'

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
    purchases: 2,
    waits: [{ orders: 2, product: 'voucher-partial' }],
  },
  run: async (context) => {
    // Codes of two orders differ. So they differ from a mask too, even if masked answers show them.
    const read = [await readBoth(context), await readBoth(context)]
    const codes = read.flatMap((each) => each.codes)
    if (codes.length === 0) inapplicable('the partial orders delivered no codes, and need not')
    const clear = clearCodes(
      codes,
      read.flatMap(({ masked }) => codesIn(context, masked)),
    )
    context.revealed(clear)
    const exchanges = read.flatMap(({ masked, exchange }) => [masked, exchange])
    const statement = 'every delivered code of a partial order is in clear'
    expectClear(context, statement, { codes, clear, exchanges })
  },
})

/** One partial order, as it reads masked and then in clear. */
async function readBoth(context: CheckContext): Promise<Revealed & { readonly masked: Exchange }> {
  // Of one piece no part can be delivered.
  const { orderId } = await buyFinished(context, 'voucher-partial', 'PARTIALLY_COMPLETED', {
    quantity: OTHER_QUANTITY,
  })
  const masked = needSuccess(await context.api.as('full').getOrders({ orderId }))
  return { masked, ...(await reveal(context, orderId)) }
}
