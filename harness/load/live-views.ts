import { BURST_PHASES } from '../../load/protocol/bursts.ts'
import { PHASES } from '../../load/protocol/evidence.ts'
import { EVIDENCE } from '../../load/protocol/evidence-table.ts'
import { placesIn } from '../../load/protocol/lines.ts'
import { secondsOf } from './open-model/plan.ts'
import type { LiveForm, LiveView } from './live/live.ts'
import type { PlannedAttempt } from './planned-attempt.ts'

const [WINDOWS, BURSTS, SESSIONS] = [
  placesIn(EVIDENCE.windows.x),
  placesIn(EVIDENCE.bursts.o),
  placesIn(EVIDENCE['open-model'].a),
]

type Places = Readonly<Record<'sentMs' | 'receivedMs' | 'status' | 'code' | 'retryAfter', number>>

function momentsOf({ sentMs, receivedMs, status, code, retryAfter }: Places) {
  return { sent: sentMs, received: receivedMs, status, code, retryAfter }
}

const FORMS: Readonly<Record<PlannedAttempt['kind'], LiveForm>> = {
  windows: {
    exchange: 'x',
    end: { word: 'e', client: placesIn(EVIDENCE.windows.e).stream },
    client: WINDOWS.stream,
    phase: WINDOWS.phase,
    phases: PHASES,
    ...momentsOf(WINDOWS),
  },
  bursts: {
    exchange: 'o',
    end: { word: 'f', client: placesIn(EVIDENCE.bursts.f).script },
    client: BURSTS.script,
    phase: BURSTS.phase,
    phases: BURST_PHASES,
    ...momentsOf(BURSTS),
  },
  'open-model': {
    exchange: 'a',
    end: { word: 'z', client: placesIn(EVIDENCE['open-model'].z).session },
    client: SESSIONS.session,
    due: SESSIONS.dueMs,
    ...momentsOf(SESSIONS),
  },
}

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
      schedule: {
        seconds: secondsOf(attempt.plan.file.stages),
        zero: placesIn(EVIDENCE['open-model'].h).zeroMs,
      },
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
