import { LOST_ANSWER } from '../../../contract/answers.ts'
import type { LoadResult, UnderLoad } from '../../../schemas/generated/run-record.ts'
import type { Target } from '../../target-file/target.ts'
import type { OpenModelEvidence } from '../open-model/import.ts'
import type { OpenModelPlan } from '../open-model/plan.ts'
import { emptyResult, loadResultOf } from '../shared/conclusion.ts'
import type { K6Run } from '../evidence/k6-run.ts'
import { judgeBackground } from './judge.ts'
import { quantile } from '../shared/latencies.ts'
import { UNDER_LOAD } from '../shared/scenarios.ts'
import { joined, trafficOf, type Requests, type Stretch } from './traffic.ts'

/** The checks, on the wall clock: when they ran, and what they sent. */
export type ChecksTraffic = { readonly stretch: Stretch; readonly requests: Requests }

/** A background that k6 carried out, as far as the checks lasted. */
export type BackgroundRun = K6Run<OpenModelEvidence> & {
  /** It was stopped because the checks had ended. */
  readonly isEnough: boolean
}

type Asked = { readonly workload: string; readonly ratePerSecond: number }

/** A client whose first request is on its way when k6 is stopped has not been written down. */
const UNWRITTEN_MS = 2000
/** What a busy machine may lose of what was offered. */
const MISSING_SHARE_MAX = 0.02
/** A client that starts later than this belongs to another moment. */
const LATE_MS_MAX = 1000
const NOTHING_SENT = 'No request of the checks was seen while the load lay on the target.'

/** What lay on the target while the checks ran, and the verdict on the background itself. Pure. */
export function underLoadOf(
  plan: OpenModelPlan,
  run: BackgroundRun,
  asked: Asked,
  {
    checks,
    target,
    k6Version,
  }: {
    readonly checks: ChecksTraffic
    readonly target: Target
    readonly k6Version: string
  },
): { readonly result: LoadResult; readonly underLoad: UnderLoad } {
  const { stretch } = checks
  const background = requestsOf(run.evidence)
  const traffic = trafficOf(background, stretch)
  const clients = clientsOf(run.evidence, asked, stretch)
  const unkept = generatorTrouble(run, clients) ?? idleTrouble(run, traffic)
  const trouble = checks.requests.sentMs.length > 0 ? unkept : NOTHING_SENT
  const underLoad: UnderLoad = {
    ...asked,
    accounts: new Set(plan.keys.map(({ account }) => account)).size,
    seconds: Math.round(stretch.toMs - stretch.fromMs) / 1000,
    isKeptUp: unkept === undefined,
    clients,
    background: traffic,
    checks: trafficOf(checks.requests, stretch),
    together: trafficOf(joined(background, checks.requests), stretch),
  }
  const { sent, answered, refused, errors } = traffic
  const { failures, measurements } = judgeBackground(run.evidence, plan, target)
  const result = loadResultOf(
    {
      scenario: UNDER_LOAD,
      findings: failures,
      requests: {
        planned: 0,
        sent,
        admitted: answered - refused - (errors - (sent - answered)),
        refused,
        failed: errors,
      },
      measurements,
      windows: [],
      undecided: trouble ?? errorTrouble(errors),
      passReason: `${clients.started} clients of ${underLoad.accounts} other accounts sent ${sent} requests while the checks ran.`,
    },
    run,
    k6Version,
  )
  const { repeat: _, ...told } = result
  return { result: { ...told, workload: asked.workload }, underLoad }
}

function requestsOf({ sessions: { exchanges }, zeroUnixMs }: OpenModelEvidence): Requests {
  return {
    sentMs: exchanges.sentMs.map((ms) => ms + zeroUnixMs),
    receivedMs: exchanges.receivedMs.map((ms) => ms + zeroUnixMs),
    statuses: Uint16Array.from(exchanges.status),
  }
}

/** Who was due while the checks ran, and who came. */
function clientsOf(
  { sessions, zeroUnixMs }: OpenModelEvidence,
  { ratePerSecond }: Asked,
  { fromMs, toMs }: Stretch,
): UnderLoad['clients'] {
  const [from, to] = [Math.max(0, fromMs - zeroUnixMs), toMs - zeroUnixMs - UNWRITTEN_MS]
  // Each starts in the middle of its share of a second.
  const dueBy = (ms: number): number => Math.max(0, Math.floor((ms / 1000) * ratePerSecond + 0.5))
  const lateMs: number[] = []
  for (const place of sessions.places()) {
    const dueMs = sessions.dueMs[place] as number
    if (dueMs > from && dueMs <= to) lateMs.push((sessions.startedMs[place] as number) - dueMs)
  }
  return {
    offered: Math.max(0, dueBy(to) - dueBy(from)),
    started: lateMs.length,
    lateMsP99: Math.round(Math.max(0, quantile(Float64Array.from(lateMs).toSorted(), 0.99))),
  }
}

/** The result of a background that k6 itself broke off: it shows nothing, and what the checks saw, they saw partly at rest. */
export function brokenOff(workload: string, why: string, k6Version: string): LoadResult {
  return emptyResult(UNDER_LOAD, {
    workload,
    verdict: 'inconclusive',
    reason: `The background load ended before the checks: ${why}`,
    k6: { thresholdsCrossed: [], version: k6Version },
  })
}

/** Why the load was not what was asked for, in a sentence. */
function generatorTrouble(
  { isEnough, stopped }: Pick<BackgroundRun, 'isEnough' | 'stopped'>,
  { offered, started, lateMsP99 }: UnderLoad['clients'],
): string | undefined {
  if (!isEnough && stopped === undefined)
    return 'The background load ended before the checks: what they saw afterwards, they saw at rest.'
  if (offered - started > Math.max(1, MISSING_SHARE_MAX * offered))
    return `Only ${started} of ${offered} background clients started while the checks ran. This machine could not keep the load up, or the answers took too long.`
  if (lateMsP99 <= LATE_MS_MAX) return undefined
  return `One background client in a hundred started ${lateMsP99} ms late or more, ${LATE_MS_MAX} ms are allowed. This machine could not keep the load up, or the answers took too long.`
}

/** Checks that are over at once may meet nobody. */
function idleTrouble(
  { stopped }: Pick<BackgroundRun, 'stopped'>,
  { sent }: Pick<UnderLoad['background'], 'sent'>,
): string | undefined {
  return sent === 0 && stopped === undefined
    ? 'No background request was sent while the checks ran: ask for a higher rate, or select more checks.'
    : undefined
}

function errorTrouble(errors: number): string | undefined {
  return errors > 0 ? `${errors} background requests got ${LOST_ANSWER}.` : undefined
}
