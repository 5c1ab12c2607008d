import type {
  Finding,
  LoadResult,
  Verdict,
  WindowTrace,
} from '../../schemas/generated/run-record.ts'
import type { K6Run } from './k6/run.ts'
import { LOAD_SCENARIOS } from './scenarios.ts'
import { undecided } from './statements.ts'

/** What one scenario's judge hands over; the rest of its result is the same for all. */
export type Judged = {
  readonly scenario: string
  readonly findings: readonly Finding[]
  readonly requests: LoadResult['requests']
  readonly measurements: LoadResult['measurements']
  readonly windows: readonly WindowTrace[]
  /** A larger step of the machine's clock voids the times, milliseconds. */
  readonly clockStepMsMax: number
  /** Why it is not decided, in a sentence, where the scenario itself left something open. */
  readonly open: string | undefined
  /** What a pass says. */
  readonly praise: string
}

type Conclusion = { readonly verdict: Verdict; readonly reason: string }

const STOPPED = {
  aborted: 'was interrupted',
  'timed out': 'took longer than planned and was stopped',
} as const

/** The result of one scenario. What a run that decided nothing saw is no finding. */
export function loadResultOf(judged: Judged, run: K6Run<unknown>, k6Version: string): LoadResult {
  const { scenario, findings, requests, measurements, windows } = judged
  const { verdict, reason } = conclude(judged, run)
  return {
    scenario,
    repeat: `npm run load -- --scenario ${scenario}`,
    verdict,
    reason,
    requirements:
      verdict === 'inconclusive' && findings.length === 0
        ? requirementsOf(scenario)
        : findings.map(({ requirement }) => requirement),
    findings: verdict === 'inconclusive' ? findings.map(undecided) : [...findings],
    measurements,
    windows: [...windows],
    requests,
    ...(run.instances && { instances: [...run.instances] }),
    k6: {
      ...(run.exitCode === undefined ? {} : { exitCode: run.exitCode }),
      thresholdsCrossed: [...run.thresholdsCrossed],
      version: k6Version,
    },
  }
}

/** What a run that saw nothing was to decide: it was selected, and stays open. */
function requirementsOf(scenario: string): string[] {
  return [...(LOAD_SCENARIOS.find(({ name }) => name === scenario)?.requirements ?? [])]
}

/** A broken requirement is said before what a run lacked; a stepped clock comes before everything, for no time can be trusted then. */
function conclude(judged: Judged, run: K6Run<unknown>): Conclusion {
  const { clockStepMsMax, findings, requests, open, praise } = judged
  if (run.clockStepMs > clockStepMsMax)
    return inconclusive(
      `The machine's clock was set by ${Math.round(run.clockStepMs)} ms during the run.`,
    )
  const failed = findings.filter(({ verdict }) => verdict === 'fail')
  if (failed.length > 0)
    return {
      verdict: 'fail',
      reason: failed.map((each) => `${each.requirement}: ${each.observed}`).join('. '),
    }
  if (run.stopped) return inconclusive(`The scenario ${STOPPED[run.stopped]}.`)
  if (run.doubt !== undefined) return inconclusive(run.doubt)
  if (open !== undefined) return inconclusive(open)
  if (requests.sent < requests.planned)
    return inconclusive(
      `${requests.sent} requests were sent, at least ${requests.planned} planned.`,
    )
  if (run.thresholdsCrossed.length > 0)
    return inconclusive(`k6 thresholds were crossed: ${run.thresholdsCrossed.join('; ')}.`)
  return { verdict: 'pass', reason: praise }
}

function inconclusive(reason: string): Conclusion {
  return { verdict: 'inconclusive', reason }
}
