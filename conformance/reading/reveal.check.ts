import { clearCodes, CodeFinder, isTraceable } from '../../harness/judge/codes.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, isThrottled, needSuccess, showRequest, untested } from '../engine/kit.ts'
import { BUYS_VOUCHERS, itemsOf, type Bought } from '../steps/orders.ts'
import { buyFinished } from '../steps/unhide/orders.ts'
import { RETURN_429_UNPACED, unrefused } from '../steps/rate-limits/between-refusals.ts'
import {
  codesIn,
  expectClear,
  isRefusedPair,
  reveal,
  vouchersOf,
  type Revealed,
} from '../steps/reading.ts'

/** Every way to read an order without revealing it; gives what stands in place of codes. The invariants judge these answers. */
async function readMasked(
  context: CheckContext,
  { orderId, referenceId }: Bought,
): Promise<{ readonly shown: readonly unknown[]; readonly isPairRefused: boolean }> {
  const full = context.api.as('full')
  const shown: unknown[] = []
  let isPairRefused = false
  for (const filter of [{ orderId }, { referenceId }, { orderId, referenceId }])
    for (const unhide of [undefined, false]) {
      const read = await full.getOrders({ ...filter, unhide })
      if (isRefusedPair(filter, read)) isPairRefused = true
      else shown.push(...codesIn(context, needSuccess(read)))
    }
  return { shown, isPairRefused }
}

export const revealedCodes = check({
  id: 'reading.revealed-codes',
  title: 'unhide=true shows the vouchers of a finished order in clear',
  requirements: ['UNHIDE-01', 'ORD-13'],
  needs: {
    ...BUYS_VOUCHERS,
    capabilities: ['shop', 'unhide'],
    roles: ['full'],
    selectors: ['getOrders.codes'],
    purchases: 2,
    waits: [{ orders: 2, product: 'voucher' }],
  },
  run: async (context) => {
    const { api } = context
    const bought = await buyFinished(context, 'voucher', 'SUCCESS')
    const other = await buyFinished(context, 'voucher', 'SUCCESS')
    const first = await readMasked(context, bought)
    const second = await readMasked(context, other)
    const masked = [
      ...first.shown,
      ...second.shown,
      ...codesIn(context, needSuccess(await api.as('full').getOrders())),
    ]
    // A query that is refused may spend the budget of its order all the same.
    const otherReference = second.isPairRefused ? undefined : other.referenceId
    const revealed = [
      await reveal(context, bought.orderId),
      await reveal(context, other.orderId, otherReference),
    ] as const
    for (const each of revealed) judgeVouchers(context, each)
    const values = revealed.flatMap(({ codes }) => codes)
    const clear = clearCodes(values, masked)
    context.revealed(clear)
    // After the reveal the codes may come from a cache.
    await readMasked(context, bought)
    if (values.length === 0) untested('no voucher was found where the target file says codes are')
    const exchanges = revealed.map(({ exchange }) => exchange)
    expectClear(context, 'every code is in clear', { codes: values, clear, exchanges })
  },
})

export const refusedReveal = check({
  id: 'reading.refused-reveal',
  title: 'an unhide read that is refused shows no code',
  requirements: ['UNHIDE-10'],
  needs: {
    ...BUYS_VOUCHERS,
    capabilities: ['shop', 'unhide'],
    roles: ['full'],
    selectors: ['getOrders.codes'],
    purchases: 1,
    waits: [{ orders: 1, product: 'voucher' }],
  },
  run: async (context) => {
    const { orderId } = await buyFinished(context, 'voucher', 'SUCCESS')
    const full = context.api.as('full')
    const masked = codesIn(context, needSuccess(await full.getOrders({ orderId })))
    const revealed = await reveal(context, orderId)
    const clear = clearCodes(revealed.codes, masked)
    context.revealed(clear)
    if (!clear.some(isTraceable))
      untested('the order has no code that is long enough to be found in other text')
    const finder = new CodeFinder(clear)
    const { count, windowSeconds } = context.limit('orders.unhide.completed')
    const sent: Exchange[] = []
    while (sent.length < 2 * count) {
      const again = await full.getOrders({ orderId, unhide: true }, RETURN_429_UNPACED)
      sent.push(again)
      if (!isThrottled(again)) continue
      const shown = [...(again.response?.headers ?? []).flat(), again.response?.body ?? '']
      context.expect('UNHIDE-10').that('the 429 of a read in clear', {
        holds: !finder.isIn(shown.join('\n')),
        expected: 'no code of the order',
        observed: finder.isIn(shown.join('\n')) ? 'a code in clear' : 'none',
        exchanges: [revealed.exchange, again],
      })
      return
    }
    unrefused([sent], windowSeconds, `${2 * count} reads more were not refused`)
  },
})

function judgeVouchers({ expect }: CheckContext, { exchange, codes }: Revealed): void {
  const status = itemsOf(exchange)?.[0]?.['status']
  if (status !== 'SUCCESS') untested(`the order is not SUCCESS: ${showRequest(exchange)}`)
  const count = vouchersOf(exchange)?.length ?? codes.length
  expect('ORD-13').that(`${showRequest(exchange)} has the vouchers of the order`, {
    holds: count > 0,
    expected: 'at least one voucher',
    observed: `${count} vouchers`,
    exchanges: [exchange],
  })
}
