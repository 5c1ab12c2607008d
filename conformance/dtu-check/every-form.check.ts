import { amountOf } from '../../harness/client/bodies.ts'
import { permittedAmounts } from '../../harness/judge/quantity.ts'
import type { Api, CheckContext, Exchange, Needs, OrderRequest } from '../engine/kit.ts'
import {
  check,
  isAccepted,
  offeredOf,
  isThrottled,
  makerOf,
  onlyWithControlSide,
} from '../engine/kit.ts'
import { CHECKS_TOP_UPS } from '../steps/dtu-check.ts'
import { COUNT, few, SCOPES, untilRefused } from '../steps/limits/endpoints.ts'
import { OTHER_KINDS } from '../steps/kinds.ts'
import { areWithin, RETURN_429_UNPACED, unrefused } from '../steps/rate-limits/between-refusals.ts'
import { quantityRule } from '../steps/catalog-listing.ts'

type Form = {
  readonly what: string
  readonly needs: Needs
  readonly order: (context: CheckContext) => Promise<Ordered | undefined>
}

type Ordered = Omit<OrderRequest, 'referenceId'>

const FORMS: readonly Form[] = [
  {
    what: 'checks of a top-up by units',
    needs: OTHER_KINDS.units.needs,
    order: async (context) => {
      const [amount] = permittedAmounts(await quantityRule(context))
      return amount === undefined ? undefined : { product: 'quantity', amount }
    },
  },
  {
    what: 'checks whose provider answers the second time',
    needs: { products: ['dtu-slow'] },
    order: (context) =>
      Promise.resolve({ product: 'dtu-slow', ...amountOf(context.target, 'dtu-slow') } as const),
  },
]

export const everyForm = check({
  id: 'dtu-check.every-form',
  title: 'checks of every form spend the check bucket',
  requirements: ['RATE-02'],
  needs: {
    ...CHECKS_TOP_UPS,
    waits: [{ seconds: 0.2, reason: 'a provider that answers the second time' }],
    ofKeysOfFile: onlyWithControlSide('accounts with a check bucket of their own'),
  },
  run: async (context) => {
    const limit = few(context.limit('orders.check'))
    const { windowSeconds } = limit
    const limits = { 'orders.check': limit }
    const inVain: Exchange[][] = []
    let judged = 0
    const spend = async (asked: Ordered): Promise<readonly Exchange[]> => {
      const [api] = (await makerOf(context)({ keys: [{ scopes: SCOPES }], limits })) as [Api]
      const order = { ...asked, kind: 'dtu-check' } as const
      return untilRefused(() =>
        api.createOrder({ ...order, referenceId: context.reference() }, RETURN_429_UNPACED),
      )
    }
    // Control: the account has the bucket that it was made with.
    const usual = await spend({ product: 'dtu', ...amountOf(context.target, 'dtu') })
    if (!usual.some(isThrottled))
      unrefused([[...usual]], windowSeconds, 'checks do not refuse what exceeds their bucket')
    for (const { what, order } of offeredOf(context.target, FORMS)) {
      const asked = await order(context)
      if (!asked) continue
      const sent = [...(await spend(asked))]
      inVain.push(sent)
      const isSpent = sent.some(isThrottled)
      // What is not valid, or met a silent provider, may not be counted.
      const isJudged = sent.every((each) => isAccepted(each) || isThrottled(each))
      if (!isJudged || (!isSpent && !areWithin(sent, windowSeconds * 1000))) continue
      judged++
      context.expect('RATE-02').that(`${what}, beyond the check bucket of an account`, {
        holds: isSpent,
        expected: `HTTP 429 to one of ${sent.length}: the bucket admits ${COUNT}`,
        observed: isSpent ? '429' : `${sent.length} successes`,
        exchanges: sent.slice(-2),
      })
    }
    if (judged === 0) unrefused(inVain, windowSeconds, 'no check of another form is answered')
  },
})
