import { HEADER } from '../../contract/wire.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, isAccepted, offeredOf, needSuccess, showAnswer } from '../engine/kit.ts'
import { aside } from '../steps/aside.ts'
import { observeProbes, WITHOUT_KEY_AND_MEDIA_TYPE } from '../steps/observed-probes.ts'
import { BUYS_VOUCHERS, findsNothing } from '../steps/orders.ts'
import { BASIC_KINDS, ordersOfKinds } from '../steps/kinds.ts'

/** A shop order with another Content-Type than JSON, or none. */
function orderWith(
  { api }: CheckContext,
  referenceId: string,
  contentType: string | null,
): Promise<Exchange> {
  return api
    .as('full')
    .createOrder(
      { product: 'voucher', referenceId },
      { headers: { [HEADER.contentType]: contentType } },
    )
}

const NEEDS = { ...BUYS_VOUCHERS, roles: ['full'] } as const

/** What else a 415 must not buy. */
const [, ...KINDS] = BASIC_KINDS

/** Each is bought first: what is refused to everyone says nothing about its header. */
async function judgeKinds(context: CheckContext): Promise<void> {
  for (const kind of offeredOf(context.target, KINDS)) {
    const control = await (await kind.begin(context, 'full'))()
    if (!isAccepted(control)) continue
    const referenceId = context.reference()
    const send = await kind.begin(context, 'full', referenceId)
    const refused = await send({ headers: { [HEADER.contentType]: null } })
    context.expect('CTYPE-01').status(refused, 415)
    const found = await context.api.as('full').getOrders({ referenceId })
    const repaired = await send()
    expectOnlyRepaired(context, kind.what, [refused, found, repaired])
  }
}

function expectOnlyRepaired(
  { expect }: CheckContext,
  what: string,
  exchanges: readonly [refused: Exchange, found: Exchange, repaired: Exchange],
): void {
  const [, found, repaired] = exchanges
  expect('CTYPE-04').that(`${what} exists only once the header was put right`, {
    holds: findsNothing(found) && isAccepted(repaired),
    expected: 'nothing under the referenceId after the 415, then a success',
    observed: `${showAnswer(found)}; then ${showAnswer(repaired)}`,
    exchanges,
  })
}

export const withoutMediaType = check({
  id: 'content-type.missing',
  title: 'a POST without Content-Type is answered by 415, and leaves nothing behind',
  requirements: ['CTYPE-01', 'CTYPE-04'],
  needs: { ...NEEDS, purchases: 2 + 2 * ordersOfKinds(KINDS) },
  run: async (context) => {
    const { api, expect, reference } = context
    needSuccess(await api.as('full').createOrder({ product: 'voucher', referenceId: reference() }))
    const referenceId = reference()
    const refused = await orderWith(context, referenceId, null)
    expect('CTYPE-01').status(refused, 415)
    // Without a body, frameworks often look at no header.
    const bare = { rawBody: '', headers: { 'content-type': null } }
    expect('CTYPE-01').status(await api.as('full').send('createOrder', {}, bare), 415)
    const found = await api.as('full').getOrders({ referenceId })
    const repaired = await orderWith(context, referenceId, 'application/json')
    expectOnlyRepaired(context, 'the order', [refused, found, repaired])
    await judgeKinds(context)
  },
})

/** The same media type (RFC 9110, 8.3.1), which the interface gives in one form only. */
const OTHERWISE_WRITTEN = [
  ['with a charset', 'application/json; charset=utf-8'],
  ['in another case', 'Application/JSON'],
] as const

export const otherMediaType = check({
  id: 'content-type.other',
  title: 'a POST with another media type is answered by 415, even if its body is JSON',
  requirements: ['CTYPE-02'],
  needs: { ...NEEDS, purchases: 1 + OTHERWISE_WRITTEN.length },
  run: async (context) => {
    const { expect, observe, reference } = context
    needSuccess(await orderWith(context, reference(), 'application/json'))
    for (const contentType of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/vnd.api+json',
      'text/json',
      '*/*',
      'text/plain; note=application/json',
    ])
      expect('CTYPE-02').status(await orderWith(context, reference(), contentType), 415)
    for (const [what, contentType] of OTHERWISE_WRITTEN) {
      const exchange = await orderWith(context, reference(), contentType)
      observe('OPEN-69', `${what}: HTTP ${exchange.response?.status ?? 'none'}`, [exchange])
    }
    await aside(() => observeProbes(context, WITHOUT_KEY_AND_MEDIA_TYPE))
  },
})
