import type {
  Finding,
  LoadResult,
  Verdict,
  WindowTrace,
} from '../../../schemas/generated/run-record.ts'
import type { K6Run } from '../evidence/k6-run.ts'
import { LOAD_SCENARIOS } from './scenarios.ts'
import { withoutWeight, type StatementTally } from './statements.ts'

/** A clock that was set by more than this during the run makes its times worthless. */
export const CLOCK_STEP_MS_MAX = 50

/** What the judge of one scenario says about its evidence. */
export type Judgement<Statements = StatementTally> = {
  readonly statements: Statements
  /** Why the scenario as a whole proved nothing, for example for want of contention. */
  readonly undecided?: string
  /** What it says when everything held. */
  readonly passReason: string
  readonly measurements?: LoadResult['measurements']
  readonly windows?: readonly WindowTrace[]
}

/** Why nothing of it is decided, as a sentence. */
export function notDecided({ undecided }: Pick<Judgement, 'undecided'>): string | undefined {
  return undecided === undefined ? undefined : `Not decided: ${undecided}.`
}

/** What all judges hand over; the rest of a result is the same for all. */
export type Judged = {
  readonly scenario: string
  readonly findings: readonly Finding[]
  readonly requests: LoadResult['requests']
  readonly measurements: LoadResult['measurements']
  readonly windows: readonly WindowTrace[]
  /** A larger step of the machine's clock voids the times, milliseconds. Default: CLOCK_STEP_MS_MAX. */
  readonly clockStepMsMax?: number
  /** Why nothing of it is decided, in a sentence, where the run was not what it was to be. */
  readonly undecided: string | undefined
  /** Why the load was another than planned, in a sentence: it is no pass, and what it decided all the same stands. */
  readonly unplanned?: string | undefined
  /** Which points stayed open, and why, where others were decided. Default: the findings that the numbers did not decide. */
  readonly undecidedPoints?: string | undefined
  /** What a pass says. */
  readonly passReason: string
}

type Conclusion = {
  readonly verdict: Verdict
  readonly reason: string
  /** The run as a whole cannot be trusted: what it saw decides nothing. */
  readonly isVoid?: true
}

const STOPPED = {
  aborted: 'was interrupted',
  'timed out': 'took longer than planned and was stopped',
  overcharged: 'was stopped, since an order cost more than planned',
} as const

/** The result of one scenario. What a run that decided nothing saw is no finding. */
export function loadResultOf(judged: Judged, run: K6Run<unknown>, k6Version: string): LoadResult {
  const { scenario, findings, requests, measurements, windows } = judged
  const { verdict, reason, isVoid = false } = conclude(judged, run)
  return {
    scenario,
    repeat: `npm run load -- --scenario ${scenario}`,
    verdict,
    reason,
    requirements:
      verdict === 'inconclusive' && findings.length === 0
        ? requirementsOf(scenario)
        : findings.map(({ requirement }) => requirement),
    findings: isVoid ? findings.map((finding) => withoutWeight(finding, reason)) : [...findings],
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

type Told = Pick<LoadResult, 'verdict' | 'reason'> & Partial<LoadResult>

/** The result of a scenario that left nothing to judge; unless told otherwise, k6 was not started. */
export function emptyResult(scenario: string, told: Told): LoadResult {
  return {
    scenario,
    requirements: [],
    findings: [],
    measurements: {},
    windows: [],
    requests: { planned: 0, sent: 0, admitted: 0, refused: 0, failed: 0 },
    k6: { exitCode: -1, version: '', thresholdsCrossed: [] },
    ...told,
  }
}

/** What a run that saw nothing was to decide: it was selected, and stays open. */
function requirementsOf(scenario: string): string[] {
  return [...(LOAD_SCENARIOS.find(({ name }) => name === scenario)?.requirements ?? [])]
}

/** A broken requirement is said before what a run lacked; a stepped clock comes before everything, for no time can be trusted then. */
function conclude(judged: Judged, run: K6Run<unknown>): Conclusion {
  const { findings, requests, undecided, passReason } = judged
  const undecidedPoints = judged.undecidedPoints ?? undecidedFindings(findings)
  if (run.clockStepMs > (judged.clockStepMsMax ?? CLOCK_STEP_MS_MAX))
    return decidesNothing(
      `The machine's clock was set by ${Math.round(run.clockStepMs)} ms during the run.`,
    )
  const failed = findings.filter(({ verdict }) => verdict === 'fail')
  if (failed.length > 0)
    return {
      verdict: 'fail',
      reason: failed.map((each) => `${each.requirement}: ${each.observed}`).join('. '),
    }
  if (run.stopped) return decidesNothing(`The scenario ${STOPPED[run.stopped]}.`)
  if (run.doubt !== undefined) return decidesNothing(run.doubt)
  if (undecided !== undefined) return decidesNothing(undecided)
  const shortfall = shortfallOf(requests, run)
  if (shortfall !== undefined) return decidesNothing(undecidedPoints ?? shortfall)
  const left = judged.unplanned ?? undecidedPoints
  if (left !== undefined) return { verdict: 'inconclusive', reason: left }
  return { verdict: 'pass', reason: passReason }
}

function shortfallOf(
  { sent, planned }: LoadResult['requests'],
  { thresholdsCrossed }: K6Run<unknown>,
): string | undefined {
  if (sent < planned) return `${sent} requests were sent, at least ${planned} planned.`
  return thresholdsCrossed.length > 0
    ? `k6 thresholds were crossed: ${thresholdsCrossed.join('; ')}.`
    : undefined
}

function decidesNothing(reason: string): Conclusion {
  return { verdict: 'inconclusive', reason, isVoid: true }
}

/** Findings that the numbers did not decide. The others of the scenario stand. */
function undecidedFindings(findings: readonly Finding[]): string | undefined {
  const open = findings.filter(({ verdict }) => verdict === 'inconclusive')
  return open.length === 0
    ? undefined
    : `Not decided: ${open.map((each) => `${each.requirement}: ${each.observed}`).join('. ')}.`
}
