/** Time as a dependency: the same checks run against real windows and, in our own tests, in milliseconds of virtual time. */
import { setImmediate as nextTurn, setTimeout as timeout } from 'node:timers/promises'

export interface Clock {
  /** Monotonic milliseconds, with fractions. Only differences mean something. */
  nowMs(): number
  /** Milliseconds since the epoch, for records and for Date headers. */
  wallMs(): number
  /** Resolves once the monotonic clock has passed `ms` more. Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** Sleeps until the monotonic clock has passed `goalMs`. */
export async function sleepUntil(
  clock: Clock,
  goalMs: number,
  signal?: AbortSignal,
): Promise<void> {
  await clock.sleep(goalMs - clock.nowMs(), signal)
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

type Sleeper = { readonly goalMs: number; readonly order: number; readonly wake: () => void }

/** Turns of the event loop without work after which everything is taken to be asleep. */
const IDLE_TURNS = 4

/**
 * Virtual time: jumps to the next sleeper as soon as the event loop has nothing else to do. Holds for work that runs in this
 * process on promises; real sockets need the real clock.
 */
export class VirtualClock implements Clock {
  #nowMs = 0
  #order = 0
  #sleepers: Sleeper[] = []
  #advancing = false
  readonly #epochMs: number

  constructor(epochMs = Date.UTC(2026, 0, 1)) {
    this.#epochMs = epochMs
  }

  nowMs(): number {
    return this.#nowMs
  }

  wallMs(): number {
    return this.#epochMs + this.#nowMs
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error)
    if (ms <= 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#sleepers = this.#sleepers.filter((sleeper) => sleeper !== entry)
        reject(signal?.reason as Error)
      }
      const entry: Sleeper = {
        goalMs: this.#nowMs + ms,
        order: this.#order++,
        wake: () => {
          signal?.removeEventListener('abort', onAbort)
          resolve()
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#sleepers.push(entry)
      if (!this.#advancing) void this.#advance()
    })
  }

  async #advance(): Promise<void> {
    this.#advancing = true
    while (this.#sleepers.length > 0) {
      for (let turn = 0; turn < IDLE_TURNS; turn++) await nextTurn()
      this.#wakeNext()
    }
    this.#advancing = false
  }

  #wakeNext(): void {
    const goalMs = Math.min(...this.#sleepers.map((sleeper) => sleeper.goalMs))
    if (!Number.isFinite(goalMs)) return
    this.#nowMs = Math.max(this.#nowMs, goalMs)
    const due = this.#sleepers.filter((sleeper) => sleeper.goalMs <= goalMs)
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.goalMs > goalMs)
    for (const sleeper of due.toSorted((a, b) => a.order - b.order)) sleeper.wake()
  }
}
