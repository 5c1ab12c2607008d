import { setImmediate as turn } from 'node:timers/promises'

/** So long one piece of work may keep this process from all else. */
const SLICE_MS = 50

/** Cuts long work into slices, between which signals and sockets are heard. */
export class Turns {
  #startedMs = performance.now()

  /** Comes back at once while the slice lasts. */
  async next(): Promise<void> {
    if (performance.now() - this.#startedMs < SLICE_MS) return
    await turn()
    this.#startedMs = performance.now()
  }
}
