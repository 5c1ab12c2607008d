/** Generated from schemas/known-failures.schema.json by `npm run generate`. Do not edit. */

/** Failures that a run accepts for a time, and requirements that count less or not at all. */
export interface KnownFailures {
  $schema?: string
  failures?: KnownFailure[]
  severity?: Severity[]
}
export interface KnownFailure {
  /** Id of the requirement that fails. */
  requirement: string
  /** Check or scenario that may find it; all of them where absent. */
  check?: string
  reason: string
  /** Who mends it. */
  owner: string
  /** Last day on which the failure is accepted, in UTC. */
  expires: string
}
export interface Severity {
  requirement: string
  /** error: a failure fails the run; warn: it is a warning; off: it is not scored. */
  level: 'error' | 'warn' | 'off'
  reason: string
}
