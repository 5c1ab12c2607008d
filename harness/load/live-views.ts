import { FORMS } from './evidence/form.ts'
import { secondsOf } from './open-model/plan.ts'
import type { LiveView } from './live/live.ts'
import type { PlannedAttempt } from './planned-attempt.ts'

/** How the progress of an attempt is shown. */
export function liveViewOf(attempt: PlannedAttempt): LiveView {
  const { scenario, requestsMin, wallSecondsMax } = attempt.plan
  return {
    name: scenario,
    requestsMin,
    secondsExpected: expectedSecondsOf(attempt),
    secondsMax: wallSecondsMax,
    form: FORMS[attempt.kind],
    spanSeconds: spanSecondsOf(attempt),
    ...(attempt.kind === 'open-model' && {
      scheduleSeconds: secondsOf(attempt.plan.file.stages),
    }),
  }
}

function expectedSecondsOf({ kind, plan }: PlannedAttempt): number {
  return kind === 'windows' ? plan.expectedSeconds : plan.budget.expectedSeconds
}

/** Where windows are spent, all of one shows what it admits. Elsewhere a mean over a minute would hide what happens now. */
function spanSecondsOf(attempt: PlannedAttempt): number {
  return attempt.kind === 'windows'
    ? Math.max(...attempt.plan.streams.map(({ limit }) => limit.windowSeconds))
    : Math.min(NOW_SECONDS, attempt.context.limits.default.windowSeconds)
}

const NOW_SECONDS = 5
