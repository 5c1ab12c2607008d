/** What can stand between the harness and the service, for `virtualRun`. */
import type { Transport, WireRequest, WireResponse } from '../../harness/client/exchange.ts'
import type { Clock } from '../../harness/clock.ts'

/** A longer way: requests overtake each other, and the server acts anywhere between sending and receiving. */
export function delayed(transport: Transport, clock: Clock, delayMs: () => number): Transport {
  return {
    close: () => transport.close(),
    async send(request, { onSent, ...hooks } = {}, signal) {
      onSent?.()
      await clock.sleep(delayMs())
      const response = await transport.send(request, hooks, signal)
      await clock.sleep(delayMs())
      return response
    },
  }
}

/** A client that is held up: requests of a kind leave one after the other, so far apart. */
export function inSingleFile(
  transport: Transport,
  clock: Clock,
  gapMs: number,
  isOfKind: (request: WireRequest) => boolean,
): Transport {
  let freeAtMs = 0
  return {
    close: () => transport.close(),
    async send(request, hooks, signal) {
      if (isOfKind(request)) {
        const leavesAtMs = Math.max(freeAtMs, clock.nowMs())
        freeAtMs = leavesAtMs + gapMs
        await clock.sleep(leavesAtMs - clock.nowMs())
      }
      return transport.send(request, hooks, signal)
    },
  }
}

/** Something that answers in the service's place, where it wants to. */
export function answering(
  transport: Transport,
  answer: (request: WireRequest) => Partial<WireResponse> | undefined,
): Transport {
  return {
    close: () => transport.close(),
    async send(request, hooks, signal) {
      const other = answer(request)
      // Asked all the same: time passes, and the hooks are called.
      const response = await transport.send(request, hooks, signal)
      return other ? { ...response, headers: [], body: '', ...other } : response
    },
  }
}
