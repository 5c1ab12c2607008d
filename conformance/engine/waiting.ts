import { WAIT_SECONDS_MAX } from '../../harness/target-file/target.ts'
import { inconclusive } from './undecided.ts'

/** Ends the check where it would have to wait too long, before it waits. */
export function needShortWait(reason: string, ms: number): void {
  if (ms > WAIT_SECONDS_MAX * 1000)
    inconclusive(
      `it would have to wait ${Math.round(ms / 1000)} s for ${reason}, and no check waits longer than ${WAIT_SECONDS_MAX} s. Are the windows of GET /rate-limits, or of limits in the target file, in seconds?`,
    )
}
