import type { RequirementId } from '../../../contract/requirements/index.ts'
import { parseRetryAfterSeconds } from '../../judge/limiter.ts'
import type { Statement } from '../shared/statements.ts'
import { refusalStatements } from './refusals.ts'
import {
  ENDPOINT_SCRIPTS,
  ENDPOINT_LIMIT,
  endpointParts,
  OWN_SENT,
  SENT_OF_EACH,
  type EndpointPart,
} from './spend-endpoints-script.ts'
import type { BurstExchange } from './burst-import.ts'
import type { BurstContext, BurstPlan } from './burst-plan.ts'
import { exchangesOf, type BurstRun } from './burst-result.ts'
import { isAccepted, isThrottled } from '../../judge/answers.ts'

/**
 * Each endpoint has a window of its own, which all keys of an account share and no other account: small ones, spent one after the other.
 * How many each lets through is another matter: single endpoints may be tighter or looser than the account's default (Limits).
 */
export function endpointStatements(
  plan: BurstPlan,
  run: BurstRun,
  { target }: Pick<BurstContext, 'target'>,
): Statement[] {
  const scripts = ENDPOINT_SCRIPTS.map((script) => exchangesOf(script, plan, run))
  if (scripts.some(({ length }) => length === 0)) return []
  const endpoints = endpointParts({ target }).flatMap((part): Endpoint[] => {
    const [first, second] = scripts.map((exchanges) => spentOf(part, exchanges))
    return first && second ? [{ name: part.name, first, second }] : []
  })
  const statements = endpoints.flatMap(statementsOf)
  const refused = endpoints.flatMap(({ first, second }) =>
    [...first.sent, ...second.sent].filter(isThrottled),
  )
  return [...statements, ...refusalStatements(refused, 'windows of endpoints')]
}

/** How the requests of one endpoint on one account were answered. */
type Spent = {
  readonly sent: readonly BurstExchange[]
  /** What the first key sent until it was turned away. */
  readonly passed: number
  /** It was turned away before and after the other key asked: no edge lay in between. */
  readonly isSpent: boolean
  readonly hasSiblingPassed: boolean
  /** Turned away by a 5xx, and by nothing else. */
  readonly isDisguised: boolean
}

type Endpoint = { readonly name: string; readonly first: Spent; readonly second: Spent }

/** A limit that the shop service relays is over so soon; a window seldom is. */
const RELAYED_SECONDS_MAX = 30

/** Undefined where answers are missing, or were refused for a reason of their own. */
function spentOf(part: EndpointPart, exchanges: readonly BurstExchange[]): Spent | undefined {
  const sent = exchanges.filter((each) => isOf(part, each))
  const own = sent.slice(0, OWN_SENT)
  const [sibling, after] = [sent.slice(OWN_SENT, -1), sent.slice(-1)]
  const turnedAway = sent.filter(isTurnedAway)
  const isAnswered =
    sent.length === SENT_OF_EACH && sent.every((each) => isAccepted(each) || isTurnedAway(each))
  const passed = own.findIndex(isTurnedAway)
  if (!isAnswered) return undefined
  // Others than the window may refuse a purchase for a while.
  if (passed === 0 && !('call' in part) && turnedAway.some(isRelayed)) return undefined
  return {
    sent,
    passed: passed < 0 ? own.length : passed,
    isSpent: [...own.slice(-1), ...after].every(isTurnedAway),
    hasSiblingPassed: sibling.some(isAccepted),
    isDisguised: turnedAway.length > 0 && !turnedAway.some(isThrottled),
  }
}

function isOf(part: EndpointPart, { kind, child, reference = -1 }: BurstExchange): boolean {
  if ('call' in part) return kind === 'call' && child === part.call
  const at = reference - part.firstReference
  return kind === 'buy' && at >= 0 && at < SENT_OF_EACH
}

function isRelayed({ retryAfter }: BurstExchange): boolean {
  return (parseRetryAfterSeconds(retryAfter) ?? Infinity) <= RELAYED_SECONDS_MAX
}

/** By 429, or by what stands in its place. */
function isTurnedAway({ status }: BurstExchange): boolean {
  return status === 429 || status >= 500
}

function statementsOf({ name, first, second }: Endpoint): Statement[] {
  const { count, windowSeconds } = ENDPOINT_LIMIT
  const accounts = [first, second]
  const observed = `${name}: ${first.passed} and ${second.passed} of ${OWN_SENT} requests of two accounts passed, the default of each is ${count} per ${windowSeconds} s`
  const say = (
    requirement: RequirementId,
    verdict: Statement['verdict'],
    more = '',
  ): Statement => ({ requirement, verdict, observed: `${observed}${more}` })
  // Nothing but another endpoint, or another account, can have spent the window of a new account.
  const untouched = accounts.filter(({ passed }) => passed === 0).length
  if (untouched > 0) return [say(untouched === 2 ? 'RATE-11' : 'RATE-09', 'fail')]
  if (accounts.every((each) => each.isDisguised && each.passed === count))
    return [say('RATE-04', 'fail', ', the others were answered by a 5xx')]
  if (!accounts.every(({ isSpent }) => isSpent)) return []
  if (accounts.some(({ hasSiblingPassed }) => hasSiblingPassed))
    return [say('RATE-10', 'fail', '; another key went on while the first was refused')]
  const isAfter = timeOf(second.sent[0]) > timeOf(first.sent[OWN_SENT - 1])
  return [
    ...(['RATE-10', 'RATE-11'] as const).map((each) => say(each, 'pass')),
    ...(accounts.some(({ isDisguised }) => isDisguised) ? [] : [say('RATE-04', 'pass')]),
    // The one account had spent its window when the other began.
    ...(isAfter ? [say('RATE-09', 'pass')] : []),
  ]
}

function timeOf(exchange: BurstExchange | undefined): number {
  return exchange?.sentMs ?? NaN
}
