import { STATUS_CODE } from '../../contract/wire.ts'
import type { RequirementId } from '../../contract/requirements/index.ts'
import { judgeDuplicates } from '../judge/duplicates.ts'
import { parseRetryAfterSeconds } from '../judge/limiter.ts'
import { judgeSpend } from '../judge/spend.ts'
import { formatMoney, type Micros } from '../money.ts'
import { eventsOf, isCapRefusal, isContended, isDecided, ordersOf, unitOf } from './spend-orders.ts'
import type { Order } from './spend-orders.ts'
import type { Statement } from './statements.ts'
import type { VolleyExchange } from './volley-import.ts'
import type { VolleyPlan } from './volley-plan.ts'
import { isAccepted, isUnknown, releasesOf } from './volley-proof.ts'
import type { VolleyJudgement, VolleyRun } from './volley-result.ts'

/** Volleys with overlapping orders on one key that a verdict needs. */
const CONTENDED_VOLLEYS_MIN = 3
/** So many volleys in which nobody wins are a livelock. */
const LIVELOCK_VOLLEYS = 3

/** One key of a lane, with all that was sent on it. */
type KeyRun = {
  readonly name: string
  /** Units of its cap; null for none. */
  readonly headroomUnits: number | null
  readonly orders: readonly Order[]
  readonly volley: readonly VolleyExchange[]
  /** Orders of the volley on this key overlapped for certain. */
  readonly isMet: boolean
  readonly looks: readonly VolleyExchange[]
  readonly unit: Micros
}

type Say = (
  requirement: RequirementId,
  verdict: Statement['verdict'],
  observed: string,
) => Statement

/** Holds every key against its cap, and every answer against what contention may look like. */
export function judgeSpendContention(plan: VolleyPlan, run: VolleyRun): VolleyJudgement {
  const keys = keyRunsOf(plan, run)
  if (typeof keys === 'string') return { statements: [], open: keys, praise: '' }
  const capped = keys.filter(({ headroomUnits }) => headroomUnits !== null)
  const met = capped.filter(({ isMet }) => isMet).length
  const statements = [
    ...capped.flatMap((key) => [...capStatements(key), ...contentionStatements(key)]),
    ...keys.flatMap(copyStatements),
    ...keys.filter(({ headroomUnits }) => headroomUnits === null).flatMap(companionStatements),
    ...livelockStatements(capped),
  ]
  return {
    statements,
    ...(met < CONTENDED_VOLLEYS_MIN && {
      open: `orders overlapped for certain in ${met} of ${capped.length} volleys, ${CONTENDED_VOLLEYS_MIN} are needed`,
    }),
    praise: `${capped.length} caps held in ${met} volleys of overlapping orders, each to the last unit.`,
    measurements: {
      volleysMet: met,
      contendedAnswers: capped.flatMap(({ orders }) => attemptsOf(orders).filter(isContended))
        .length,
      attemptsPerOrderMax: Math.max(
        0,
        ...capped.flatMap(({ orders }) => orders.map(({ attempts }) => attempts.length)),
      ),
    },
  }
}

function keyRunsOf(plan: VolleyPlan, run: VolleyRun): KeyRun[] | string {
  const allOrders = run.evidence.lanes.flatMap(({ exchanges }) => ordersOf(exchanges))
  const unit = unitOf(allOrders)
  if (unit === undefined) return 'accepted orders state no common price of a unit'
  return plan.file.lanes.flatMap(({ name, headroomUnits }, lane) => {
    const exchanges = run.evidence.lanes[lane]?.exchanges ?? []
    const orders = ordersOf(exchanges)
    return headroomUnits.map((units, key): KeyRun => {
      const volley = exchanges.filter((each) => each.phase === 'volley' && each.key === key)
      const [release] = releasesOf(volley)
      return {
        name: headroomUnits.length > 1 ? `${name}, key ${key + 1}` : name,
        headroomUnits: units,
        orders: orders.filter((order) => order.key === key),
        volley,
        isMet: (release?.overlappingPairs ?? 0) > 0,
        looks: exchanges.filter((each) => each.phase === 'look' && each.key === key),
        unit,
      }
    })
  })
}

function sayFor({ name }: Pick<KeyRun, 'name'>): Say {
  return (requirement, verdict, observed) => ({
    requirement,
    verdict,
    observed: `${name}: ${observed}`,
  })
}

function attemptsOf(orders: readonly Order[]): VolleyExchange[] {
  return orders.flatMap(({ attempts }) => attempts)
}

/** The counter: never beyond the cap, no refusal within it, and its last unit can be bought. */
function capStatements(key: KeyRun): Statement[] {
  const say = sayFor(key)
  const { orders, unit, headroomUnits, isMet } = key
  const headroom = BigInt(headroomUnits ?? 0) * unit
  const events = eventsOf(orders, unit)
  const { okSum, overspent, falseRefusals } = judgeSpend(headroom, events)
  const sums = `${formatMoney(okSum)} of ${formatMoney(headroom)} were bought`
  if (overspent > 0n)
    return [say('CAP-13', 'fail', `${sums}, ${formatMoney(overspent)} beyond the cap`)]
  const open = orders.filter((order) => !isDecided(order))
  const reached = orders.some(({ attempts }) => attempts.some(({ phase }) => phase === 'brim-over'))
  if (open.length > 0 || !reached) {
    const reason = `${open.length} of ${orders.length} orders stayed undecided, so what is left is not known`
    return (['CAP-01', 'CAP-02', 'CAP-13'] as const).map((each) =>
      say(each, 'inconclusive', reason),
    )
  }
  return [
    ...(isMet ? [say('CAP-13', 'pass', `${sums}, by orders side by side`)] : []),
    ...lastUnits(
      key,
      falseRefusals.flatMap((index) => events[index]?.phase ?? []),
      okSum === headroom,
    ),
  ]
}

function brimOf({ orders }: KeyRun, phase: VolleyExchange['phase']): VolleyExchange | undefined {
  return attemptsOf(orders).find((each) => each.phase === phase)
}

/** Refusals of what was left: that of the very last unit is a matter of its own. */
function lastUnits(
  key: KeyRun,
  refusedWithin: readonly VolleyExchange['phase'][],
  isUsedUp: boolean,
): Statement[] {
  const say = sayFor(key)
  const earlier = refusedWithin.filter((phase) => phase !== 'brim-last' && phase !== 'brim-over')
  if (earlier.length > 0)
    return [
      say('CAP-01', 'fail', `the cap refused ${earlier.length} orders that what was left covers`),
    ]
  const right = say('CAP-01', 'pass', 'no order that what was left covers was refused by the cap')
  if (isUsedUp) return [right, say('CAP-02', 'pass', 'the cap was used up to its last unit')]
  if (refusedWithin.length > 0)
    return [right, say('CAP-02', 'fail', 'the purchase of the last unit was refused by the cap')]
  const status = brimOf(key, 'brim-last')?.status ?? 'none'
  return [right, say('CAP-02', 'inconclusive', `the last unit was answered by HTTP ${status}`)]
}

/** What contention may look like, on a key on which it was proved. */
function contentionStatements(key: KeyRun): Statement[] {
  const say = sayFor(key)
  const { volley, orders, isMet } = key
  if (!isMet) return []
  const broken = volley.filter(
    ({ status, code }) => status >= 500 || (status === 429 && code !== STATUS_CODE.limitReached),
  )
  const statements = [
    broken[0]
      ? say(
          'BUSY-01',
          'fail',
          `${broken.length} of ${volley.length} overlapping orders were answered otherwise, the first by HTTP ${broken[0].status}, statusCode ${broken[0].code ?? 'none'}`,
        )
      : say('BUSY-01', 'pass', `${volley.length} overlapping orders, no 5xx, every 429 with 8`),
  ]
  const contended = orders.filter(({ attempts }) => attempts.some(isContended))
  // A service may also make orders wait: then nothing can be said about its refusals.
  if (contended.length === 0) return statements
  return [
    ...statements,
    ...retryAfterStatements(say, contended),
    ...traceStatements(say, key),
    ...headroomStatements(say, key),
    repeatStatement(say, contended),
  ]
}

function retryAfterStatements(say: Say, contended: readonly Order[]): Statement[] {
  const answers = attemptsOf(contended).filter(isContended)
  const wrong = answers.filter(({ retryAfter }) => parseRetryAfterSeconds(retryAfter) === undefined)
  return [
    wrong[0]
      ? say(
          'BUSY-02',
          'fail',
          `${wrong.length} of ${answers.length} contended answers had Retry-After ${JSON.stringify(wrong[0].retryAfter ?? 'none')}`,
        )
      : say('BUSY-02', 'pass', `${answers.length} contended answers named whole seconds`),
  ]
}

/** The masked reads of contended orders before they were sent again; the read of an accepted one is the control. */
function traceStatements(say: Say, { looks, orders }: KeyRun): Statement[] {
  const isBought = ({ reference }: VolleyExchange): boolean => {
    const order = orders.find((each) => each.reference === reference)
    const before = order?.attempts.filter(({ phase }) => phase === 'volley') ?? []
    return before.some((each) => isAccepted(each) || isUnknown(each))
  }
  // A filter that finds nothing may also be answered by 404.
  const answered = looks.filter(({ status }) => status === 200 || status === 404)
  const control = answered.some((look) => isBought(look) && look.items === 1)
  const traces = answered.filter((look) => !isBought(look))
  const found = traces.filter(({ items = 0 }) => items > 0)
  if (!control || traces.length === 0) return []
  return [
    found.length > 0
      ? say('BUSY-04', 'fail', `${found.length} of ${traces.length} contended orders were found`)
      : say('BUSY-04', 'pass', `none of ${traces.length} contended orders was found`),
  ]
}

function headroomStatements(say: Say, key: KeyRun): Statement[] {
  const { unit, headroomUnits, orders } = key
  const headroom = BigInt(headroomUnits ?? 0) * unit
  const events = eventsOf(orders, unit)
  const last = brimOf(key, 'brim-last')
  const most = brimOf(key, 'brim-most')
  if (!orders.every(isDecided) || !last || judgeSpend(headroom, events).overspent > 0n) return []
  // The last unit alone may be refused by a cap that is strict: that is no contended order's doing.
  const withheld = most ? isCapRefusal(most) : false
  if (withheld)
    return [say('BUSY-05', 'fail', 'what the accepted orders leave was refused by the cap')]
  return most && isAccepted(most)
    ? [say('BUSY-05', 'pass', 'what the accepted orders leave could be bought')]
    : []
}

function repeatStatement(say: Say, contended: readonly Order[]): Statement {
  const lost = contended.filter(
    (order) =>
      isDecided(order) && !order.attempts.some((each) => isAccepted(each) || isCapRefusal(each)),
  )
  if (lost[0]) {
    const { status } = lost[0].attempts.at(-1) ?? {}
    const observed = `${lost.length} of ${contended.length} orders were answered by HTTP ${status} when they were sent again`
    return say('BUSY-06', 'fail', observed)
  }
  const open = contended.filter((order) => !isDecided(order))
  return open.length > 0
    ? say('BUSY-06', 'inconclusive', `${open.length} orders stayed contended, also one by one`)
    : say('BUSY-06', 'pass', `${contended.length} contended orders were decided when sent again`)
}

/** Every success of a reference names one order, under contention as well. */
function copyStatements(key: KeyRun): Statement[] {
  const say = sayFor(key)
  return key.orders
    .filter(({ attempts }) => attempts.filter(isAccepted).length > 1)
    .map(({ attempts }) => {
      const { holds, observed } = judgeDuplicates(attempts.filter(isAccepted))
      return say('IDEM-12', holds ? 'pass' : 'fail', observed)
    })
}

/** The key without a cap buys beside the capped one, and goes on when the cap is used up. */
function companionStatements(key: KeyRun): Statement[] {
  const say = sayFor(key)
  const attempts = attemptsOf(key.orders)
  const refused = attempts.filter(isCapRefusal)
  const after = attempts.filter(({ phase }) => phase === 'spare')
  if (refused.length > 0)
    return [say('CAP-15', 'fail', `the cap of another key refused ${refused.length} orders`)]
  if (!after.some(isAccepted))
    return [say('CAP-15', 'inconclusive', `HTTP ${after.at(-1)?.status ?? 'none'} after the cap`)]
  return [say('CAP-15', 'pass', 'bought on after the cap of another key was used up')]
}

function livelockStatements(capped: readonly KeyRun[]): Statement[] {
  const met = capped.filter(({ isMet }) => isMet)
  const barren = met.filter(({ volley }) =>
    volley.every((each) => isContended(each) || isUnknown(each)),
  )
  const say = sayFor({ name: 'all capped keys' })
  if (met.length === 0) return []
  if (barren.length >= LIVELOCK_VOLLEYS)
    return [say('BUSY-08', 'fail', `in ${barren.length} of ${met.length} volleys nobody won`)]
  const undecidedOrders = met.flatMap(({ orders }) => orders.filter((each) => !isDecided(each)))
  if (barren.length > 0 || undecidedOrders.length > 0)
    return [
      say(
        'BUSY-08',
        'inconclusive',
        `in ${barren.length} volleys nobody won, ${undecidedOrders.length} orders stayed undecided`,
      ),
    ]
  return [
    say('BUSY-08', 'pass', `somebody won in each of ${met.length} volleys, and all were decided`),
  ]
}
