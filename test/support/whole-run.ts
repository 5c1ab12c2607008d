import type { K6Outcome } from '../../harness/load/evidence/k6-run.ts'

/** How a k6 ends that nothing disturbed. */
export function wholeRun(durationSeconds = 3): Omit<K6Outcome, 'evidencePath'> {
  return { exitCode: 0, thresholdsCrossed: [], clockStepMs: 0, durationSeconds }
}
