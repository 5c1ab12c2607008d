import { validateMessage } from '../../harness/schema/validate.ts'
import { type Exchange, check, needSuccess, show, showAnswer } from '../engine/kit.ts'
import { BUYS_VOUCHERS } from '../steps/orders.ts'

const DEPTH = 2_000

/** Bodies that are no JSON, or JSON that is no order. What answers them often is a framework, not the service. */
const BODIES = [
  '{"ordersType":',
  '',
  'null',
  '[]',
  '"order"',
  '[{}]',
  '{"ordersType":"shop"}}',
  '['.repeat(DEPTH) + ']'.repeat(DEPTH),
] as const

export const brokenJson = check({
  id: 'validation.broken-json',
  title: 'a body that is no JSON object is answered by a client error, with the envelope',
  requirements: ['VAL-01', 'ERR-01'],
  needs: { ...BUYS_VOUCHERS, roles: ['full'], purchases: 1 + BODIES.length },
  run: async (context) => {
    const { api, expect, reference } = context
    const full = api.as('full')
    needSuccess(await full.createOrder({ product: 'voucher', referenceId: reference() }))
    const sent: Exchange[] = []
    for (const rawBody of BODIES) sent.push(await full.send('createOrder', {}, { rawBody }))
    const odd = sent.find(({ response }) => Math.floor((response?.status ?? 0) / 100) !== 4)
    // Which client error it is, 400 or 422, depends on what counts as validation.
    expect('VAL-01').that(`${sent.length} bodies that are no order`, {
      holds: odd === undefined,
      expected: 'HTTP 422, or another client error',
      observed: odd ? `${show(odd.request.body)}: ${showAnswer(odd)}` : 'each got one',
      exchanges: odd ? [odd] : sent,
    })
    const bare = sent.find(({ json }) => validateMessage('envelope', json).length > 0)
    expect('ERR-01').that(`answers to ${sent.length} bodies that are no order`, {
      holds: bare === undefined,
      expected: 'an envelope each',
      observed: bare ? `${show(bare.request.body)}: ${showAnswer(bare)}` : 'each is one',
      exchanges: bare ? [bare] : sent,
    })
  },
})
