import { type Exchange, check, isAccepted, needSuccess, show, untested } from '../engine/kit.ts'
import { untilProviderAnswers } from '../steps/dtu-check.ts'

/** Amount of a top-up where the product in the target file has none of its own. */
const AMOUNT_DEFAULT = 1

export const topUpCheckWithoutReference = check({
  id: 'idempotency.top-up-check-without-reference',
  title: 'the check of a top-up needs no referenceId',
  requirements: ['IDEM-02'],
  needs: {
    capabilities: ['dtu-check'],
    roles: ['full'],
    products: ['dtu'],
    orderKinds: ['dtu-check'],
  },
  run: async (context) => {
    const { api, expect, reference, target } = context
    const amount = target.products.dtu?.variables['amount'] ?? AMOUNT_DEFAULT
    const order = { product: 'dtu', kind: 'dtu-check', amount } as const
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
