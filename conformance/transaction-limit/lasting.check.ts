import { isPurchase } from '../../contract/operations.ts'
import {
  attemptedIn,
  headroomIn,
  otherAmountIn,
  timesNamed,
} from '../../harness/judge/spend-message.ts'
import { formatMoney, parseMoney, type Micros } from '../../harness/money.ts'
import { select } from '../../harness/target-file/select.ts'
import type { Target } from '../../harness/target-file/target.ts'
import type { Exchange } from '../engine/kit.ts'
import { referenceKeyOf } from '../steps/orders-seen.ts'
import {
  inapplicable,
  invariant,
  isAccepted,
  isCapRefusal,
  messageOf,
  showAnswer,
} from '../engine/kit.ts'

/**
 * Others who buy with the key explain a refusal, unless they took so much at once: at least this part of the whole cap, between what a
 * refusal said and the next purchase. None of them takes more than is left.
 */
const PART = 4n
const SECONDS_BETWEEN_MAX = 5

type Denied = { readonly told: Exchange; readonly left: Micros; readonly exchange: Exchange }

/** Where checks share one capped key, a cap that a refusal uses up keeps all of them from deciding: the history shows it. */
export const refusalsLeaveRoom = invariant({
  id: 'transaction-limit.lasting-headroom',
  title: 'what a refusal says is left of a lasting cap is neither refused next nor gone',
  requirements: ['CAP-11'],
  judge: ({ target, history, expect }) => {
    const { capped } = target.credentials
    const limit = parseMoney(capped?.transactionLimit?.limit)
    if (target.control || limit === undefined) inapplicable('no check shares a capped key')
    const purchases = history
      // Of several keys with a cap one is followed: the caps are apart.
      .filter(({ keyVariable, operation }) => keyVariable === capped?.env && isPurchase(operation))
      .toSorted((a, b) => a.sentAtMs - b.sentAtMs)
    const { denied, gone, followed } = deniedIn(purchases, limit, target)
    if (followed === 0 && denied.length === 0 && gone.length === 0)
      inapplicable('no purchase followed a refusal that says what is left')
    const [lost] = gone
    if (lost)
      expect('CAP-11').that('what a refusal says is left is there at the next one', {
        holds: false,
        expected: `${formatMoney(lost.left)} is left, since nothing was bought in between`,
        observed: messageOf(lost.exchange),
        exchanges: [lost.told, lost.exchange],
        about: gone.map(({ exchange }) => exchange),
      })
    const [first] = denied
    expect('CAP-11').that('a purchase that fits what the last refusal says is left', {
      holds: !first,
      expected: first
        ? `no refusal by the cap: ${formatMoney(first.left)} was left`
        : 'no refusal by the cap',
      observed: first ? showAnswer(first.exchange) : 'none was refused by the cap',
      exchanges: first ? [first.told, first.exchange] : purchases.slice(0, 2),
      about: denied.map(({ exchange }) => exchange),
    })
  },
})

/** Follows what is left of the cap from the first refusal that says it, as far as each purchase tells what it took. */
function deniedIn(
  purchases: readonly Exchange[],
  limit: Micros,
  target: Target,
): { denied: Denied[]; gone: Denied[]; followed: number } {
  const denied: Denied[] = []
  const gone: Denied[] = []
  // A reference that was refused may be answered so ever after (OPEN-65), whatever is left then.
  const refused = new Set<string | undefined>()
  let followed = 0
  let answeredMs = -Infinity
  let unit: Micros | undefined
  let known: { readonly told: Exchange; readonly left: Micros } | undefined
  for (const [index, exchange] of purchases.entries()) {
    const isBeside = isBesideOthers(purchases, index, answeredMs)
    if (isBeside) known = undefined
    answeredMs = Math.max(answeredMs, exchange.receivedAtMs)
    if (known && !isSoonAfter(known.told, exchange)) known = undefined
    const price = priceIn(exchange, target)
    const wanted = wantedOf(exchange, unit)
    const fits = known && wanted !== undefined && PART * (known.left - wanted) >= limit
    if (isAccepted(exchange)) {
      if (fits) followed += 1
      if (isOneVoucher(exchange)) unit = price
      known = known && price !== undefined ? { ...known, left: known.left - price } : undefined
    } else if (isCapRefusal(exchange)) {
      const reference = referenceKeyOf(exchange)
      const isNew = !refused.has(reference)
      refused.add(reference)
      if (!isNew) continue
      if (known && fits) denied.push({ ...known, exchange })
      if (known && isGone(known.left, messageOf(exchange), { limit, wanted }))
        gone.push({ ...known, exchange })
      if (!isBeside) known ??= toldBy(exchange, { limit, unit, whole: wanted })
    } else if (![415, 422, 429].includes(exchange.response?.status ?? 0)) known = undefined
  }
  return { denied, gone, followed }
}

/** Whether a refusal says that so much less is left than the last one said, or less than nothing. */
function isGone(
  left: Micros,
  message: string,
  { limit, wanted }: { readonly limit: Micros; readonly wanted: Micros | undefined },
): boolean {
  if (wanted === undefined) return false
  // What was left is named still: the other number may be that of a key or of an order.
  if (timesNamed(message, left) > (left === limit || left === wanted ? 1 : 0)) return false
  const now = otherAmountIn(message, [wanted, limit])
  return now !== undefined && (now < 0n || PART * (left - now) >= limit)
}

/** What is under way at once may have taken the rest, in whichever order it was sent and answered. */
function isBesideOthers(
  purchases: readonly Exchange[],
  index: number,
  answeredMs: number,
): boolean {
  const [exchange, next] = purchases.slice(index, index + 2)
  if (!exchange) return false
  return answeredMs > exchange.sentAtMs || (next?.sentAtMs ?? Infinity) < exchange.receivedAtMs
}

function isSoonAfter(told: Exchange, exchange: Exchange): boolean {
  return exchange.sentAtMs - told.receivedAtMs <= SECONDS_BETWEEN_MAX * 1000
}

type Amounts = {
  readonly limit: Micros
  readonly unit: Micros | undefined
  /** What the order costs without a discount. */
  readonly whole: Micros | undefined
}

function toldBy(
  told: Exchange,
  { limit, unit, whole }: Amounts,
): { told: Exchange; left: Micros } | undefined {
  const { units } = told
  if (unit === undefined || whole === undefined || units === undefined) return undefined
  const message = messageOf(told)
  const named = attemptedIn(message, { units, whole }, limit)
  const left = headroomIn(message, { limit, unit, left: -1n, attempted: named })
  return left === undefined ? undefined : { told, left }
}

function isOneVoucher({ products, units }: Exchange): boolean {
  return products?.length === 1 && products[0] === 'voucher' && units === 1
}

/** What an order of vouchers asks for. */
function wantedOf({ products, units }: Exchange, unit: Micros | undefined): Micros | undefined {
  const isOfVouchers = products?.length === 1 && products[0] === 'voucher'
  return isOfVouchers && units !== undefined && unit !== undefined
    ? BigInt(units) * unit
    : undefined
}

function priceIn({ json, operation }: Exchange, target: Target): Micros | undefined {
  if (operation !== 'createOrder') return undefined
  const [value] = select(target.operations.createOrder.selectors['price'] ?? '/data/price', json)
  return parseMoney(value)
}
