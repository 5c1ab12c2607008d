import type { StreamEnd } from '../../load/protocol/evidence.ts'
import { judgeLimiter } from '../judge/limiter.ts'
import type { LimiterVerdict, QuotaRequest } from '../judge/limiter.ts'
import type { LoadSample } from './import.ts'
import type { LoadPlan, LoadStream } from './plan.ts'
import type { K6Run } from './run.ts'

/** All samples of one quota: streams of one partition share its windows. */
export type QuotaGroup = {
  readonly streams: readonly LoadStream[]
  readonly first: LoadStream
  /** In the order of sending. */
  readonly samples: readonly LoadSample[]
  readonly verdict: LimiterVerdict
  readonly ends: readonly (StreamEnd | undefined)[]
  readonly slackMs: number
}

/** Groups the evidence by quota and asks the oracle about each. What was spent before the run is taken to be unknown. */
export function groupByQuota(plan: LoadPlan, run: K6Run): QuotaGroup[] {
  const members = Map.groupBy(plan.streams.keys(), (index) => quotaOf(plan.streams[index]))
  return [...members.values()].flatMap((indexes) => {
    const streams = indexes.map((index) => plan.streams[index] as LoadStream)
    const [first] = streams
    const slackMs = plan.file.streams[indexes[0] ?? -1]?.slackMs
    if (first === undefined || slackMs === undefined) return []
    const samples = indexes
      .flatMap((index) => run.evidence.streams[index]?.samples ?? [])
      .toSorted((a, b) => a.sentMs - b.sentMs)
    return [
      {
        streams,
        first,
        samples,
        verdict: judgeSamples(samples, first, slackMs),
        ends: indexes.map((index) => run.evidence.streams[index]?.end),
        slackMs,
      },
    ]
  })
}

function quotaOf(stream: LoadStream | undefined): string {
  return JSON.stringify([stream?.bucket, stream?.partition, stream?.limit])
}

/** Asks the oracle about any set of samples under one stream's limit. */
export function judgeSamples(
  samples: readonly LoadSample[],
  { limit }: Pick<LoadStream, 'limit'>,
  slackMs: number,
): LimiterVerdict {
  return judgeLimiter({ requests: samples.map(quotaRequest), limit, slackMs, history: 'partial' })
}

function quotaRequest(sample: LoadSample): QuotaRequest {
  return {
    sentMs: sample.sentMs,
    receivedMs: sample.receivedMs,
    outcome: outcomeOf(sample),
    retryAfter: sample.retryAfter,
  }
}

export function outcomeOf({ status }: Pick<LoadSample, 'status'>): QuotaRequest['outcome'] {
  if (status === 0) return 'unknown'
  if (status === 429) return 'refused'
  return status < 400 ? 'admitted' : 'other'
}

/** Least must-refuse labels that show that a window was really overstepped. */
const MUST_REFUSE_MIN = 20

/** Why a quota could not be decided, or undefined if it was. A quota that broke its limit is decided. */
export function undecidedReason(group: QuotaGroup): string | undefined {
  const { ends, verdict, first } = group
  const { mustAccept, mustRefuse } = verdict.counts
  if (!verdict.explained) return undefined
  if (group.samples.length === 0) return 'no request was sent'
  if (ends.some((end) => end === undefined)) return 'k6 stopped before the end'
  if (ends.includes('lost')) return `the target stopped answering${errorCodes(group)}`
  const others = group.samples.filter((sample) => outcomeOf(sample) === 'other')
  if (others.length > 0 && mustRefuse < MUST_REFUSE_MIN)
    return `${others.length} answers were neither a success nor a 429 (the first: HTTP ${others[0]?.status})`
  if (ends.includes('unsynced')) return 'no window edge was found'
  if (mustAccept < first.limit.count)
    return `only ${mustAccept} requests were certain to be within a budget, at least ${first.limit.count} are needed`
  if (mustRefuse < MUST_REFUSE_MIN)
    return `only ${mustRefuse} requests were certain to be beyond a budget, at least ${MUST_REFUSE_MIN} are needed`
  if (verdict.fullWindows === 0)
    return 'no window was seen to be spent to the last request and overstepped'
  return undefined
}

function errorCodes({ samples }: QuotaGroup): string {
  const lost = samples.find(({ status }) => status === 0)
  return lost?.code === undefined ? '' : ` (k6 error code ${lost.code})`
}
