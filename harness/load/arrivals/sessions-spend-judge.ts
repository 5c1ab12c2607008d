import type { RequirementId } from '../../../contract/requirements/index.ts'
import { ERROR_CODE_TRANSACTION_LIMIT, STATUS_CODE } from '../../../contract/wire.ts'
import { judgeSpend, type SpendEvent } from '../../judge/spend.ts'
import { formatMoney, type Micros } from '../../money.ts'
import type { ArrivalExchange } from './arrivals-import.ts'
import type { KeyCap } from './arrivals-plan.ts'
import { decide, isAccepted, isUnknown, say, strangersIn } from './sessions-history.ts'
import type { Purchase } from './sessions-history.ts'
import { isCapRefusal, type Refusable } from '../volleys/spend-orders.ts'
import type { Statement } from '../statements.ts'

/** The purchases of one key against its cap. */
export function spendStatements(
  name: string,
  purchases: readonly Purchase[],
  { headroom }: KeyCap,
  amountOf: (purchase: Purchase) => Micros | undefined,
): Statement[] {
  const place = { name }
  const refusals = purchases.flatMap(({ attempts }) => attempts.filter(isCapRefusal))
  const marks = refusals.flatMap((refusal) => markStatements(place, refusal))
  if (headroom === 'unknown') return marks
  if (headroom === 'none') return [...marks, ...uncappedStatements(place, purchases, refusals)]
  return [...marks, ...cappedStatements(place, purchases, headroom, amountOf)]
}

/** The two marks of a refusal by the cap. */
export function markStatements(
  place: { readonly name: string },
  { code, errorCode }: Pick<Refusable, 'code' | 'errorCode'>,
): Statement[] {
  const isLimit = code === STATUS_CODE.limitReached
  return [
    decide(
      'CAP-04',
      code === STATUS_CODE.apiKeyLimitExceeded,
      place,
      `409 with statusCode ${code ?? 'none'}`,
    ),
    decide(
      'CAP-05',
      errorCode === ERROR_CODE_TRANSACTION_LIMIT,
      place,
      `409 with errorCode ${errorCode ?? 'none'}`,
    ),
    decide('CAP-17', !isLimit, place, `409 with statusCode ${code ?? 'none'}`),
  ]
}

function uncappedStatements(
  place: { name: string },
  purchases: readonly Purchase[],
  refusals: readonly ArrivalExchange[],
): Statement[] {
  const bought = purchases.filter(({ original }) => original).length
  if (bought + refusals.length === 0) return []
  const observed = `without a cap, ${bought} purchases were accepted, ${refusals.length} refused by a cap`
  return [decide('CAP-16', refusals.length === 0, place, observed)]
}

/** A counter with a cap explains the history, and what it refused was really beyond it. */
function cappedStatements(
  place: { name: string },
  purchases: readonly Purchase[],
  headroom: Micros,
  amountOf: (purchase: Purchase) => Micros | undefined,
): Statement[] {
  const within: RequirementId = purchases.some(({ kind }) => kind === 'cart') ? 'CAP-21' : 'CAP-13'
  const events = purchases.map((purchase) => eventsOf(purchase, amountOf(purchase)))
  if (events.includes(undefined))
    return [say(within, 'inconclusive', place, 'a purchase states no price')]
  const { okSum, overspent, falseRefusals } = judgeSpend(
    headroom,
    events.flatMap((each) => each ?? []),
  )
  const sums = `${formatMoney(okSum)} of ${formatMoney(headroom)} were bought`
  if (overspent > 0n)
    return [say(within, 'fail', place, `${sums}, ${formatMoney(overspent)} beyond the cap`)]
  if (!purchases.some(({ attempts }) => attempts.some(isCapRefusal))) return []
  const early = `${falseRefusals.length} purchases were refused that what was left covers; ${sums}`
  return [
    say(within, 'pass', place, `${sums}, and what was beyond was refused`),
    decide('CAP-01', falseRefusals.length === 0, place, early),
  ]
}

/** As the spend judge wants them; undefined where an amount is not known. */
function eventsOf(
  { attempts, original }: Purchase,
  amount: Micros | undefined,
): SpendEvent[] | undefined {
  const spending = attempts.filter((each) => isAccepted(each) || isUnknown(each))
  const refusals = attempts.filter(isCapRefusal)
  if (spending.length + refusals.length === 0) return []
  if (amount === undefined) return undefined
  const sentMs = Math.min(...spending.map((each) => each.sentMs))
  const unknownEndMs = Math.max(...spending.map((each) => each.receivedMs))
  return [
    ...(original
      ? [{ outcome: 'ok' as const, amount, sentMs, receivedMs: original.receivedMs }]
      : []),
    ...(!original && spending.length > 0
      ? [{ outcome: 'unknown' as const, amount, sentMs, receivedMs: unknownEndMs }]
      : []),
    ...refusals.map((each) => ({
      outcome: 'refused' as const,
      amount,
      sentMs: each.sentMs,
      receivedMs: each.receivedMs,
    })),
  ]
}

/** A purchase that the cap refused left nothing: its reference finds nothing. What others found is the control. */
export function traceStatements(
  purchases: readonly Purchase[],
  owners: ReadonlyMap<string, number>,
): Statement[] {
  const refused = purchases.filter(
    ({ original, attempts }) => !original && attempts.some(isCapRefusal),
  )
  const isControlled = purchases.some(
    ({ original, reads }) =>
      original &&
      reads.some(({ operation, items = 0 }) => operation === 'by-reference' && items > 0),
  )
  return refused.flatMap((purchase) => {
    const read = purchase.reads.find(({ status }) => status === 200 || status === 404)
    if (!read) return []
    const items = read.states.length - strangersIn(read, purchase, owners).length
    const observed = `refused by the cap, its reference finds ${items} orders`
    if (items > 0) return [say('CAP-10', 'fail', purchase, observed)]
    return isControlled ? [say('CAP-10', 'pass', purchase, observed)] : []
  })
}
