import { HarnessError, type ErrorCode } from '../errors.ts'

/** One thing that is wrong with the description of the target. */
export type TargetProblem = {
  readonly code: ErrorCode
  /** Where it stands: a place in the file, a flag or an environment variable. */
  readonly place: string
  /** What was got and what was expected, as a sentence. Never holds a secret. */
  readonly message: string
  readonly fix: string
}

/** If several codes hold, the first of these names the error. */
const PRECEDENCE: readonly ErrorCode[] = [
  'E_TARGET_SECRET',
  'E_TARGET_FILE_UNREADABLE',
  'E_USAGE',
  'E_TARGET_FILE_INVALID',
  'E_TARGET_ENV_MISSING',
]

const LISTED_MAX = 30

function list(problems: readonly TargetProblem[]): string {
  const lines = problems
    .slice(0, LISTED_MAX)
    .map(({ place, message, fix }, index) => `  ${index + 1}. ${place}: ${message} ${fix}`)
  const rest = problems.length - lines.length
  return [...lines, ...(rest > 0 ? [`  … and ${rest} more`] : [])].join('\n')
}

/** Throws one HarnessError that names all problems; does nothing when there are none. */
export function throwProblems(problems: readonly TargetProblem[]): void {
  const [first] = problems
  if (first === undefined) return
  const code =
    PRECEDENCE.find((each) => problems.some((problem) => problem.code === each)) ?? first.code
  if (problems.length === 1)
    throw new HarnessError(
      code,
      `${first.place}: ${first.message}`,
      `${first.fix} Nothing was sent.`,
    )
  throw new HarnessError(
    code,
    `The target has ${problems.length} problems:\n${list(problems)}`,
    'Correct them all: each line says how. Nothing was sent.',
  )
}
