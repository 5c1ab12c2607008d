import type {
  Check,
  Exchange,
  Observation,
  WindowTrace,
} from '../../schemas/generated/run-record.ts'

/** All that one check leaves, redacted: it crosses a thread boundary and goes into the record. */
export type CheckOutcome = {
  readonly check: Check
  readonly exchanges: readonly Exchange[]
  readonly observations: readonly Observation[]
  readonly windows: readonly WindowTrace[]
  /** Ids of all exchanges that each finding is about; empty where that is not known. */
  readonly about?: readonly (readonly string[])[]
  /** Ids of the exchanges that kept it from going on. */
  readonly stoppedBy?: readonly string[]
  /** A busy machine may have kept it from deciding. */
  readonly isMaybeBusy?: boolean
}
