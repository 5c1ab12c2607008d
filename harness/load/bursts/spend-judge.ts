import { limitOf } from '../../quota/effective-limits.ts'
import { judgeDuplicates } from '../../judge/duplicates.ts'
import { judgeSpend } from '../../judge/spend.ts'
import { formatMoney, inHundredths } from '../../money.ts'
import { contentionStatements } from './spend-contention-judge.ts'
import { attemptsOf, boundaryAnswer, keyRunsOf, sayFor, type KeyRun } from './spend-keys.ts'
import { kindStatements } from './spend-kinds-judge.ts'
import { loneStatements } from './spend-lone-judge.ts'
import { eventsOf, isOrderDecided } from './spend-orders.ts'
import { CAP_MARK_RULES } from '../../judge/rules/refusals.ts'
import { answerOf, ruleStatements } from '../shared/rule-tally.ts'
import type { Statement } from '../shared/statements.ts'
import type { BurstExchange } from './burst-import.ts'
import type { BurstContext, BurstPlan } from './burst-plan.ts'
import type { BurstJudgement, BurstRun } from './burst-result.ts'
import { isCapRefusal, isThrottled, isLost } from '../../../contract/answers.ts'
import { isNamed } from './burst-proof.ts'

/** Bursts with overlapping orders on one key that a verdict needs. */
const CONTENDED_BURSTS_MIN = 3
/** So many bursts in which nobody wins are a livelock. */
const LIVELOCK_BURSTS = 3

/** Holds every key against its cap, and every answer against what contention may look like. */
export function judgeSpendContention(
  plan: BurstPlan,
  run: BurstRun,
  { limits, accounts, target }: Pick<BurstContext, 'limits' | 'accounts' | 'target'>,
): BurstJudgement {
  const keys = keyRunsOf(plan, run, accounts.fresh)
  if (typeof keys === 'string') return { statements: [], undecided: keys, passReason: '' }
  const capped = keys.filter(({ headroomUnits }) => headroomUnits !== null)
  const overlapping = capped.reduce((sum, key) => sum + key.overlapping.length, 0)
  const bursts = capped.reduce((sum, key) => sum + key.bursts.length, 0)
  const statements = [
    ...capped.flatMap((key) => [...capStatements(key), ...refusalStatements(key)]),
    ...keys.flatMap(contentionStatements),
    ...loneStatements(keys, limitOf(limits, 'default', 'createOrder'), accounts.fresh),
    ...keys.flatMap(copyStatements),
    ...keys.filter(({ headroomUnits }) => headroomUnits === null).flatMap(companionStatements),
    ...livelockStatements(capped),
  ]
  // A counter that lets vouchers overspend does so for every kind.
  const isOverspent = statements.some(
    ({ requirement, verdict }) => requirement === 'CAP-13' && verdict === 'fail',
  )
  if (!isOverspent) statements.push(...kindStatements(plan, run, { target }))
  return {
    statements,
    ...(overlapping < CONTENDED_BURSTS_MIN && {
      undecided: `orders overlapped for certain in ${overlapping} of ${bursts} bursts, ${CONTENDED_BURSTS_MIN} are needed`,
    }),
    passReason: `${capped.length} caps held in ${overlapping} bursts of overlapping orders, each to the last unit.`,
    measurements: {
      burstsMet: overlapping,
      contendedAnswers: capped.flatMap(({ orders }) => attemptsOf(orders).filter(isThrottled))
        .length,
      attemptsPerOrderMax: Math.max(
        0,
        ...capped.flatMap(({ orders }) => orders.map(({ attempts }) => attempts.length)),
      ),
    },
  }
}

/** The counter: never beyond the cap, no refusal within it, and its last unit can be bought. */
function capStatements(key: KeyRun): Statement[] {
  const say = sayFor(key)
  const { orders, unit, headroomUnits, overlapping, isExact } = key
  const headroom = BigInt(headroomUnits ?? 0) * unit
  const events = eventsOf(orders, unit)
  const { okSum, overspent } = judgeSpend(headroom, events)
  // Where others may have used the key as well, there was room for what was bought, and for no more for certain.
  const { falseRefusals } = judgeSpend(isExact ? headroom : okSum, events)
  const sums = `${formatMoney(okSum)} of ${formatMoney(headroom)} were bought`
  if (overspent > 0n)
    return [say('CAP-13', 'fail', `${sums}, ${formatMoney(overspent)} beyond the cap`)]
  const open = orders.filter((order) => !isOrderDecided(order))
  const reached = orders.some(({ attempts }) =>
    attempts.some(({ phase }) => phase === 'cap-overrun'),
  )
  if (open.length > 0 || !reached) {
    const reason = `${open.length} of ${orders.length} orders stayed undecided, so what is left is not known`
    return (['CAP-01', 'CAP-02', 'CAP-13'] as const).map((each) =>
      say(each, 'inconclusive', reason),
    )
  }
  if (!isExact && falseRefusals.length === 0 && okSum < headroom) {
    const reason = `${sums}: others may have used the key since the target file was written`
    return (['CAP-01', 'CAP-02'] as const).map((each) => say(each, 'inconclusive', reason))
  }
  return [
    ...(overlapping.length > 0 ? [say('CAP-13', 'pass', `${sums}, by orders side by side`)] : []),
    ...lastUnits(
      key,
      falseRefusals.flatMap((index) => events[index]?.attempt.phase ?? []),
      okSum === headroom && { isExactly: headroom === inHundredths(headroom) },
    ),
  ]
}

/**
 * Refusals of what was left: that of the very last unit is a matter of its own. A cap is made of whole hundredths, so finer prices use
 * none of it up exactly.
 */
function lastUnits(
  key: KeyRun,
  refusedWithin: readonly BurstExchange['phase'][],
  usedUp: { readonly isExactly: boolean } | false,
): Statement[] {
  const say = sayFor(key)
  const earlier = refusedWithin.filter(
    (phase) => phase !== 'cap-last-unit' && phase !== 'cap-overrun',
  )
  if (earlier.length > 0)
    return [
      say('CAP-01', 'fail', `the cap refused ${earlier.length} orders that what was left covers`),
    ]
  const right = say('CAP-01', 'pass', 'no order that what was left covers was refused by the cap')
  const whole = say('CAP-02', 'pass', 'the cap was used up to its last unit')
  if (usedUp) return usedUp.isExactly ? [right, whole] : [right]
  if (refusedWithin.length > 0)
    return [right, say('CAP-02', 'fail', 'the purchase of the last unit was refused by the cap')]
  const status = boundaryAnswer(key, 'cap-last-unit')?.status ?? 'none'
  return [right, say('CAP-02', 'inconclusive', `the last unit was answered by HTTP ${status}`)]
}

/** Every success of a reference names one order, under contention as well. */
function copyStatements(key: KeyRun): Statement[] {
  const say = sayFor(key)
  return key.orders
    .filter(({ attempts }) => attempts.filter(isNamed).length > 1)
    .map(({ attempts }) => {
      const { holds, observed } = judgeDuplicates(attempts.filter(isNamed))
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
  if (!after.some(isNamed))
    return [say('CAP-15', 'inconclusive', `HTTP ${after.at(-1)?.status ?? 'none'} after the cap`)]
  return [say('CAP-15', 'pass', 'bought on after the cap of another key was used up')]
}

function livelockStatements(capped: readonly KeyRun[]): Statement[] {
  const bursts = capped.flatMap((key) => key.overlapping)
  const undecided = bursts.filter(({ exchanges }) =>
    exchanges.every((each) => isThrottled(each) || isLost(each)),
  )
  const say = sayFor({ name: 'all capped keys' })
  if (bursts.length === 0) return []
  if (undecided.length >= LIVELOCK_BURSTS)
    return [say('BUSY-08', 'fail', `in ${undecided.length} of ${bursts.length} bursts nobody won`)]
  const undecidedOrders = capped
    .filter((key) => key.overlapping.length > 0)
    .flatMap(({ orders }) => orders.filter((each) => !isOrderDecided(each)))
  if (undecided.length > 0 || undecidedOrders.length > 0)
    return [
      say(
        'BUSY-08',
        'inconclusive',
        `in ${undecided.length} bursts nobody won, ${undecidedOrders.length} orders stayed undecided`,
      ),
    ]
  return [
    say('BUSY-08', 'pass', `somebody won in each of ${bursts.length} bursts, and all were decided`),
  ]
}

/** The marks of every refusal by the cap. */
function refusalStatements(key: KeyRun): Statement[] {
  const refusals = attemptsOf(key.orders).filter(isCapRefusal)
  return ruleStatements(CAP_MARK_RULES, refusals.map(answerOf), key.name)
}
