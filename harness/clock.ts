/** Time as a dependency: the same checks run against real windows and, in our own tests, in milliseconds of virtual time. */
import { setTimeout as timeout } from 'node:timers/promises'

export interface Clock {
  /** Monotonic milliseconds, with fractions. Only differences mean something. */
  nowMs(): number
  /** Milliseconds since the epoch, for records and for Date headers. */
  wallMs(): number
  /** Resolves once the monotonic clock has passed `ms` more. Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Sleeps until the monotonic clock has passed `goalMs`. */
export async function sleepUntil(clock: Clock, goalMs: number): Promise<void> {
  await clock.sleep(goalMs - clock.nowMs())
}

export class RealClock implements Clock {
  nowMs(): number {
    return performance.now()
  }

  wallMs(): number {
    return Date.now()
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const goalMs = this.nowMs() + ms
    // A timer may fire early by a fraction of a millisecond; a window edge does not forgive that.
    for (let leftMs = ms; leftMs > 0; leftMs = goalMs - this.nowMs())
      await timeout(Math.min(Math.ceil(leftMs), TIMER_MS_MAX), undefined, { signal })
  }
}

/** A longer timer of Node fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1
