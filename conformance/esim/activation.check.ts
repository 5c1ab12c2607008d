import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, inapplicable, isObject, show, showAnswer, untested } from '../engine/kit.ts'
import { validateMessage } from '../../harness/schema/validate.ts'
import { replay, replayOfSameOrder } from '../steps/idempotency.ts'
import { answersHaveNoResult } from '../steps/order-results.ts'
import { dataOf, isUsd, itemsOf, type Bought } from '../steps/orders.ts'
import { reveal } from '../steps/reading.ts'
import {
  buyEsim,
  BUYS_ESIMS,
  needIssued,
  OPTIONAL_FIELDS,
  shapeOf,
  type Reading,
} from '../steps/esim.ts'

/** One answer that shows the finished order. */
type View = { readonly exchange: Exchange; readonly result: unknown }

export const activation = check({
  id: 'esim.activation',
  title:
    'a finished eSIM order has its activation, priced in USD, with fields of the declared types',
  requirements: [
    'ESIM-02',
    'ESIM-11',
    'ESIM-12',
    'ESIM-13',
    'ESIM-14',
    'ESIM-15',
    'ESIM-16',
    'ESIM-17',
    'ESIM-18',
  ],
  needs: { ...BUYS_ESIMS, purchases: 2, waits: [{ orders: 1, product: 'esim' }] },
  run: async (context) => {
    const bought = await buyEsim(context)
    const { currency } = dataOf(bought.exchange)
    if (typeof currency !== 'string') untested('the order has no currency, which ORD-06 decides')
    context.expect('ESIM-02').that('the currency of the order', {
      holds: isUsd(currency),
      expected: 'USD',
      observed: show(currency),
      exchanges: [bought.exchange],
    })
    const views = await viewsOf(context, bought, await needIssued(context, bought))
    const exchanges = views.map(({ exchange }) => exchange)
    const found = views.map(({ result }) => (isObject(result) ? result['esim'] : undefined))
    const isThere = context.expect('ESIM-11').that('result.esim of the finished order', {
      holds: found.every(isObject),
      expected: 'an object in every answer that shows the result',
      observed: found.map(shapeOf).join('; '),
      exchanges,
    })
    const payloads = found.filter(isObject)
    if (!isThere || !payloads[0]) untested('there is no activation to look at')
    if (!isRevealed(context)) needNothingHidden(payloads[0])
    judgeFields(context, payloads, exchanges)
    // The invariants hold what it shows against the other answers.
    await replay(context, bought, { product: 'esim', kind: 'esim' })
  },
})

/**
 * What shows the result of the finished order, the surest view in clear first. A list item need not have a result, for its fields are
 * not shown; the replay of the purchase has it then.
 */
async function viewsOf(
  context: CheckContext,
  bought: Bought,
  issued: Reading,
  product: 'esim' | 'esim-raw' = 'esim',
): Promise<readonly View[]> {
  const readings = isRevealed(context)
    ? [(await reveal(context, bought.orderId)).exchange, issued.exchange]
    : [issued.exchange]
  const views = readings.flatMap((exchange) => {
    const item = itemsOf(exchange)?.[0]
    // That it stays SUCCESS is decided by STATE-03.
    if (item?.['status'] !== 'SUCCESS') untested('the order was SUCCESS and then was not')
    return 'result' in item ? [{ exchange, result: item['result'] }] : []
  })
  if (views.length > 0) return views
  const replayed = await replayOfSameOrder(context, bought, { product, kind: 'esim' })
  const { status, result } = dataOf(replayed)
  if (
    (dataOf(replayed)['result'] ?? undefined) === undefined &&
    (await answersHaveNoResult(context))
  )
    inapplicable('neither answers to purchases nor list items have a result')
  if (status !== 'SUCCESS')
    untested(`no answer shows the result of the finished order: ${showAnswer(replayed)}`)
  return [{ exchange: replayed, result }]
}

function isRevealed({ target }: CheckContext): boolean {
  return target.capabilities.includes('unhide')
}

/** How a masked activation looks is not shown: what is not there may be hidden. */
function needNothingHidden(payload: Payload): void {
  const isHidden = (payload['qrCodeText'] ?? '') === '' || Object.values(payload).includes(null)
  if (isHidden)
    untested(
      'the activation is masked, and the target does not declare unhide, which would show it',
    )
}

type Payload = Readonly<Record<string, unknown>>

/** Masked answers may leave out or empty what they hide, so that is only judged in the first, which is in clear. */
function judgeFields(
  { expect }: CheckContext,
  payloads: readonly Payload[],
  exchanges: readonly Exchange[],
): void {
  const [clear = {}] = payloads
  const { qrCodeText } = clear
  expect('ESIM-12').that('qrCodeText of a regular activation', {
    holds: typeof qrCodeText === 'string' && qrCodeText.trim() !== '',
    expected: 'a text that can be used',
    observed: show(qrCodeText),
    exchanges,
  })
  for (const [field, requirement] of OPTIONAL_FIELDS) {
    const given = payloads.map((payload) => payload[field] ?? undefined)
    const wrong = given.filter((value) => value !== undefined && !isValid(field, value))
    expect(requirement).that(`${field} of an activation`, {
      holds: wrong.length === 0,
      expected: 'a text, or left out',
      observed: wrong.length > 0 ? show(wrong[0]) : given[0] === undefined ? 'left out' : 'a text',
      exchanges,
    })
  }
  const empty = OPTIONAL_FIELDS.map(([field]) => field).filter(
    (field) => field in clear && (clear[field] === null || clear[field] === ''),
  )
  expect('ESIM-18').that('fields that the supplier did not give are left out', {
    holds: empty.length === 0,
    expected: 'no declared field that is null or empty',
    observed: empty.length === 0 ? 'none' : `${empty.join(', ')} without a value`,
    exchanges: exchanges.slice(0, 1),
  })
}

function isValid(field: string, value: unknown): boolean {
  const violations = validateMessage('esim-activation', { qrCodeText: 'x', [field]: value })
  return violations.length === 0
}

export const rawPayload = check({
  id: 'esim.raw-payload',
  title: 'a supplier payload without a usable qrCodeText comes back as the raw object',
  requirements: ['ESIM-21'],
  needs: {
    ...BUYS_ESIMS,
    products: ['esim-raw'],
    purchases: 2,
    waits: [{ orders: 1, product: 'esim-raw' }],
  },
  run: async (context) => {
    const bought = await buyEsim(context, 'esim-raw')
    const issued = await needIssued(context, bought, 'esim-raw')
    for (const { exchange, result } of await viewsOf(context, bought, issued, 'esim-raw')) {
      const isInside = isObject(result) && 'esim' in result
      const payload = isInside ? result['esim'] : result
      context.expect('ESIM-21').that('the raw payload of the product esim-raw', {
        holds: isObject(payload) && Object.keys(payload).length > 0 && !hasUsableCode(payload),
        expected:
          'an object with what the supplier gave; this product’s payload has no qrCodeText that can be used',
        observed: shapeOf(payload),
        exchanges: [exchange],
      })
      context.observe('OPEN-49', `the raw payload is at ${isInside ? 'result.esim' : 'result'}`, [
        exchange,
      ])
    }
  },
})

/** A supplier may give an empty one or null, and the raw object then has it. */
function hasUsableCode({ qrCodeText }: Payload): boolean {
  return typeof qrCodeText === 'string' ? qrCodeText.trim() !== '' : (qrCodeText ?? null) !== null
}
