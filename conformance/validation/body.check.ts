import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, isAccepted, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { isRefusedForBody } from '../steps/order-refusal.ts'
import { BUYS_VOUCHERS } from '../steps/orders.ts'
import { expectListed, expectReferenceNamed } from '../steps/validation-refusals.ts'

const NEEDS = { ...BUYS_VOUCHERS, roles: ['full'] } as const

async function order(
  { api }: CheckContext,
  referenceId: string | undefined,
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<Exchange> {
  return api.as('full').createOrder({ product: 'voucher', referenceId, overrides })
}

/** Positive control, then the same order without its referenceId: the one body that the interface plainly forbids. */
async function orderWithoutReference(context: CheckContext): Promise<Exchange> {
  needSuccess(await order(context, context.reference()))
  return order(context, undefined)
}

/** What builds on a 422 is untested without one. */
function need422(exchange: Exchange): void {
  if (exchange.response?.status !== 422)
    untested(`the broken body was not answered by 422: ${showAnswer(exchange)}`)
}

export const brokenBody = check({
  id: 'validation.status',
  title: 'a body that breaks a rule of its operation is answered by 422',
  requirements: ['VAL-01'],
  needs: { ...NEEDS, purchases: 3 },
  run: async (context) => {
    const withoutReference = await orderWithoutReference(context)
    const ofNoType = await order(context, context.reference(), { ordersType: 'no-such-type' })
    // A rule that the target does not enforce at all is a breach of that rule, which has a check of its own.
    const refused = [withoutReference, ofNoType].filter(isRefusedForBody)
    if (refused.length === 0)
      untested(
        `neither a missing referenceId nor an unknown ordersType is refused: ${showAnswer(withoutReference)}; ${showAnswer(ofNoType)}`,
      )
    for (const exchange of refused) context.expect('VAL-01').status(exchange, 422)
  },
})

export const errorsAreListed = check({
  id: 'validation.errors',
  title: 'a 422 lists what was wrong',
  requirements: ['VAL-02'],
  needs: { ...NEEDS, purchases: 2 },
  run: async (context) => {
    const refused = await orderWithoutReference(context)
    need422(refused)
    expectListed(context, 'an order without referenceId', refused)
  },
})

export const fieldIsNamed = check({
  id: 'validation.field',
  title: 'a field error names the field that was wrong',
  requirements: ['FIELD-04'],
  needs: { ...NEEDS, purchases: 2 },
  run: async (context) => {
    const refused = await orderWithoutReference(context)
    need422(refused)
    const open = expectReferenceNamed(context, 'shop', 'an order', refused)
    if (open !== undefined) untested(open)
  },
})

export const repairedBody = check({
  id: 'validation.repaired',
  title: 'an order that was refused by 422 is accepted once its body is put right',
  requirements: ['VAL-03'],
  needs: { ...NEEDS, purchases: 3 },
  run: async (context) => {
    const refused = await orderWithoutReference(context)
    need422(refused)
    const repaired = await order(context, context.reference())
    context.expect('VAL-03').that('the same order with a referenceId is accepted', {
      holds: isAccepted(repaired),
      expected: 'success',
      exchanges: [refused, repaired],
    })
  },
})
