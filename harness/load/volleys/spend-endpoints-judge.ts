import type { RequirementId } from '../../../contract/requirements/index.ts'
import { parseRetryAfterSeconds } from '../../judge/limiter.ts'
import { isBeyondEdges } from '../../judge/unhide.ts'
import type { Statement } from '../statements.ts'
import { slackFor } from '../windows/plan.ts'
import { refusalStatements } from './refusals.ts'
import {
  ENDPOINT_LANES,
  ENDPOINT_LIMIT,
  endpointParts,
  SENT_OF_EACH,
  type EndpointPart,
} from './spend-endpoints-lane.ts'
import type { VolleyExchange } from './volley-import.ts'
import type { VolleyContext, VolleyPlan } from './volley-plan.ts'
import { exchangesOf, type VolleyRun } from './volley-result.ts'

/** Each endpoint has a window of its own, which all keys of an account share and no other account: small ones, spent one after the other. */
export function endpointStatements(
  plan: VolleyPlan,
  run: VolleyRun,
  { target }: Pick<VolleyContext, 'target'>,
): Statement[] {
  const lanes = ENDPOINT_LANES.map((lane) => exchangesOf(lane, plan, run))
  if (lanes.some(({ length }) => length === 0)) return []
  const parts = endpointParts({ target }).flatMap((part) => {
    const accounts = lanes.map((exchanges) => spentOf(part, exchanges))
    return accounts.every((each) => each !== undefined) ? [{ name: part.name, accounts }] : []
  })
  const slackMs = slackFor(target.timing, ENDPOINT_LIMIT.windowSeconds)
  const wrong = parts.flatMap((part) => wrongStatements(part, sharedBy(parts), slackMs))
  const refused = parts.flatMap(({ accounts }) => accounts.flatMap((each) => each.refused))
  return [
    ...wrong,
    ...(wrong.length === 0 ? rightStatements(parts) : []),
    ...refusalStatements(refused, 'windows of endpoints'),
  ]
}

/** How the requests of one endpoint on one account were answered. */
type Spent = {
  readonly sent: readonly VolleyExchange[]
  /** What a window let through. */
  readonly passed: readonly VolleyExchange[]
  /** From the first refusal that nothing passed after. */
  readonly refused: readonly VolleyExchange[]
  /** The same, by a status that is none of a window. */
  readonly failed: readonly VolleyExchange[]
}

type Endpoint = { readonly name: string; readonly accounts: readonly Spent[] }

/** A limit that the shop service relays is over so soon; a window seldom is. */
const RELAYED_SECONDS_MAX = 30

/** Undefined where answers are missing, or were refused for a reason of their own. */
function spentOf(part: EndpointPart, exchanges: readonly VolleyExchange[]): Spent | undefined {
  const sent = exchanges.filter((each) => isOf(part, each))
  if (sent.length !== SENT_OF_EACH || sent.some(({ status }) => status === 0)) return undefined
  const last = sent.findLastIndex(isPassed)
  const until = sent.slice(0, last + 1)
  const after = sent.slice(last + 1)
  // What is not valid may be refused before it is counted.
  if (!until.every(({ status }) => status < 300)) return undefined
  const refused = after.filter(({ status }) => status === 429)
  // Some passed, and fewer than the window has: those may have been refused that another limit counts.
  const isShort = until.length > 0 && until.length < ENDPOINT_LIMIT.count
  if (isShort && refused.some(isRelayed)) return undefined
  const failed = after.filter(({ status }) => status >= 500)
  return refused.length > 0 && failed.length > 0
    ? undefined
    : { sent, passed: until, refused, failed }
}

function isOf(part: EndpointPart, { kind, child, reference = -1 }: VolleyExchange): boolean {
  if ('call' in part) return kind === 'call' && child === part.call
  const at = reference - part.firstReference
  return kind === 'buy' && at >= 0 && at < SENT_OF_EACH
}

function isRelayed({ retryAfter }: VolleyExchange): boolean {
  return (parseRetryAfterSeconds(retryAfter) ?? Infinity) <= RELAYED_SECONDS_MAX
}

function isPassed({ status }: VolleyExchange): boolean {
  return status !== 429 && status < 500
}

/** Accounts that have one window together pass as much as it admits, at every endpoint; what several endpoints spend is used up by the first. */
function sharedBy(endpoints: readonly Endpoint[]): 'RATE-09' | 'RATE-11' {
  const { count } = ENDPOINT_LIMIT
  const totals = endpoints
    .map(({ accounts }) => accounts.map(({ passed }) => passed.length))
    .filter((passed) => passed.some((each) => each < count))
    .map((passed) => passed.reduce((sum, each) => sum + each, 0))
  return totals.every((total) => total === count) ? 'RATE-09' : 'RATE-11'
}

function wrongStatements(
  { name, accounts }: Endpoint,
  shared: 'RATE-09' | 'RATE-11',
  slackMs: number,
): Statement[] {
  const { count, windowSeconds } = ENDPOINT_LIMIT
  const passed = accounts.map((each) => each.passed.length)
  const observed = `${name}: ${passed.join(' and ')} of ${SENT_OF_EACH} requests of two accounts passed, each has ${count} per ${windowSeconds} s`
  const say = (requirement: RequirementId, verdict: Statement['verdict'] = 'fail'): Statement => {
    return { requirement, verdict, observed }
  }
  if (accounts.some(({ failed }) => failed.length > 0))
    return passed.every((each) => each === count)
      ? [{ ...say('RATE-04'), observed: `${observed}, the others were answered by a 5xx` }]
      : []
  if (passed.some((each) => each < count)) return [say(shared)]
  const tooMany = accounts.filter((each) => each.passed.length > count)
  if (tooMany.length === 0) return []
  const spans = tooMany.map(({ sent }) => ({
    fromMs: Math.min(...sent.map(({ sentMs }) => sentMs)),
    toMs: Math.max(...sent.map(({ receivedMs }) => receivedMs)),
  }))
  const isFinal = tooMany.length > 1 && isBeyondEdges(spans, 1000 * windowSeconds, slackMs)
  const isPerKey = tooMany.every((each) => each.passed.length === 2 * count)
  return [say(isPerKey ? 'RATE-10' : 'RATE-02', isFinal ? 'fail' : 'inconclusive')]
}

function rightStatements(endpoints: readonly Endpoint[]): Statement[] {
  if (endpoints.length < 2) return []
  const names = endpoints.map(({ name }) => name).join(', ')
  const observed = `windows of endpoints: ${ENDPOINT_LIMIT.count} of ${SENT_OF_EACH} requests of each account passed at each of ${names}`
  return (['RATE-04', 'RATE-09', 'RATE-10', 'RATE-11'] as const).map((requirement) => ({
    requirement,
    verdict: 'pass',
    observed,
  }))
}
