import type { CheckContext, Exchange } from '../engine/kit.ts'
import { needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { askForCheck } from './dtu-check.ts'

export const TIMED_OUT = 504

/** The check of a top-up whose provider stays silent, after one whose provider answers succeeded. */
export async function needSilence(context: CheckContext, referenceId: string): Promise<Exchange> {
  needSuccess(await askForCheck(context))
  const exchange = await askForCheck(context, { product: 'dtu-timeout', referenceId })
  if (!exchange.response) untested(`the check had no answer: ${showAnswer(exchange)}`)
  return exchange
}

/** It is answered as it has to be. */
export function needTimedOut(exchange: Exchange): Exchange {
  if (exchange.response?.status !== TIMED_OUT)
    untested(`a silent provider is not answered by HTTP 504: ${showAnswer(exchange)}`)
  return exchange
}
