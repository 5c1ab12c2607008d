import { check, inapplicable, show, showAnswer } from '../engine/kit.ts'
import { dataOf } from '../steps/orders.ts'
import { RETRY_AFTER_SECONDS, isTerminal } from '../../contract/wire.ts'
import { headerValues } from '../../harness/client/headers.ts'
import { everySeen, purchasesSeen, type SeenPurchase } from '../steps/orders-seen.ts'
import { envelopeStatusOf, isKnownStatus } from '../steps/states.ts'
import { buyEsim, BUYS_ESIMS, expectWait, isActivation, payloadOf, shapeOf } from '../steps/esim.ts'

const PENDING = 'IN_PROGRESS'

export const everyPending = everySeen<SeenPurchase>({
  id: 'esim.every-pending',
  title: 'every 202 of an eSIM without a payload, a replay too, has Retry-After: 15',
  requirement: 'ESIM-07',
  statement: 'the 202 of a pending eSIM has Retry-After: 15',
  subjects: ({ history }) =>
    purchasesSeen(history).filter(
      ({ kind, exchange, value }) =>
        kind === 'esim' && exchange.response?.status === 202 && value['status'] === PENDING,
    ),
  nothing: 'no eSIM was pending, and none has to be',
  isOptional: true,
  breach: ({ exchange }) => {
    const [wait, ...others] = headerValues(exchange, 'retry-after')
    const isRight = others.length === 0 && wait?.trim() === String(RETRY_AFTER_SECONDS.esimPending)
    return isRight ? undefined : `Retry-After ${show(wait)}`
  },
})

export const pendingPurchase = check({
  id: 'esim.pending',
  title:
    'an eSIM that is not issued yet is answered by 202, IN_PROGRESS, result null, Retry-After: 15',
  requirements: ['ESIM-04', 'ESIM-05', 'ESIM-06', 'ESIM-07'],
  needs: { ...BUYS_ESIMS, purchases: 1 },
  run: async (context) => {
    const { expect } = context
    const { exchange } = await buyEsim(context)
    const data = dataOf(exchange)
    // One eSIM cannot be delivered in part: with no payload such a state is a wrong word for pending.
    const isWronglyPartial = data['status'] === 'PARTIALLY_COMPLETED' && data['result'] === null
    // The state tells whether it is issued. Beside another state, only an activation does: any other result is not null while pending.
    const isIssued =
      isActivation(payloadOf(data['result'])) || (isTerminal(data['status']) && !isWronglyPartial)
    context.observe('OPEN-77', `an eSIM is ${isIssued ? 'issued at once' : 'pending at first'}`, [
      exchange,
    ])
    if (isIssued)
      inapplicable(`the eSIM was issued at once, so nothing was pending: ${showAnswer(exchange)}`)
    expect('ESIM-04').status(exchange, 202)
    const states = [envelopeStatusOf(exchange), data['status']]
    const shown = states.filter(isKnownStatus)
    expect('ESIM-05').that('envelope and order of an eSIM without a payload are IN_PROGRESS', {
      holds: shown.length > 0 && shown.every((each) => each === PENDING),
      expected: `status ${PENDING} in the envelope and in data`,
      observed: `${show(states[0])} in the envelope, ${show(states[1])} in data`,
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
  },
})
