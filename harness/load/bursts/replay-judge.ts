import type { RequirementId } from '../../../contract/requirements/index.ts'
import { judgeDuplicates } from '../../judge/duplicates.ts'
import { parseMoney } from '../../money.ts'
import { accountStatements } from './replay-accounts-judge.ts'
import { ACCOUNTS_SCRIPT } from './replay-accounts-script.ts'
import { cartStatements } from './replay-carts-judge.ts'
import { CARTS_SCRIPT } from './replay-carts-script.ts'
import {
  canBuyOtherKind,
  KIND_SCRIPTS,
  OTHER_KIND_SCRIPT,
  OTHER_KIND_REFERENCES,
} from './replay-kinds-script.ts'
import { judgeReplayMarks } from './replay-marks.ts'
import { LONE_REFERENCE } from './replay-plan.ts'
import { ordersOf } from './spend-orders.ts'
import type { Order } from './spend-orders.ts'
import type { Statement } from '../shared/statements.ts'
import type { BurstExchange } from './burst-import.ts'
import type { BurstContext, BurstPlan } from './burst-plan.ts'
import { releasesOf, isNamed } from './burst-proof.ts'
import { exchangesOf, type BurstJudgement, type BurstRun } from './burst-result.ts'
import { isDecided } from '../../answers.ts'

/** References with overlapping first-time copies, and replays in flight, that a verdict needs. */
const MET_MIN = 4
const REPLAYS_MIN = 8

/** Those with judges of their own. */
const OTHER_SCRIPTS: ReadonlySet<string> = new Set([ACCOUNTS_SCRIPT, CARTS_SCRIPT])

/** One reference: its first-time copies, and what was sent when its order was known. */
type Reference = {
  readonly name: string
  readonly isLone: boolean
  /** Its replays ask for another kind of order. */
  readonly isOfOtherKind: boolean
  /** Released together, before any of them was answered. */
  readonly copies: readonly BurstExchange[]
  readonly isMet: boolean
  /** The order that the first successes name; undefined where they name none, or several. */
  readonly original?: BurstExchange
  /** Sent after the first success had come back. */
  readonly replays: readonly BurstExchange[]
  readonly counts: readonly BurstExchange[]
}

/** Holds copies and replays against the original, and every reference against the orders that it finds. */
export function judgeReplayStorm(
  plan: BurstPlan,
  run: BurstRun,
  { target }: Pick<BurstContext, 'target'>,
): BurstJudgement {
  const references = plan.file.scripts.flatMap(({ name }, script) => {
    const exchanges = run.evidence.scripts[script]?.exchanges ?? []
    if (OTHER_SCRIPTS.has(name)) return []
    const orders = ordersOf(exchanges)
    if (KIND_SCRIPTS.has(name) && !orders.some(({ attempts }) => attempts.some(isNamed))) return []
    if (name !== OTHER_KIND_SCRIPT)
      return orders.map((order) => referenceOf(name, order, exchanges))
    return canBuyOtherKind(orders) ? orders.map((order) => referenceOf(name, order, exchanges)) : []
  })
  const met = references.filter(({ isMet }) => isMet).length
  const replays = references.flatMap((each) => (each.original ? each.replays : []))
  const statements = [
    ...references.flatMap((each) => [
      ...duplicateStatements(each),
      ...resultStatements(each),
      ...countStatements(each),
    ]),
    ...accountStatements(exchangesOf(ACCOUNTS_SCRIPT, plan, run)),
    ...cartStatements(exchangesOf(CARTS_SCRIPT, plan, run)),
    ...markStatements(references, target.answers.replayStatusCode),
  ]
  return {
    statements,
    ...openReason(met, replays.length),
    passReason: `${references.length} references made one order each, ${met} of them with copies side by side and ${replays.length} replays in flight.`,
    measurements: { referencesMet: met, replaysInFlight: replays.length },
  }
}

function openReason(met: number, replays: number): Pick<BurstJudgement, 'open'> {
  if (met < MET_MIN)
    return {
      open: `copies of ${met} references overlapped for certain, those of ${MET_MIN} are needed`,
    }
  if (replays < REPLAYS_MIN)
    return { open: `${replays} replays were answered, ${REPLAYS_MIN} are needed` }
  return {}
}

function referenceOf(
  script: string,
  { reference, attempts }: Order,
  exchanges: readonly BurstExchange[],
): Reference {
  const firstSentMs = attempts[0]?.sentMs ?? 0
  const copies = attempts.filter(({ sentMs }) => sentMs === firstSentMs)
  const accepted = attempts.filter(isNamed)
  // A script waits for all answers of a release before the next one.
  const boughtMs = Math.min(...accepted.map(({ sentMs }) => sentMs))
  const originals = accepted.filter(({ sentMs }) => sentMs === boughtMs)
  const names = new Set(originals.map(({ orderId }) => orderId))
  const [original] = originals
  return {
    name: `${script}, reference ${reference + 1}`,
    isLone: script !== OTHER_KIND_SCRIPT && reference === LONE_REFERENCE,
    isOfOtherKind: script === OTHER_KIND_SCRIPT && OTHER_KIND_REFERENCES.includes(reference),
    copies,
    isMet: (releasesOf(copies)[0]?.overlappingPairs ?? 0) > 0,
    ...(original && names.size === 1 && { original }),
    replays: attempts.filter((each) => each.sentMs > boughtMs && isDecided(each)),
    counts: exchanges.filter((each) => each.phase === 'count' && each.reference === reference),
  }
}

function say(
  requirement: RequirementId,
  verdict: Statement['verdict'],
  { name }: Pick<Reference, 'name'>,
  observed: string,
): Statement {
  return { requirement, verdict, observed: `${name}: ${observed}` }
}

function duplicateStatements(reference: Reference): Statement[] {
  const { copies, isMet } = reference
  if (!isMet) return []
  const failed = copies.filter(({ status }) => status >= 500)
  const answers = copies
    .filter(({ status }) => status > 0 && status < 500)
    .map(({ status, orderId }) => ({ status, orderId }))
  const { holds, observed } = judgeDuplicates(answers)
  const failures = `${failed.length} of ${copies.length} overlapping copies were answered by HTTP ${failed[0]?.status ?? '5xx'}`
  return [
    say('BUSY-01', failed.length === 0 ? 'pass' : 'fail', reference, failures),
    // What failed may have bought: then nothing is known of how many orders there are.
    ...(holds && failed.length > 0
      ? []
      : [say('IDEM-12', holds ? 'pass' : 'fail', reference, observed)]),
  ]
}

/** Replays of the same body, and those that ask for something else, give the original result. */
function resultStatements(reference: Reference): Statement[] {
  const { original, replays } = reference
  if (!original) return []
  return [
    ...resultStatement(
      'IDEM-03',
      reference,
      original,
      replays.filter((each) => !isChanged(reference, each)),
    ),
    ...resultStatement(
      'IDEM-06',
      reference,
      original,
      replays.filter((each) => isChanged(reference, each)),
    ),
  ]
}

/** Asks for another kind, or another number of units, than the first copies did. */
function isChanged(
  { copies, isOfOtherKind }: Pick<Reference, 'copies' | 'isOfOtherKind'>,
  { units }: BurstExchange,
): boolean {
  return isOfOtherKind || units !== copies[0]?.units
}

function resultStatement(
  requirement: RequirementId,
  reference: Reference,
  original: BurstExchange,
  replays: readonly BurstExchange[],
): Statement[] {
  if (replays.length === 0) return []
  const wrong = replays.filter((each) => !isSameResult(original, each))
  const [first] = wrong
  if (first === undefined)
    return [say(requirement, 'pass', reference, `${replays.length} replays gave the same result`)]
  const { status, orderId, price, currency } = first
  const order = orderId === original.orderId ? 'the same' : (orderId ?? 'none')
  const observed = `${wrong.length} of ${replays.length} replays gave another result, the first HTTP ${status}, order ${order}, ${price ?? 'no price'} ${currency ?? ''}, expected ${original.price} ${original.currency}`
  return [say(requirement, 'fail', reference, observed)]
}

function isSameResult(original: BurstExchange, replay: BurstExchange): boolean {
  return (
    isNamed(replay) &&
    replay.orderId === original.orderId &&
    parseMoney(replay.price) === parseMoney(original.price) &&
    replay.currency === original.currency
  )
}

function countStatements(reference: Reference): Statement[] {
  const { original, counts, copies, replays } = reference
  const read = counts.find(({ status }) => status === 200)
  if (!copies.some(isNamed) || read?.items === undefined) return []
  const observed = `its reference finds ${read.items} orders`
  const hasChanged = original !== undefined && replays.some((each) => isChanged(reference, each))
  const requirement = hasChanged ? 'IDEM-08' : 'IDEM-05'
  if (read.items > 1) return [say(requirement, 'fail', reference, observed)]
  if (read.items === 0) return [say(requirement, 'inconclusive', reference, observed)]
  return original ? [say(requirement, 'pass', reference, 'its reference finds one order')] : []
}

/** The number of a replay, against that of a purchase sent once; whatever it asks for. */
function markStatements(references: readonly Reference[], stated: number | undefined): Statement[] {
  const firsts = references
    .filter(({ isLone }) => isLone)
    .flatMap(({ copies }) => copies.filter(isNamed))
  const codesOf = (changed: boolean): (number | undefined)[] =>
    references.flatMap((reference) =>
      reference.replays
        .filter((each) => isNamed(each) && each.orderId === reference.original?.orderId)
        .filter((each) => isChanged(reference, each) === changed)
        .map(({ code }) => code),
    )
  const same = codesOf(false)
  const [usual] = same
  return [
    ...markStatement('IDEM-04', same, firsts, stated),
    ...markStatement('IDEM-07', codesOf(true), firsts, stated ?? usual),
  ]
}

function markStatement(
  requirement: RequirementId,
  codes: readonly (number | undefined)[],
  firsts: readonly BurstExchange[],
  stated: number | undefined,
): Statement[] {
  if (codes.length === 0) return []
  const { holds, observed } = judgeReplayMarks(
    codes,
    firsts.map(({ code }) => code),
    stated,
  )
  return [say(requirement, holds ? 'pass' : 'fail', { name: 'all references' }, observed)]
}
