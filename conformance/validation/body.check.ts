import type { Exchange } from '../engine/kit.ts'
import { check, isAccepted, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { BUYS_VOUCHERS } from '../steps/orders.ts'

export const repairedBody = check({
  id: 'validation.repaired',
  title: 'an order that was refused by 422 is accepted once its body is put right',
  requirements: ['VAL-03'],
  needs: { ...BUYS_VOUCHERS, roles: ['full'], purchases: 3 },
  run: async (context) => {
    const { api, expect, reference } = context
    const order = (referenceId: string | undefined): Promise<Exchange> =>
      api.as('full').createOrder({ product: 'voucher', referenceId })
    needSuccess(await order(reference()))
    const refused = await order(undefined)
    if (refused.response?.status !== 422)
      untested(`an order without referenceId was not answered by 422: ${showAnswer(refused)}`)
    const repaired = await order(reference())
    expect('VAL-03').that('the same order with a referenceId is accepted', {
      holds: isAccepted(repaired),
      expected: 'success',
      exchanges: [refused, repaired],
    })
  },
})
