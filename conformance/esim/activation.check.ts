import type { CheckContext, Exchange, RequirementId } from '../engine/kit.ts'
import { asText, check, inapplicable, isObject, show, showAnswer, untested } from '../engine/kit.ts'
import { isTerminal } from '../../contract/wire.ts'
import { validateMessage } from '../../harness/schema/validate.ts'
import { replay, replayOfSameOrder } from '../steps/idempotency.ts'
import { answersHaveNoResult } from '../steps/order-results.ts'
import { dataOf, isUsd, itemsOf, type Bought } from '../steps/orders.ts'
import { reveal } from '../steps/reading.ts'
import { envelopeStatusOf, isShownPending } from '../steps/states.ts'
import {
  buyEsim,
  BUYS_ESIMS,
  expectWait,
  isActivation,
  needIssued,
  OPTIONAL_FIELDS,
  payloadOf,
  pollEsim,
  shapeOf,
  type Reading,
} from '../steps/esim.ts'

/** One answer that shows the finished order. */
type View = { readonly exchange: Exchange; readonly result: unknown }

const OF_PENDING = ['ESIM-04', 'ESIM-05', 'ESIM-06', 'ESIM-07'] as const
const OF_ISSUED: readonly RequirementId[] = [
  'ESIM-11',
  'ESIM-12',
  ...OPTIONAL_FIELDS.map(([, requirement]) => requirement),
  'ESIM-18',
]

export const activation = check({
  id: 'esim.activation',
  formerIds: ['esim.pending', 'esim.issued-in-time'],
  title:
    'an eSIM is pending at first, is issued in time, and then has its activation, priced in USD, with fields of the declared types',
  requirements: ['ESIM-02', ...OF_PENDING, ...OF_ISSUED, 'ESIM-22'],
  needs: { ...BUYS_ESIMS, purchases: 2, waits: [{ orders: 1, product: 'esim' }] },
  run: async (context) => {
    const bought = await buyEsim(context)
    judgePending(context, bought.exchange)
    const { currency } = dataOf(bought.exchange)
    if (typeof currency === 'string')
      context.expect('ESIM-02').that('the currency of the order', {
        holds: isUsd(currency),
        expected: 'USD',
        observed: show(currency),
        exchanges: [bought.exchange],
      })
    else context.leaveUndecided('ESIM-02', 'the order has no currency, which ORD-06 decides')
    const issued = await judgeIssued(context, bought)
    if (!issued) return
    const views = await viewsOf(context, bought, issued)
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

/** What an eSIM that is not issued yet is answered with. */
function judgePending(context: CheckContext, exchange: Exchange): void {
  const { expect } = context
  const data = dataOf(exchange)
  // One eSIM cannot be delivered in part: with no payload such a state is a wrong word for pending.
  const isWronglyPartial = data['status'] === 'PARTIALLY_COMPLETED' && data['result'] === null
  // The state tells whether it is issued. Beside another state, only an activation does: any other result is not null while pending.
  const isIssued =
    isActivation(payloadOf(data['result'])) || (isTerminal(data['status']) && !isWronglyPartial)
  context.observe('OPEN-77', `an eSIM is ${isIssued ? 'issued at once' : 'pending at first'}`, [
    exchange,
  ])
  if (isIssued) {
    const reason = 'the eSIM was issued at once, so nothing was pending'
    for (const each of OF_PENDING) context.leaveUndecided(each, reason, 'inapplicable')
    return
  }
  expect('ESIM-04').status(exchange, 202)
  expect('ESIM-05').that('an eSIM without a payload is IN_PROGRESS', {
    holds: isShownPending(exchange, data['status']),
    expected: 'status IN_PROGRESS',
    observed: `${show(envelopeStatusOf(exchange))} in the envelope, ${show(data['status'])} in data`,
    exchanges: [exchange],
  })
  // A member that is not required may be left out where it is null (OPEN-75).
  expect('ESIM-06').that('the result of an eSIM without a payload is null', {
    holds: (data['result'] ?? null) === null,
    expected: '"result": null, or no result',
    observed: 'result' in data ? `result ${shapeOf(data['result'])}` : 'no result',
    exchanges: [exchange],
  })
  expectWait(context, exchange)
}

/** The interface: normally issued within one to two minutes. */
const ISSUED_WITHIN_SECONDS = 120

/** Gives the reading of the eSIM as it was issued, however late. Undefined where it never is. */
async function judgeIssued(context: CheckContext, bought: Bought): Promise<Reading | undefined> {
  const readings = await pollEsim(context, bought, { seconds: ISSUED_WITHIN_SECONDS })
  const last = readings.at(-1)
  const status = last?.item['status']
  if (!last || !['IN_PROGRESS', 'SUCCESS'].includes(asText(status)))
    untested(`the order ended in ${show(status)}, without a payload`)
  const seconds = (last.exchange.receivedAtMs - bought.exchange.receivedAtMs) / 1000
  const isIssued = context.expect('ESIM-22').that('the eSIM is issued', {
    holds: status === 'SUCCESS',
    expected: `SUCCESS within ${ISSUED_WITHIN_SECONDS} seconds`,
    observed: `${show(status)} after ${seconds.toFixed(1)} seconds, in ${readings.length} readings`,
    exchanges: [bought.exchange, last.exchange],
  })
  if (isIssued) return last
  const later = await pollEsim(context, bought)
  const late = later.at(-1)
  if (late?.item['status'] === 'SUCCESS') return late
  for (const each of OF_ISSUED) context.leaveUndecided(each, 'the eSIM was never issued')
  return undefined
}

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
  // An empty text may be what the supplier gave. Null is none of the declared type, so nobody gave it.
  const empty = OPTIONAL_FIELDS.map(([field]) => field).filter((field) => clear[field] === null)
  expect('ESIM-18').that('fields that the supplier did not give are left out', {
    holds: empty.length === 0,
    expected: 'no declared field that is null',
    observed: empty.length === 0 ? 'none' : `${empty.join(', ')} null`,
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
