import { amountsIn, bulkPricesIn, namesAmount } from '../../../harness/judge/spend-message.ts'
import { formatMoney, type Micros } from '../../../harness/money.ts'
import type { Exchange } from '../../engine/kit.ts'
import { isAccepted, isCapRefusal, messageOf } from '../../engine/kit.ts'
import { LINES, POSITIONS } from '../cart.ts'
import { RETURNED, sendUnits } from './capped-cart.ts'
import type { CappedKey } from './capped-key.ts'
import { expectNamed, expectRefusedAlike } from './other-purchasables.ts'

/** What only a checkout shows that the cap refuses as a whole. */
export const OF_REFUSED_WHOLE = [
  'CAP-06',
  'CAP-07',
  'CAP-08',
  'CAP-09',
  'CAP-10',
  'CAP-11',
] as const

/** A checkout that the cap refused as a whole. */
export type RefusedCheckout = {
  readonly cappedKey: CappedKey
  readonly refused: Exchange
  readonly referenceId: string
  /** In each position. */
  readonly units: number
  /** Of the cap. */
  readonly left: Micros
  /** Of one unit in each position: a body may have a product of its own in each. */
  readonly prices: readonly Micros[]
}

/** Its message names the attempted amount, what is left and the cap. */
export function judgeNames({ cappedKey, refused, units, left, prices }: RefusedCheckout): void {
  const { context } = cappedKey
  const { expect, leaveUndecided } = context
  // Whether the attempted amount is that of the cart, of a position or of the positions so far is not shown.
  const counts = LINES.map((_, index) => units * (index + 1))
  const attempts = [
    ...counts.map((count) => cappedKey.amountOf(count)),
    ...amountsOfPositions(prices, units),
  ]
  const isNamed = attempts.some((attempted) => namesAmount(messageOf(refused), attempted))
  if (!isNamed && mayCostOtherwise(cappedKey, { counts, left }, refused))
    leaveUndecided(
      'CAP-06',
      `${units} units in a position may cost something else than as many single ones: ${JSON.stringify(messageOf(refused))}`,
    )
  else
    expect('CAP-06').that('the message of a refused checkout names the attempted amount', {
      holds: isNamed,
      expected: `one of ${[...new Set(attempts.map(formatMoney))].join(', ')} in statusMessage, in any format and place`,
      observed: JSON.stringify(messageOf(refused)),
      exchanges: [refused],
    })
  expectRestNamed(cappedKey, refused, { counts, left, attempts })
  expectNamed(context, 'CAP-08', [cappedKey.limit, 'limit'], refused)
}

/** It has kept nothing: a smaller one passes, under its reference or (OPEN-65) under another. */
export async function judgeNothingKept({
  cappedKey,
  refused,
  referenceId,
  units,
  left,
}: RefusedCheckout): Promise<void> {
  const { context } = cappedKey
  const { expect, leaveUndecided } = context
  const repeated = [
    (await sendUnits(context, units, { referenceId, ...RETURNED })).exchange,
    (await sendUnits(context, units, RETURNED)).exchange,
  ]
  expectRefusedAlike(context, 'a checkout', refused, repeated)
  const { exchange: again } = await sendUnits(context, 1, { referenceId })
  const isKept = isCapRefusal(again)
  context.observe(
    'OPEN-65',
    `a checkout that fits, under a reference that the cap refused: HTTP ${again.response?.status ?? 'none'}`,
    [refused, again],
  )
  const { exchange: smaller } = isKept ? await sendUnits(context, 1) : { exchange: again }
  // Where one order takes few pieces, others have used the cap up before.
  if (left < cappedKey.mostOf(POSITIONS)) {
    for (const requirement of ['CAP-10', 'CAP-11'] as const)
      leaveUndecided(
        requirement,
        `${formatMoney(left)} is left, less than ${POSITIONS} units of voucher: one order of the target takes too few pieces for this cap`,
      )
    return
  }
  expect('CAP-10').that('what is sent under the reference again is bought, or refused alike', {
    holds: isKept || isAccepted(again),
    expected: 'a checkout that fits is accepted under it, or refused by the cap as before',
    exchanges: [refused, again],
  })
  expect('CAP-11').that('after a checkout that the cap refused a smaller one passes', {
    holds: !isCapRefusal(smaller),
    expected: `one unit in each of ${POSITIONS} positions still fits the cap`,
    exchanges: [refused, again, smaller],
  })
}

/** Of each position, and of all positions, where a body has another product in each. */
function amountsOfPositions(prices: readonly Micros[], units: number): Micros[] {
  const each = prices.slice(0, POSITIONS).map((price) => price * BigInt(units))
  return [...each, each.reduce((sum, price) => sum + price, 0n)]
}

/** Positions before the one that does not fit may have been set aside. */
function expectRestNamed(
  cappedKey: CappedKey,
  refused: Exchange,
  {
    counts,
    left,
    attempts,
  }: {
    readonly counts: readonly number[]
    readonly left: Micros
    readonly attempts: readonly Micros[]
  },
): void {
  const { expect, leaveUndecided } = cappedKey.context
  const rests = [0n, ...attempts].map((amount) => left - amount)
  const isNamed = rests.some((rest) => rest >= 0n && namesAmount(messageOf(refused), rest))
  if (!isNamed && mayCostOtherwise(cappedKey, { counts, left }, refused))
    leaveUndecided('CAP-07', 'a position may cost something else than as many single units')
  else
    expect('CAP-07').that('the message of a refused checkout names the remaining headroom', {
      holds: isNamed,
      expected: `${formatMoney(left)}, or less what positions take, in statusMessage`,
      observed: JSON.stringify(messageOf(refused)),
      exchanges: [refused],
    })
}

/** Whether the message names another price of the cart: what pieces of a cart cost is not shown before it is bought. */
function mayCostOtherwise(
  cappedKey: CappedKey,
  { counts, left }: { readonly counts: readonly number[]; readonly left: Micros },
  refused: Exchange,
): boolean {
  const { limit } = cappedKey
  // The price may be just as much as the cap, which is then named twice.
  if (amountsIn(messageOf(refused)).filter((stated) => stated === limit).length > 1) return true
  const known = [limit, left]
  return counts.some((units) => {
    const many = { units, whole: cappedKey.amountOf(units) }
    return bulkPricesIn([messageOf(refused)], many, { left: 0n, known }).length > 0
  })
}
