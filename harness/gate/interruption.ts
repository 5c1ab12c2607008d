/** Turns Ctrl-C and SIGTERM into an orderly end: the record is written with what was measured. A second signal ends at once. */
export class Interruption {
  readonly #controller = new AbortController()
  readonly #onSecond: (by: 'SIGINT' | 'SIGTERM') => void
  #by: 'SIGINT' | 'SIGTERM' | undefined
  readonly #listeners = {
    SIGINT: (): void => this.#interrupt('SIGINT'),
    SIGTERM: (): void => this.#interrupt('SIGTERM'),
  }

  constructor(onSecond: (by: 'SIGINT' | 'SIGTERM') => void) {
    this.#onSecond = onSecond
    process.on('SIGINT', this.#listeners.SIGINT).on('SIGTERM', this.#listeners.SIGTERM)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get by(): 'SIGINT' | 'SIGTERM' | undefined {
    return this.#by
  }

  [Symbol.dispose](): void {
    process.off('SIGINT', this.#listeners.SIGINT).off('SIGTERM', this.#listeners.SIGTERM)
  }

  #interrupt(by: 'SIGINT' | 'SIGTERM'): void {
    if (this.#by) {
      this.#onSecond(by)
      return
    }
    this.#by = by
    this.#controller.abort(new Error(`interrupted by ${by}`))
  }
}
