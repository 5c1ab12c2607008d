import { ENDING_SIGNALS, SIGNAL_EXIT_CODES, type EndingSignal } from '../signals.ts'

/** Turns Ctrl-C, SIGTERM and a closed terminal into an orderly end: the record is written with what was measured. A second signal ends at once. */
export class Interruption {
  readonly #controller = new AbortController()
  readonly #onSecond: (by: EndingSignal) => void
  #by: EndingSignal | undefined

  constructor(onSecond: (by: EndingSignal) => void) {
    this.#onSecond = onSecond
    for (const each of ENDING_SIGNALS) process.on(each, this.#interrupt)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get by(): EndingSignal | undefined {
    return this.#by
  }

  [Symbol.dispose](): void {
    for (const each of ENDING_SIGNALS) process.off(each, this.#interrupt)
  }

  readonly #interrupt = (by: EndingSignal): void => {
    if (this.#by) {
      // A closing terminal sends it more than once, and a shutdown sends it after SIGTERM: nobody asked for haste.
      if (by !== 'SIGHUP') this.#onSecond(by)
      return
    }
    this.#by = by
    this.#controller.abort(new Error(`interrupted by ${by}`))
  }
}

/**
 * Ends the process at a signal wherever nobody else answers it: while modules are loaded, where nothing is recorded, and after the
 * verdict, which then stands.
 */
export function endAtSignals(): void {
  for (const each of ENDING_SIGNALS)
    if (!process.listeners(each).includes(endUnanswered)) process.on(each, endUnanswered)
}

function endUnanswered(by: NodeJS.Signals): void {
  if (process.listenerCount(by) > 1) return
  const code = SIGNAL_EXIT_CODES[by as EndingSignal]
  if (process.exitCode === undefined)
    process.stderr.write(`Interrupted (exit ${code}); there is no record.\n`)
  process.exit(process.exitCode ?? code)
}
