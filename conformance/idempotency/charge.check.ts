import type { Exchange } from '../../harness/client/exchange.ts'
import { overlappingPairs } from '../../harness/judge/duplicates.ts'
import { retryAfterSeconds } from '../../harness/client/headers.ts'
import { formatMoney, parseMoney, type Micros } from '../../harness/money.ts'
import { check, type CheckContext } from '../check.ts'
import { showAnswer } from '../engine/describe.ts'
import { inconclusive, untested } from '../engine/undecided.ts'
import { buy, BUYS_VOUCHERS, dataOf, orderIdOf } from '../orders/steps.ts'
import { COPIES, decideAll, releaseTogether } from './bursts.ts'
import { replayOfSameOrder } from './steps.ts'

const NEEDS = {
  ...BUYS_VOUCHERS,
  capabilities: ['shop', 'transaction-limit'],
  roles: ['capped'],
} as const

/** Replays of one order; more than one, so that what they would use up exceeds the slack of the probe. */
const REPLAYS = 3

type Units = { readonly left: number; readonly unit: Micros }

/** Whole units that the key can still buy after it bought one, by the headroom that its role states. */
function unitsLeft({ keys }: CheckContext, first: Exchange): Units {
  const { transactionLimit } = keys.key('capped')
  const unit = parseMoney(dataOf(first)['price'])
  const limit = parseMoney(transactionLimit?.limit)
  const used = parseMoney(transactionLimit?.used)
  if (limit === undefined || used === undefined)
    untested('the target file states no transactionLimit for the role "capped"')
  if (unit === undefined || unit <= 0n)
    untested(`the first purchase has no price to reckon with: ${showAnswer(first)}`)
  if (dataOf(first)['currency'] !== transactionLimit?.currency)
    untested(`the cap is in ${transactionLimit?.currency ?? 'no currency'}, the purchase is not`)
  const left = Number((limit - used) / unit) - 1
  if (left < REPLAYS)
    untested(`the headroom ${formatMoney(limit - used)} of the role "capped" is too small`)
  return { left, unit }
}

/**
 * Buys all that must be left but one unit, then that unit, then one more. The first is refused if repeats of a purchase were
 * charged; the last two show that the cap is where it is said to be. `exchanges` are those that led here.
 */
async function judgeHeadroom(
  context: CheckContext,
  { left, unit }: Units,
  exchanges: readonly Exchange[],
): Promise<void> {
  const most = await buyAsCapped(context, left - 1)
  const refused = isCapRefusal(most)
  if (!refused) needPriceOf(most, unit * BigInt(left - 1))
  if (refused && !context.isFresh)
    inconclusive(
      'the stated headroom was not there, but the key may have been used since it was stated',
    )
  context.expect('IDEM-09').that('what was left before the repeats can still be bought', {
    holds: !refused,
    expected: `${left - 1} units of ${formatMoney(unit)} are sold`,
    observed: showAnswer(most),
    exchanges: [...exchanges, most],
  })
  if (refused) return
  const last = await buyAsCapped(context, 1)
  const beyond = await buyAsCapped(context, 1)
  if (isCapRefusal(last) || !isCapRefusal(beyond))
    inconclusive(
      `the cap is not where it is stated to be, so a single charge cannot be excluded: the last unit got ${showAnswer(last)}, one more ${showAnswer(beyond)}`,
    )
}

/** A 429 is waited out once, and only if that is a matter of a window: a cap that answers so would never end. */
async function buyAsCapped(context: CheckContext, quantity: number): Promise<Exchange> {
  const { api, limit, reference, wait } = context
  const order = { product: 'voucher', quantity, referenceId: reference() } as const
  const buyOnce = (): Promise<Exchange> =>
    api.as('capped').createOrder(order, { throttled: 'return' })
  const exchange = await buyOnce()
  if (exchange.response?.status !== 429) return exchange
  const seconds = retryAfterSeconds(exchange) ?? 1
  if (seconds <= limit('default').windowSeconds) await wait('a 429 to end', seconds * 1000 + 60)
  const again = await buyOnce()
  if (again.response?.status === 429)
    inconclusive(`a purchase was answered 429 twice: ${showAnswer(again)}`)
  return again
}

function isSuccess({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status <= 299
}

function isCapRefusal({ response }: Exchange): boolean {
  return response?.status === 409
}

function needPriceOf(exchange: Exchange, wanted: Micros): void {
  const price = parseMoney(dataOf(exchange)['price'])
  if (price !== wanted)
    untested(
      `several units do not cost ${formatMoney(wanted)}, so the headroom cannot be reckoned: ${showAnswer(exchange)}`,
    )
}

export const replayIsNotCharged = check({
  id: 'idempotency.replay-not-charged',
  title: 'a replay leaves the headroom of the key as it was',
  requirements: ['IDEM-09'],
  needs: { ...NEEDS, purchases: 4, transactionLimit: '6.00' },
  run: async (context) => {
    const bought = await buy(context, {}, { role: 'capped' })
    const units = unitsLeft(context, bought.exchange)
    const replays: Exchange[] = []
    for (let count = 0; count < REPLAYS; count++)
      replays.push(await replayOfSameOrder(context, bought, {}, 'capped'))
    await judgeHeadroom(context, units, [bought.exchange, ...replays])
  },
})

export const copiesAreChargedOnce = check({
  id: 'idempotency.copies-charged-once',
  title: 'copies of one purchase that arrive together are charged once',
  requirements: ['IDEM-09'],
  needs: { ...NEEDS, purchases: 3 + COPIES, transactionLimit: '12.00' },
  run: async (context) => {
    const [burst] = await releaseTogether(context, [context.reference()], COPIES, 'capped')
    if (!burst) throw new Error('a burst of one reference has one entry')
    const all = await decideAll(context, burst, 'capped')
    const first = all.find(isSuccess)
    if (!first) untested(`no copy succeeded: ${showAnswer(all.at(-1) as Exchange)}`)
    const orderId = orderIdOf(first) ?? ''
    if (all.some((exchange) => isSuccess(exchange) && orderIdOf(exchange) !== orderId))
      untested('the copies made several orders, which IDEM-12 decides')
    const { referenceId } = burst
    await replayOfSameOrder(context, { exchange: first, orderId, referenceId }, {}, 'capped')
    await judgeHeadroom(context, unitsLeft(context, first), all)
    if (overlappingPairs(burst.copies) === 0) inconclusive('no two copies overlapped')
  },
})
