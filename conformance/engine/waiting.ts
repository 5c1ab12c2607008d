import { inconclusive } from './undecided.ts'

/** The longest single wait of a check, seconds. Windows that a target reports as longer, as in another unit, would never end. */
export const WAIT_SECONDS_MAX = 900

/** Ends the check where it would have to wait too long, before it waits. */
export function needShortWait(reason: string, ms: number): void {
  if (ms > WAIT_SECONDS_MAX * 1000)
    inconclusive(
      `it would have to wait ${Math.round(ms / 1000)} s for ${reason}, and no check waits longer than ${WAIT_SECONDS_MAX} s. Are the windows of GET /rate-limits, or of limits in the target file, in seconds?`,
    )
}
