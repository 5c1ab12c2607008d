import { show } from '../engine/kit.ts'
import { everySeen, firstAnswers, type SeenPurchase } from '../steps/orders-seen.ts'
import { envelopeStatusOf, isKnownStatus, isShownPending } from '../steps/states.ts'

const PENDING = 'IN_PROGRESS'

function isAnsweredBy(status: number): (seen: SeenPurchase) => boolean {
  return ({ exchange }) => exchange.response?.status === status
}

export const pendingIsAccepted = everySeen<SeenPurchase>({
  id: 'states.every-pending-accepted',
  title: 'no new order of any kind that is IN_PROGRESS is answered by 200',
  requirement: 'ASYNC-01',
  statement: 'a new order that is answered by 200 has finished',
  subjects: ({ history }) =>
    firstAnswers(history)
      .filter(isAnsweredBy(200))
      .filter((seen) => statesOf(seen).length > 0),
  nothing: 'no new order was answered by 200, and none has to',
  isOptional: true,
  breach: (seen) =>
    statesOf(seen).includes(PENDING)
      ? `200 for a ${show(seen.kind)} order with status ${show(statesOf(seen))}`
      : undefined,
})

export const acceptedIsPending = everySeen<SeenPurchase>({
  id: 'states.every-accepted-pending',
  title: 'every new order of any kind that is answered by 202 is IN_PROGRESS',
  requirement: 'ASYNC-02',
  statement: 'a new order that is answered by 202 is IN_PROGRESS',
  subjects: ({ history }) =>
    firstAnswers(history)
      .filter(isAnsweredBy(202))
      .filter((seen) => statesOf(seen).length > 0),
  nothing: 'no new order was answered by 202, and none has to',
  isOptional: true,
  breach: (seen) =>
    isShownPending(seen.exchange, seen.value['status'])
      ? undefined
      : `202 for a ${show(seen.kind)} order with status ${show(statesOf(seen))}`,
})

/** In envelope and order, those that are known. */
function statesOf({ exchange, value }: SeenPurchase): readonly unknown[] {
  return [envelopeStatusOf(exchange), value['status']].filter(isKnownStatus)
}
