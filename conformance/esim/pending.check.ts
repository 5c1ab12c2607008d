import { show } from '../engine/kit.ts'
import { RETRY_AFTER_SECONDS } from '../../contract/wire.ts'
import { headerValues } from '../../harness/client/headers.ts'
import { everySeen, purchasesSeen, type SeenPurchase } from '../steps/orders-seen.ts'

export const everyPending = everySeen<SeenPurchase>({
  id: 'esim.every-pending',
  title: 'every 202 of an eSIM without a payload, a replay too, has Retry-After: 15',
  requirement: 'ESIM-07',
  statement: 'the 202 of a pending eSIM has Retry-After: 15',
  subjects: ({ history }) =>
    purchasesSeen(history).filter(
      ({ kind, exchange, value }) =>
        kind === 'esim' && exchange.response?.status === 202 && value['status'] === 'IN_PROGRESS',
    ),
  nothing: 'no eSIM was pending, and none has to be',
  isOptional: true,
  breach: ({ exchange }) => {
    const [wait, ...others] = headerValues(exchange, 'retry-after')
    const isRight = others.length === 0 && wait?.trim() === String(RETRY_AFTER_SECONDS.esimPending)
    return isRight ? undefined : `Retry-After ${show(wait)}`
  },
})
