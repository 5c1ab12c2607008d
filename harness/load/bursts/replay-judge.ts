import { plural } from '../../text.ts'
import type { RequirementId } from '../../../contract/requirements/index.ts'
import { judgeDuplicates } from '../../judge/duplicates.ts'
import { orderBreach, priceBreach } from '../../judge/rules/replays.ts'
import { CARTS_SCRIPT, CART_POSITIONS } from './replay-carts-script.ts'
import { KIND_SCRIPTS } from './replay-kinds-script.ts'
import { ordersOf, type Order } from './spend-orders.ts'
import { say, type Statement } from '../shared/statements.ts'
import type { BurstExchange } from './burst-import.ts'
import type { BurstPlan } from './burst-plan.ts'
import { releasesOf, isNamed } from './burst-proof.ts'
import { exchangesOf, type BurstJudgement, type BurstRun } from './burst-result.ts'
import { isAccepted, isDecided, isRefused, isServerError } from '../../../contract/answers.ts'

/** References with overlapping first-time copies, and replays in flight, that a verdict needs. */
const OVERLAPPING_MIN = 4
const REPLAYS_MIN = 8

/** One reference: its first-time copies, and what was sent when its order was known. */
type Reference = {
  readonly name: string
  /** Released together, before any of them was answered. */
  readonly copies: readonly BurstExchange[]
  readonly isOverlapping: boolean
  /** The order that the first successes name; undefined where they name none, or several. */
  readonly original?: BurstExchange
  /** Sent after the first success had come back. */
  readonly replays: readonly BurstExchange[]
  readonly counts: readonly BurstExchange[]
}

/** Holds copies and replays against the original, and every reference against the orders that it finds. */
export function judgeReplayStorm(plan: BurstPlan, run: BurstRun): BurstJudgement {
  const references = plan.file.scripts.flatMap(({ name }, script) => {
    const exchanges = run.evidence.scripts[script]?.exchanges ?? []
    if (name === CARTS_SCRIPT) return []
    const orders = ordersOf(exchanges)
    if (KIND_SCRIPTS.has(name) && !orders.some(({ attempts }) => attempts.some(isNamed))) return []
    return orders.map((order) => referenceOf(name, order, exchanges))
  })
  const overlapping = references.filter(({ isOverlapping }) => isOverlapping).length
  const replays = references.flatMap((each) => (each.original ? each.replays : []))
  const statements = [
    ...references.flatMap((each) => [
      ...duplicateStatements(each),
      ...resultStatements(each),
      ...countStatements(each),
    ]),
    ...cartStatements(exchangesOf(CARTS_SCRIPT, plan, run)),
  ]
  return {
    statements,
    ...openReason(overlapping, replays.length),
    passReason: `${references.length} references made one order each, ${overlapping} of them with copies side by side and ${replays.length} replays in flight.`,
    measurements: { referencesMet: overlapping, replaysInFlight: replays.length },
  }
}

function openReason(overlapping: number, replays: number): Pick<BurstJudgement, 'undecided'> {
  if (overlapping < OVERLAPPING_MIN)
    return {
      undecided: `copies of ${overlapping} references overlapped for certain, those of ${OVERLAPPING_MIN} are needed`,
    }
  if (replays < REPLAYS_MIN)
    return { undecided: `${replays} replays were answered, ${REPLAYS_MIN} are needed` }
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
    copies,
    isOverlapping: (releasesOf(copies)[0]?.overlappingPairs ?? 0) > 0,
    ...(original && names.size === 1 && { original }),
    replays: attempts.filter((each) => each.sentMs > boughtMs && isDecided(each)),
    counts: exchanges.filter((each) => each.phase === 'count' && each.reference === reference),
  }
}

function duplicateStatements(reference: Reference): Statement[] {
  const { copies, isOverlapping } = reference
  if (!isOverlapping) return []
  const failed = copies.filter(isServerError)
  const answers = copies
    .filter((each) => isAccepted(each) || isRefused(each))
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

/** Asks for another number of units than the first copies did. */
function isChanged({ copies }: Pick<Reference, 'copies'>, { units }: BurstExchange): boolean {
  return units !== copies[0]?.units
}

function resultStatement(
  requirement: RequirementId,
  reference: Reference,
  original: BurstExchange,
  replays: readonly BurstExchange[],
): Statement[] {
  if (replays.length === 0) return []
  const breaches = replays.flatMap((each) => {
    const breach = isNamed(each)
      ? (orderBreach(original, each) ?? priceBreach(original, each))
      : 'no order'
    return breach === undefined ? [] : [`HTTP ${each.status}, ${breach}`]
  })
  if (breaches.length === 0)
    return [say(requirement, 'pass', reference, `${replays.length} replays gave the same result`)]
  const observed = `${breaches.length} of ${replays.length} replays gave another result, the first ${breaches[0]}`
  return [say(requirement, 'fail', reference, observed)]
}

function countStatements(reference: Reference): Statement[] {
  const { original, counts, copies, replays } = reference
  const read = counts.find(({ status }) => status === 200)
  if (!copies.some(isNamed) || read?.items === undefined) return []
  const observed = `its reference finds ${plural(read.items, 'order')}`
  const hasChanged = original !== undefined && replays.some((each) => isChanged(reference, each))
  const requirement = hasChanged ? 'IDEM-08' : 'IDEM-05'
  if (read.items > 1) return [say(requirement, 'fail', reference, observed)]
  if (read.items === 0) return [say(requirement, 'inconclusive', reference, observed)]
  return original ? [say(requirement, 'pass', reference, 'its reference finds one order')] : []
}

/** Checkouts that were sent several times: their reference stands for the orders of one of them. */
function cartStatements(exchanges: readonly BurstExchange[]): Statement[] {
  return ordersOf(exchanges).flatMap(({ reference, attempts }): Statement[] => {
    // An answer that names no list of orders, or one alone, is none of a checkout.
    const named = attempts.filter((each) => isNamed(each) && each.orders !== undefined)
    const orders = new Set(named.flatMap(({ orderId }) => orderId?.split(',') ?? []))
    const read = exchanges.find(
      (each) => each.phase === 'count' && each.reference === reference && each.status === 200,
    )
    if (named.length === 0) return []
    const found = read?.items ?? 0
    const observed = `${CARTS_SCRIPT}, reference ${reference + 1}: sent ${attempts.length} times, ${orders.size} orders were returned and ${found} found for ${CART_POSITIONS.length} positions`
    if (Math.max(orders.size, found) > CART_POSITIONS.length)
      return [{ requirement: 'CART-04', verdict: 'fail', observed }]
    return named.length > 1 && found === CART_POSITIONS.length
      ? [{ requirement: 'CART-04', verdict: 'pass', observed }]
      : []
  })
}
