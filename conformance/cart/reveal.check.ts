import { clearCodes } from '../../harness/judge/codes.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, needSuccess, show, showAnswer, untested } from '../engine/kit.ts'
import { itemsOf, pollToEnd } from '../steps/orders.ts'
import { codesIn, expectClear } from '../steps/reading.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'
import { statusesOf } from '../steps/unhide/account.ts'
import { checkout, CHECKS_OUT, needIds, POSITIONS } from '../steps/cart.ts'

export const revealsEveryOrder = check({
  id: 'cart.revealed-codes',
  title:
    'unhide=true with the reference of a checkout shows the vouchers of all its orders in clear',
  requirements: ['UNHIDE-01'],
  needs: {
    ...CHECKS_OUT,
    capabilities: ['cart', 'unhide'],
    selectors: ['getOrders.codes'],
    purchases: POSITIONS,
    waits: [{ orders: 1, product: 'voucher' }],
  },
  run: async (context) => {
    const full = context.api.as('full')
    const done = await checkout(context)
    const { referenceId } = done
    for (const orderId of needIds(done)) await pollToEnd(context, 'voucher', { orderId })
    const masked = needSuccess(await full.getOrders({ referenceId }))
    needAllDone(masked, done.positions)
    const clear = needSuccess(await full.getOrders({ referenceId, unhide: true }))
    judgeCodes(context, { masked, clear, positions: done.positions })
    for (const orderId of needIds(done)) {
      const query = { referenceId, orderId, unhide: true }
      // The read of the checkout may have counted for its orders too (OPEN-74).
      const child = await full.getOrders(query, RETURN_429_UNPACED)
      if (itemsOf(child)?.length === 1) judgeCodes(context, { masked, clear: child, positions: 1 })
    }
  },
})

function needAllDone(exchange: Parameters<typeof statusesOf>[0], positions: number): void {
  const statuses = statusesOf(exchange)
  const isDone = statuses.length === positions && statuses.every((each) => each === 'SUCCESS')
  if (!isDone) untested(`the orders of the checkout are not all SUCCESS: ${showAnswer(exchange)}`)
}

type Readings = Readonly<Record<'masked' | 'clear', Exchange>> & { readonly positions: number }

function judgeCodes(context: CheckContext, { masked, clear, positions }: Readings): void {
  const values = codesIn(context, clear)
  const codes = clearCodes(values, codesIn(context, masked))
  context.revealed(codes)
  if (values.length === 0) untested('no voucher was found where the target file says codes are')
  expectClear(context, 'the codes of every order of the checkout are in clear', {
    codes: values,
    clear: codes,
    clearMin: positions,
    note: `: ${show(statusesOf(clear))}`,
    exchanges: [masked, clear],
  })
}
