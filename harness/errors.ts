/**
 * Every error that the harness itself raises, with a stable code, the exit code it leads to and what to do next. Errors of the
 * target are findings, not errors.
 */
export const ERROR_CODES = {
  E_USAGE: { exitCode: 2, meaning: 'the command line could not be understood' },
  E_SELECTION_EMPTY: { exitCode: 5, meaning: 'the selection matches no check' },
  E_STOPPED: {
    exitCode: 5,
    meaning: 'the harness ended the run: it exceeded its plan, or the target seemed overloaded',
  },
  E_PRICE: { exitCode: 5, meaning: 'an order was charged more than was reckoned with' },
  E_TARGET_FILE_UNREADABLE: {
    exitCode: 2,
    meaning: 'the target file cannot be read or is not JSON',
  },
  E_TARGET_FILE_INVALID: { exitCode: 2, meaning: 'the target file breaks its schema' },
  E_TARGET_ENV_MISSING: {
    exitCode: 2,
    meaning: 'an environment variable that the target file names is not set',
  },
  E_TARGET_SECRET: {
    exitCode: 2,
    meaning: 'a secret stands in the clear where a reference belongs',
  },
  E_BUDGET: { exitCode: 2, meaning: 'the plan does not fit the bounds that were given' },
  E_PERMISSION: { exitCode: 2, meaning: 'the run would buy or load without permission' },
  E_RECORD_UNREADABLE: { exitCode: 2, meaning: 'the given file is no run record' },
  E_KNOWN_FAILURES: { exitCode: 2, meaning: 'the list of known failures cannot be used' },
  E_BASELINE: { exitCode: 2, meaning: 'the run to compare with is no baseline for this one' },
  E_ENVIRONMENT_UNREACHABLE: { exitCode: 3, meaning: 'the target does not answer' },
  E_ENVIRONMENT_STRANGER: { exitCode: 3, meaning: 'something answers, but not this interface' },
  E_ENVIRONMENT_KEY: { exitCode: 3, meaning: 'the target refuses the key' },
  E_ENVIRONMENT_LOST: { exitCode: 3, meaning: 'the target stopped answering during the run' },
  E_ENVIRONMENT_ENGINE: { exitCode: 3, meaning: 'no Docker engine can start a container here' },
  E_ENVIRONMENT_IMAGE: { exitCode: 3, meaning: 'the image cannot be had, started or understood' },
  E_ENVIRONMENT_DISK: { exitCode: 3, meaning: 'this machine gives no room for files' },
  E_K6_MISSING: { exitCode: 3, meaning: 'k6 can be neither found, fetched nor built' },
  E_K6_FAILED: { exitCode: 4, meaning: 'k6 ended without the evidence that was asked of it' },
  E_RECORD_UNWRITTEN: { exitCode: 4, meaning: 'the run record could not be written' },
  E_RECORD_INVALID: { exitCode: 4, meaning: 'the run record breaks its own schema' },
  E_HARNESS: { exitCode: 4, meaning: 'a fault of the harness itself' },
} as const
export type ErrorCode = keyof typeof ERROR_CODES

/** An error that says what was got, what was expected (message) and what to do next. */
export class HarnessError extends Error {
  readonly code: ErrorCode
  readonly nextStep: string

  constructor(code: ErrorCode, message: string, nextStep: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'HarnessError'
    this.code = code
    this.nextStep = nextStep
  }

  get exitCode(): number {
    return ERROR_CODES[this.code].exitCode
  }
}

/** What Node says of a disk or a directory that takes no file. */
const NO_ROOM: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EROFS']

/** Anything thrown as an error of ours: what the machine lacks has codes of its own, all else is a fault of the harness. */
export function asHarnessError(cause: unknown): HarnessError {
  if (cause instanceof HarnessError) return cause
  if (!(cause instanceof Error)) return fault(String(cause))
  const { code, syscall, path = '' } = cause as NodeJS.ErrnoException
  if (NO_ROOM.includes(code) || syscall === 'mkdtemp')
    return new HarnessError(
      'E_ENVIRONMENT_DISK',
      `a file could not be written: ${cause.message}`,
      `Make room${path === '' ? '' : ` at ${path}`}, or name another directory for temporary files (TMPDIR), and run again.`,
      { cause },
    )
  return fault(`${cause.message} (${cause.stack?.split('\n')[1]?.trim() ?? ''})`, { cause })
}

function fault(message: string, options?: ErrorOptions): HarnessError {
  return new HarnessError(
    'E_HARNESS',
    message,
    'Report it with the run record; the verdict on the target is open.',
    options,
  )
}

/** E_USAGE: what was given, what was expected, and what to write instead. */
export function usageError(
  message: string,
  nextStep = 'Run with --help for the options and examples.',
  options?: ErrorOptions,
): HarnessError {
  return new HarnessError('E_USAGE', message, nextStep, options)
}
