import { amountOf } from '../../harness/client/bodies.ts'
import type { CallOptions, CheckContext, Exchange, OrderRequest } from '../engine/kit.ts'
import {
  check,
  isAccepted,
  isOffered,
  isThrottled,
  showAnswer,
  showRequest,
  untested,
} from '../engine/kit.ts'
import { RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'
import { NEEDS_BUCKET, whileSpent } from '../steps/dtu-spent.ts'

/** Another amount of the product that the bucket is spent by, and another product. */
function otherChecks(context: CheckContext): readonly OrderRequest[] {
  const isAmountOpen = amountOf(context.target, 'dtu').amount !== undefined
  const hasOther = isOffered(context.target, { products: ['dtu-timeout'] })
  return [
    ...(isAmountOpen ? [{ product: 'dtu', amount: 2, referenceId: undefined } as const] : []),
    ...(hasOther
      ? [
          {
            product: 'dtu-timeout',
            ...amountOf(context.target, 'dtu-timeout'),
            referenceId: undefined,
          } as const,
        ]
      : []),
  ]
}

export const oneBucket = check({
  id: 'dtu-check.one-bucket',
  title: 'checks of another product or amount, or without a referenceId, count in the same bucket',
  requirements: ['RATE-02'],
  needs: NEEDS_BUCKET,
  run: async (context) => {
    const { api, expect, reference } = context
    const ask = (order: OrderRequest, options: CallOptions = {}): Promise<Exchange> =>
      api.as('full').createOrder({ ...order, kind: 'dtu-check', referenceId: reference() }, options)
    const unreferenced = {
      product: 'dtu',
      kind: 'dtu-check',
      ...amountOf(context.target, 'dtu'),
    } as const
    const askWithout = (options: CallOptions = {}): Promise<Exchange> =>
      api.as('full').createOrder({ ...unreferenced, referenceId: undefined }, options)
    // A check needs no reference; one that is refused without may not be counted.
    const without = isAccepted(await askWithout()) ? [() => askWithout(RETURN_429_UNPACED)] : []
    const others: OrderRequest[] = []
    for (const order of otherChecks(context)) {
      const alone = await ask(order)
      // A provider that is silent was asked all the same; what is not valid may be refused before it is counted.
      if (isAccepted(alone) || alone.response?.status === 504) others.push(order)
    }
    if (others.length + without.length === 0)
      untested('no check but that of the one product and amount is answered')
    const { before, probes, after } = await whileSpent(
      context,
      ...others.map((order) => () => ask(order, RETURN_429_UNPACED)),
      ...without,
    )
    for (const probe of probes)
      expect('RATE-02').that(`${showRequest(probe)} while the bucket is spent`, {
        holds: isThrottled(probe),
        expected: 'HTTP 429: the bucket is of all checks of the account',
        observed: showAnswer(probe),
        exchanges: [before, probe, after],
        offending: probe,
      })
  },
})
