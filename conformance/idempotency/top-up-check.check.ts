import { amountOf } from '../../harness/client/bodies.ts'
import { type Exchange, check, isAccepted, needSuccess, show, untested } from '../engine/kit.ts'
import { CHECKS_TOP_UPS, untilProviderAnswers } from '../steps/dtu-check.ts'

export const topUpCheckWithoutReference = check({
  id: 'idempotency.top-up-check-without-reference',
  title: 'the check of a top-up needs no referenceId',
  requirements: ['IDEM-02'],
  needs: CHECKS_TOP_UPS,
  run: async (context) => {
    const { api, expect, reference, target } = context
    const order = { product: 'dtu', kind: 'dtu-check', ...amountOf(target, 'dtu') } as const
    const full = api.as('full')
    const ask = (referenceId?: string): Promise<Exchange> =>
      untilProviderAnswers(context, () => full.createOrder({ ...order, referenceId }))
    const control = needSuccess(await ask(reference()))
    const without = await ask()
    const status = without.response?.status ?? 0
    if (status === 504 || status === 0)
      untested(`the provider did not answer the check without a referenceId: HTTP ${show(status)}`)
    expect('IDEM-02').that('the same check without a referenceId is carried out', {
      holds: isAccepted(without),
      expected: 'a success, as with a referenceId',
      observed: `HTTP ${status} ${show(without.json)}`,
      exchanges: [control, without],
    })
  },
})
