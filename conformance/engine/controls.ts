import type { Exchange } from '../../harness/client/exchange.ts'
import { isAccepted } from './answer.ts'
import { showAnswer, showRequest } from './describe.ts'
import { untested } from './undecided.ts'

/**
 * Positive control: what a check builds on must have worked, or a refusal that follows proves nothing. Otherwise the check is
 * untested; the failure itself is found by the check named for it.
 */
export function needSuccess(exchange: Exchange): Exchange {
  if (!isAccepted(exchange))
    untested(`the control failed: ${showRequest(exchange)} was answered ${showAnswer(exchange)}`, [
      exchange,
    ])
  return exchange
}

/** A control of who may read, where nothing is there to be read: finding nothing (an empty list or a 404, which is not shown) is success. */
export function needReadable(exchange: Exchange): Exchange {
  return exchange.response?.status === 404 ? exchange : needSuccess(exchange)
}

/** An answer that was read to its end: no interface limits how long a catalog may be, the client does. */
export function needWhole(exchange: Exchange): Exchange {
  if (exchange.response?.truncated === true)
    untested(
      `the answer is longer than the client reads (${exchange.response.body.length} characters): ${exchange.request.url}`,
    )
  return exchange
}
