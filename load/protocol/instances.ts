/**
 * Several k6 processes, on one machine or on many, may carry out one plan: each takes an execution segment of it (k6's
 * --execution-segment). Streams, scripts and sessions are taken by exec.scenario.iterationInTest, which is unique over all segments.
 */

export const INSTANCE_VERSION = 1

/** Every plan file carries it beside its own fields: evidence is judged with the plan of its run alone. */
export type PlannedRun = {
  readonly run: string
  /** The run of the harness, where it is known: named in every request. */
  readonly runId?: string
}

/** What the requests of a plan are signed with. */
export function signatureOf(plan: object): string | undefined {
  const { run, runId } = plan as Partial<PlannedRun>
  return runId ?? run
}

/** Environment variables that k6 may be started with, next to those of PLAN_ENV. */
export const INSTANCE_ENV = {
  /** How many processes share the plan. Thresholds are local to each of them, so floors over the plan are left to the judge. */
  instances: 'HARNESS_INSTANCES',
  /** Unix milliseconds at which all of them begin. */
  startAt: 'HARNESS_START_AT',
} as const

/**
 * The first line of the evidence of each process, written at the common start, before anything is sent:
 *
 *   i <version> <run> <segment> <unix us> <test us>
 *
 * Segment is k6's own text, such as `1/3:2/3`, or `-` for a process that has the whole plan. Both clocks are read at one moment, right
 * after the wall clock went on to its next millisecond.
 */
export const INSTANCE_FIELDS = 6
