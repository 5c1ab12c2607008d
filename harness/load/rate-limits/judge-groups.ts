import type { RequirementId } from '../../../contract/requirements/index.ts'
import { say as sayOf, type Statement } from '../shared/statements.ts'
import type { Evidence, RefusalMessages } from './import.ts'
import type { StreamEnd } from '../../../load/protocol/evidence.ts'
import { judgeHistory, prepareHistory } from '../../judge/limiter.ts'
import type { LimiterVerdict, PreparedHistory, QuotaRequest } from '../../judge/limiter.ts'
import { areRefusalsAlone, MUST_REFUSE_MIN } from '../../judge/rules/windows.ts'
import { rowsWhere } from '../../rows.ts'
import type { LoadPlan, LoadStream } from './plan.ts'
import type { K6Run } from '../evidence/k6-run.ts'
import { transportErrorNote } from '../evidence/transport-errors.ts'
import { quotaColumns } from '../evidence/quota-columns.ts'
import { inSentOrder, type Samples } from './samples.ts'
import { windowOutcomeOf } from '../../../contract/answers.ts'

/** All samples of one quota: streams of one partition share its windows. */
export type QuotaGroup = {
  readonly streams: readonly LoadStream[]
  readonly first: LoadStream
  /** In the order of sending. */
  readonly samples: Samples
  readonly prepared: PreparedHistory
  readonly verdict: LimiterVerdict
  readonly messages: RefusalMessages
  readonly ends: readonly (StreamEnd | undefined)[]
  readonly slackMs: number
}

/** Groups the evidence by quota and asks the oracle about each. What was spent before the run is taken to be unknown. */
export function groupByQuota(plan: LoadPlan, run: K6Run<Evidence>): QuotaGroup[] {
  const members = Map.groupBy(plan.streams.keys(), (index) => quotaOf(plan.streams[index]))
  return [...members.values()].flatMap((indexes) => {
    const streams = indexes.map((index) => plan.streams[index] as LoadStream)
    const [first] = streams
    const slackMs = plan.file.streams[indexes[0] ?? -1]?.slackMs
    if (first === undefined || slackMs === undefined) return []
    const samples = withFoundNothing(
      inSentOrder(indexes.flatMap((index) => run.evidence.streams[index]?.samples ?? [])),
    )
    const prepared = prepareSamples(samples, slackMs)
    return [
      {
        streams,
        first,
        samples,
        prepared,
        verdict: judgeHistory(prepared, { limit: first.limit, history: 'partial' }),
        messages: messagesOf(indexes.map((index) => run.evidence.streams[index]?.messages)),
        ends: indexes.map((index) => run.evidence.streams[index]?.end),
        slackMs,
      },
    ]
  })
}

function messagesOf(parts: readonly (RefusalMessages | undefined)[]): RefusalMessages {
  const sum = (of: (each: RefusalMessages) => number): number =>
    parts.reduce((total, each) => total + (each ? of(each) : 0), 0)
  return { named: sum(({ named }) => named), unnamed: sum(({ unnamed }) => unnamed) }
}

const STATUS = { found: 200, notFound: 404, refused: 429 } as const

/**
 * Reads that find nothing may be answered by 404 (GET /orders does not show it): where that is the only answer beside 429, it is what
 * the windows admit. Without a 429 it may be a route that is missing.
 */
function withFoundNothing(samples: Samples): Samples {
  const { status: statuses } = samples
  const isExpected = (status: number): boolean =>
    status === STATUS.notFound ||
    status === STATUS.refused ||
    windowOutcomeOf({ status }) === 'unknown'
  const isAll = [STATUS.notFound, STATUS.refused].every((status) => statuses.includes(status))
  if (!isAll || !statuses.every(isExpected)) return samples
  const found = statuses.map((status) => (status === STATUS.notFound ? STATUS.found : status))
  return { ...samples, status: found }
}

function quotaOf(stream: LoadStream | undefined): string {
  return JSON.stringify([stream?.bucket, stream?.partition, stream?.limit])
}

/** Makes any set of samples ready for the oracle. */
export function prepareSamples(samples: Samples, slackMs: number): PreparedHistory {
  return prepareHistory({ requests: quotaColumns(samples), slackMs })
}

/** Rows of the samples with one outcome. */
export function rowsWith(
  { status, length }: Samples,
  outcome: QuotaRequest['outcome'],
): Uint32Array {
  return rowsWhere(length, (row) => windowOutcomeOf({ status: status[row] as number }) === outcome)
}

const OTHERS_REFUSE =
  'only some refusals name the check bucket, so another limit refused the other checks'

/**
 * Of checks, if their bucket explains what was admitted. Others may have refused the rest: the window of POST /orders, in which checks
 * may count too, or the shop service by its own limit.
 */
function isRefusedByOthers({ messages, prepared, first }: QuotaGroup): boolean {
  if (messages.named === 0 || messages.unnamed === 0) return false
  return areRefusalsAlone({ prepared, asked: { limit: first.limit, history: 'partial' } })
}

/** Why a quota could not be decided, or undefined if it was. A quota that broke its limit is decided. */
export function undecidedReason(group: QuotaGroup): string | undefined {
  const { ends, verdict, first } = group
  const { mustAccept, mustRefuse } = verdict.counts
  if (!verdict.explained) return isRefusedByOthers(group) ? OTHERS_REFUSE : undefined
  if (group.samples.length === 0) return 'no request was sent'
  if (ends.some((end) => end === undefined)) return 'k6 stopped before the end'
  if (ends.includes('lost')) return `the target stopped answering${errorCodes(group)}`
  const others = rowsWith(group.samples, 'other')
  if (others.length > 0 && mustRefuse < MUST_REFUSE_MIN)
    return `${others.length} answers were neither a success nor a 429 (the first: HTTP ${group.samples.status[others[0] ?? 0]})`
  if (ends.includes('unsynced')) return 'no window edge was found'
  if (mustAccept < first.limit.count)
    return `only ${mustAccept} requests were certain to be within a budget, at least ${first.limit.count} are needed`
  if (mustRefuse < MUST_REFUSE_MIN)
    return `only ${mustRefuse} requests were certain to be beyond a budget, at least ${MUST_REFUSE_MIN} are needed`
  if (verdict.fullWindows === 0)
    return 'no window was seen to be spent to the last request and overstepped'
  return undefined
}

function errorCodes(group: QuotaGroup): string {
  const [lost] = rowsWith(group.samples, 'unknown')
  return transportErrorNote(lost === undefined ? undefined : group.samples.code.at(lost))
}

/** What a requirement of windows is called for the bucket of checks. */
const OF_CHECKS: Readonly<Partial<Record<RequirementId, RequirementId>>> = {
  'RATE-04': 'RATE-21',
  'RATE-05': 'RATE-21',
  'RATE-09': 'RATE-20',
  'RATE-10': 'RATE-19',
}

export function named({ first }: QuotaGroup, requirement: RequirementId): RequirementId {
  return first.bucket === 'orders.check' ? (OF_CHECKS[requirement] ?? requirement) : requirement
}

export function say(
  requirement: RequirementId,
  verdict: Statement['verdict'],
  group: QuotaGroup,
  observed: string,
): Statement {
  return sayOf(requirement, verdict, group.first, observed)
}
