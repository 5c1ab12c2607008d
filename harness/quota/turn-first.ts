import type { Call, Pacer } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'

/** Who gives turns has no quota of its own here. */
export const NO_QUOTA: Pacer = { admit: () => undefined, settle: () => {} }

/**
 * Waits for a turn and then for quota, so that a unit is counted when it is spent. Only where nobody holds a counter while it waits for
 * its turn.
 */
export function turnFirst(turns: Pacer, quota: Pacer): Pacer {
  return {
    admit(call: Call, signal?: AbortSignal) {
      const waiting = turns.admit(call, signal)
      return waiting ? waiting.then(() => quota.admit(call, signal)) : quota.admit(call, signal)
    },
    settle(call: Call, exchange: Exchange, confirmed?: Promise<void>) {
      quota.settle(call, exchange)
      turns.settle(call, exchange, confirmed)
    },
  }
}
