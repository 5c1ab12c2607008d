/** Exit codes of a run that a signal ended: SIGHUP is a closed terminal or a lost connection. */
export const SIGNAL_EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

export type EndingSignal = keyof typeof SIGNAL_EXIT_CODES

export const ENDING_SIGNALS = Object.keys(SIGNAL_EXIT_CODES) as EndingSignal[]

/** The signal that an exit code stands for; undefined for the code of a run that came to its end. */
export function signalOf(exitCode: unknown): EndingSignal | undefined {
  return ENDING_SIGNALS.find((signal) => SIGNAL_EXIT_CODES[signal] === exitCode)
}
