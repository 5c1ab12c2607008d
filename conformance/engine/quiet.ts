/** Hundreds of checks side by side slow each other down. What their numbers left open is tried once more when the others have ended. */
import type { Clock } from '../../harness/clock.ts'

const POLL_MS = 50

/** What all such checks may take together. Each is expected to take as long as it took before. */
export const QUIET_SECONDS_MAX = 120

type Options = {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Whether other checks are under way. */
  readonly isBusy: () => boolean
}

/** Lets one after the other act, once no other check is under way. */
export class Quiet {
  readonly #options: Options
  #turn = Promise.resolve()
  #spentSeconds = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Undefined where there is no time left for it, or the run has to end. */
  async run<T>(seconds: number, act: () => Promise<T>): Promise<T | undefined> {
    const { clock, signal } = this.#options
    const before = this.#turn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#turn = promise
    try {
      await before
      await this.#othersEnded()
      if (signal.aborted || this.#spentSeconds + seconds > QUIET_SECONDS_MAX) return undefined
      const startedMs = clock.nowMs()
      const done = await act()
      this.#spentSeconds += (clock.nowMs() - startedMs) / 1000
      return done
    } finally {
      resolve()
    }
  }

  async #othersEnded(): Promise<void> {
    const { clock, signal, isBusy } = this.#options
    while (isBusy() && !signal.aborted) await clock.sleep(POLL_MS, signal).catch(() => {})
  }
}
