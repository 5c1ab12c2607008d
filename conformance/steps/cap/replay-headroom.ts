import { isStatedAs } from '../../../harness/judge/spend-message.ts'
import { formatMoney } from '../../../harness/money.ts'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { inconclusive, isAccepted, isCapRefusal, showAnswer, untested } from '../../engine/kit.ts'
import type { CappedKey } from './capped-key.ts'
import { spend } from './headroom.ts'

type Repeats = {
  readonly units: number
  readonly exchanges: readonly Exchange[]
  readonly beforePass?: (() => void) | undefined
}

/** Of a key that lasts a refusal tells what is left, so that its cap is not used up. */
async function judgeStatedHeadroom(
  context: CheckContext,
  cappedKey: CappedKey,
  { units, exchanges, beforePass }: Repeats,
): Promise<void> {
  const spare = cappedKey.amountOf(cappedKey.unitsLeft - units)
  const { stated, refused } = await cappedKey.statedLeft()
  // Only now: a purchase of one unit may have shown that a 429 was none of the cap.
  const expected = cappedKey.left - spare
  if (stated === undefined) untested(`no headroom can be read in ${showAnswer(refused)}`)
  const isLeft = isStatedAs(stated, expected)
  if (!isLeft && stated > expected)
    inconclusive(
      `${formatMoney(stated)} is left where the purchases leave ${formatMoney(expected)}, so a single charge would not show`,
    )
  if (isLeft) beforePass?.()
  context.expect('IDEM-09').that('the next refusal names what was left before the repeats', {
    holds: isLeft,
    expected: `${formatMoney(expected)} is left (headroom before by ${cappedKey.basis})`,
    observed: formatMoney(stated),
    exchanges: [...exchanges, refused],
  })
}

/**
 * Buys all that must be left but one unit, then that unit; one more must then be refused. If repeats were charged, the first purchase
 * does not fit. `units` must be left before, `exchanges` are those that led here.
 */
export async function judgeHeadroom(
  context: CheckContext,
  cappedKey: CappedKey,
  { units, exchanges, beforePass }: Repeats,
): Promise<void> {
  if (!cappedKey.fresh) {
    await judgeStatedHeadroom(context, cappedKey, { units, exchanges, beforePass })
    return
  }
  const most = await spend(cappedKey, units - 1)
  const odd = most.find((each) => !isAccepted(each) && !isCapRefusal(each))
  if (odd) untested(`what was left could not be bought: ${showAnswer(odd)}`)
  const isBought = most.every(isAccepted)
  if (isBought) beforePass?.()
  context.expect('IDEM-09').that('what was left before the repeats can still be bought', {
    holds: isBought,
    expected: `${units - 1} units of ${formatMoney(cappedKey.unit)} fit the cap, by ${cappedKey.basis}`,
    observed: most.map(showAnswer).join('; '),
    exchanges: [...exchanges, ...most],
  })
  if (!isBought) return
  const last = await cappedKey.buy(1)
  const beyond = await cappedKey.overspend()
  if (!isAccepted(last) || !isCapRefusal(beyond))
    inconclusive(
      `the cap is not where it is taken to be, so a single charge cannot be excluded: the last unit got ${showAnswer(last)}, one more ${showAnswer(beyond)}`,
    )
}
