/** Windows that several instances spend together, and how far apart their clocks may be for them to be judged. */
import { limitOf } from '../quota/effective-limits.ts'
import type { SessionOperation } from '../../load/protocol/open-model.ts'
import { HarnessError } from '../errors.ts'
import { QUOTA_OF } from './open-model/quotas.ts'
import type { PlannedAttempt } from './planned-attempt.ts'
import { slackFor, type LoadPlan } from './rate-limits/plan.ts'

/**
 * Throws E_USAGE where clocks may differ by so much that nothing is left to judge of the shortest window that several instances spend:
 * its edges would be wider than itself.
 */
export function requireNarrow(attempt: PlannedAttempt, clockSkewMs: number): void {
  const [tightest] = sharedWindows(attempt).toSorted((a, b) => a.skewMsMax - b.skewMsMax)
  if (!tightest || clockSkewMs < tightest.skewMsMax) return
  throw new HarnessError(
    'E_USAGE',
    `--clock-skew-ms was ${clockSkewMs}, which leaves nothing to judge of windows of ${tightest.windowSeconds} s: less than ${tightest.skewMsMax} was expected`,
    'Set the clocks of the machines by NTP and say by how much they really differ, or ask for longer windows.',
  )
}

type SharedWindow = { readonly windowSeconds: number; readonly skewMsMax: number }

/** Windows that several instances spend, and the skew from which on their edges meet. */
function sharedWindows(attempt: PlannedAttempt): SharedWindow[] {
  if (attempt.kind === 'bursts') return []
  if (attempt.kind === 'windows')
    return attempt.plan.file.streams
      .filter((_, index) => isShared(attempt.plan, index))
      .map(({ windowSeconds, slackMs }) => windowOf(windowSeconds, slackMs))
  const { target, limits } = attempt.context
  const operations = Object.keys(attempt.plan.file.operations) as SessionOperation[]
  return operations.flatMap((operation) => {
    const quota = QUOTA_OF[operation]
    if (!quota) return []
    const { windowSeconds } = limitOf(limits, quota.bucket, quota.endpoint)
    return [windowOf(windowSeconds, slackFor(target.timing, windowSeconds))]
  })
}

/** Whether another stream spends the same window. */
export function isShared({ streams }: LoadPlan, index: number): boolean {
  return streams.some((other, at) => at !== index && other.partition === streams[index]?.partition)
}

function windowOf(windowSeconds: number, slackMs: number): SharedWindow {
  return { windowSeconds, skewMsMax: 500 * windowSeconds - slackMs }
}
