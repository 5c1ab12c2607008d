import { PHASES } from '../../load/protocol/evidence.ts'
import { BURST_PHASES } from '../../load/protocol/bursts.ts'
import { secondsOf } from './open-model/plan.ts'
import type { LiveForm, LiveView } from './live/live.ts'
import type { PlannedAttempt } from './attempts.ts'

/** The places of fields in the lines of load/protocol. */
const FORMS: Readonly<Record<PlannedAttempt['kind'], LiveForm>> = {
  windows: {
    exchange: 'x',
    client: 1,
    phase: 3,
    phases: PHASES,
    sent: 4,
    received: 5,
    status: 6,
    retryAfter: 8,
    end: 'e',
  },
  bursts: {
    exchange: 'o',
    client: 1,
    phase: 3,
    phases: BURST_PHASES,
    sent: 7,
    received: 8,
    status: 10,
    retryAfter: 12,
    end: 'f',
  },
  'open-model': {
    exchange: 'a',
    client: 1,
    due: 5,
    sent: 6,
    received: 7,
    status: 8,
    retryAfter: 10,
    end: 'z',
  },
}

/** Place of the schedule's time 0 in a line of arrivals that begins with `h`. */
const ZERO_PLACE = 4

/** How the progress of an attempt is shown. */
export function liveViewOf(attempt: PlannedAttempt): LiveView {
  const { scenario, requestsMin, wallSecondsMax } = attempt.plan
  return {
    scenario,
    requestsMin,
    secondsMax: wallSecondsMax,
    form: FORMS[attempt.kind],
    windowSeconds: windowSecondsOf(attempt),
    ...(attempt.kind === 'open-model' && {
      schedule: { seconds: secondsOf(attempt.plan.file.stages), zero: ZERO_PLACE },
    }),
  }
}

function windowSecondsOf(attempt: PlannedAttempt): number {
  return attempt.kind === 'windows'
    ? Math.max(...attempt.plan.streams.map(({ limit }) => limit.windowSeconds))
    : attempt.context.limits.default.windowSeconds
}
