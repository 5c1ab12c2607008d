import { setImmediate as nextTurn } from 'node:timers/promises'
import TinyQueue from 'tinyqueue'
import type { Clock } from '../../harness/clock.ts'

/** Turns of the event loop without work after which everything is taken to be asleep: some work, as of modules loaded late, needs several. */
const IDLE_TURNS = 4

/**
 * Virtual time: jumps to the next sleeper as soon as the event loop has nothing else to do. Holds for work that runs in this
 * process on promises; real sockets need the real clock.
 */
export class VirtualClock implements Clock {
  #nowMs = 0
  /** Who sleeps, by the moment of waking, in the order of falling asleep. */
  readonly #sleepers = new Map<number, Set<() => void>>()
  /** The keys of it, the earliest first. */
  readonly #goalsMs = new TinyQueue<number>()
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
      const goalMs = this.#nowMs + ms
      const onAbort = (): void => {
        this.#sleepers.get(goalMs)?.delete(wake)
        reject(signal?.reason as Error)
      }
      const wake = (): void => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      const others = this.#sleepers.get(goalMs)
      if (others) others.add(wake)
      else {
        this.#sleepers.set(goalMs, new Set([wake]))
        this.#goalsMs.push(goalMs)
      }
      if (!this.#advancing) void this.#advance()
    })
  }

  async #advance(): Promise<void> {
    this.#advancing = true
    while (this.#goalsMs.length > 0) {
      for (let turn = 0; turn < IDLE_TURNS; turn++) await nextTurn()
      this.#wakeNext()
    }
    this.#advancing = false
  }

  #wakeNext(): void {
    const goalMs = this.#goalsMs.pop() ?? this.#nowMs
    const due = this.#sleepers.get(goalMs) ?? []
    this.#sleepers.delete(goalMs)
    this.#nowMs = goalMs
    for (const wake of due) wake()
  }
}
