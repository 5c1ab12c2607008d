import type { CallOptions, CheckContext, Exchange } from '../../engine/kit.ts'
import { showAnswer, untested } from '../../engine/kit.ts'

/** Time for the original to be carried out although nobody waits for its answer. */
export const COMPLETION_MS = 1_500

/** An answer may be quicker than we are, on a busy machine above all: so often it is tried to leave before one. */
export const ABANDONED_MAX = 4
const PAUSE_MS = 500

export type Abandoned = { readonly referenceId: string; readonly exchange: Exchange }

/** Sends a purchase and goes away after its last byte. */
export async function abandon(
  context: CheckContext,
  send: (referenceId: string, options: CallOptions) => Promise<Exchange>,
): Promise<Abandoned> {
  for (let number = 1; ; number++) {
    const referenceId = context.reference()
    const exchange = await send(referenceId, { abandon: true })
    if (exchange.error?.code === 'ABANDONED') return { referenceId, exchange }
    if (number === ABANDONED_MAX)
      untested(
        `none of ${ABANDONED_MAX} purchases could be left before its answer: ${showAnswer(exchange)}`,
      )
    await context.wait('a quieter moment', number * PAUSE_MS)
  }
}
