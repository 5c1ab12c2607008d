import type { Reporter, TestCase, TestModule } from 'vitest/node'
import type { CheckOutcome } from '../harness/judge/check-outcome.ts'

/** Collects what the tests leave, as each ends, so that an interrupted run loses nothing. */
export class RecordReporter implements Reporter {
  readonly outcomes: CheckOutcome[] = []
  /** What went wrong outside the checks: a fault of the harness. */
  readonly faults: string[] = []
  readonly #onOutcome: (outcome: CheckOutcome) => void

  constructor(onOutcome: (outcome: CheckOutcome) => void) {
    this.#onOutcome = onOutcome
  }

  onTestCaseResult(testCase: TestCase): void {
    const { outcome } = testCase.meta()
    if (outcome) {
      this.outcomes.push(outcome)
      this.#onOutcome(outcome)
      return
    }
    const { errors } = testCase.result()
    this.faults.push(`${testCase.name}: ${errors?.[0]?.message ?? 'it left no outcome'}`)
  }

  onTestModuleEnd(testModule: TestModule): void {
    for (const error of testModule.errors()) this.faults.push(inWords(error))
  }

  onTestRunEnd(_modules: readonly TestModule[], unhandledErrors: readonly Thrown[]): void {
    for (const error of unhandledErrors) this.faults.push(inWords(error))
  }
}

type Thrown = { readonly message: string; readonly cause?: unknown }

/** vitest wraps what a worker throws before its first test: the cause says what it was. */
function inWords({ message, cause }: Thrown): string {
  const inner = (cause as Partial<Thrown> | undefined)?.message
  return inner === undefined ? message : `${message} (${inner})`
}
