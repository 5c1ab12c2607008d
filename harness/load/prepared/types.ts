import type { EffectiveLimits } from '../../quota/effective-limits.ts'
import type { Target } from '../../target-file/target.ts'
import type { PlannedAttempt } from '../planned-attempt.ts'

export const PREPARED_VERSION = 3

/** What is known of the target and of the permission, for the record. */
export type PreparedFacts = {
  readonly target: Target
  readonly limits: EffectiveLimits
  readonly roles: readonly string[]
  readonly hazards: readonly string[]
  /** Permitted purchases and load, as the record states them. */
  readonly permission: unknown
  readonly clockSkewMs?: { readonly min: number; readonly max: number }
}

/** One key: where k6 looks for it, and where it came from. */
export type PreparedKey = { readonly env: string; readonly from: string }

export type PreparedScenario = {
  readonly name: string
  /** Heads the evidence of this plan. */
  readonly run: string
  /** Processes that it is laid out for. Evidence of another number is judged as well, if nothing of the plan is missing. */
  readonly instances: number
  readonly wallSecondsMax: number
  readonly keys: readonly PreparedKey[]
  /** Environment variables that set k6's Go runtime. */
  readonly runtime?: Readonly<Record<string, string>>
  readonly planSha256: string
  /** Of the file that its evidence is judged by. */
  readonly judgeSha256: string
}

export type Prepared = {
  readonly version: typeof PREPARED_VERSION
  readonly harnessVersion: string
  readonly k6Version: string
  readonly preparedAt: string
  /** A file that was written for this run, or the variables that the target file names. */
  readonly keysFrom: 'file' | 'environment'
  readonly facts: PreparedFacts
  readonly scenarios: readonly PreparedScenario[]
}

export type PrepareOptions = {
  readonly directory: string
  readonly attempts: readonly PlannedAttempt[]
  readonly instances: number
  readonly facts: PreparedFacts
  readonly harnessVersion: string
  /** Where the keys are, if they were written to a file. */
  readonly keysFile?: string
}
