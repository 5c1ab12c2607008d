import { formatMoney, type Micros } from '../../../harness/money.ts'
import type { Exchange, RequirementId } from '../../engine/kit.ts'
import { isAccepted, isCapRefusal, showAnswer, untested } from '../../engine/kit.ts'
import type { CappedKey } from './capped-key.ts'
import { FILLING_ORDERS_MAX } from './pieces.ts'

/**
 * A purchase of several units in one order or, where one order takes fewer, in smaller ones; ends at the first that is refused for
 * another reason than its size.
 */
export async function spend(cappedKey: CappedKey, units: number): Promise<Exchange[]> {
  const { pieces } = cappedKey.context
  const sent: Exchange[] = []
  let most = units
  for (let rest = units; rest > 0 && sent.length < FILLING_ORDERS_MAX;) {
    const size = pieces.within(Math.min(most, rest))
    const answer = await cappedKey.buy(size)
    if (pieces.isTooLarge(size, answer)) {
      most = size >> 1
      continue
    }
    sent.push(answer)
    if (!isAccepted(answer)) break
    pieces.noteTaken(size)
    rest -= size
  }
  return sent
}

/** Spends down to so many units, as the ground for what is judged next. */
export async function needLeft(cappedKey: CappedKey, units: number): Promise<void> {
  // Again where many cost less than as many single ones.
  for (let spare = cappedKey.unitsLeft - units; spare > 0; spare = cappedKey.unitsLeft - units) {
    const last = (await spend(cappedKey, spare)).at(-1)
    if (!last || !isAccepted(last))
      untested(
        `the cap could not be spent down to ${units} units: ${spare} units of ${formatMoney(cappedKey.unit)} were answered ${last ? showAnswer(last) : 'not at all'}`,
      )
  }
  if (cappedKey.unitsLeft !== units)
    untested(
      `prices do not grow with the quantity: ${formatMoney(cappedKey.left)} is left instead of ${units} units of ${formatMoney(cappedKey.unit)}`,
    )
}

/** A window of checks takes as many. */
const TIMES_MAX = 10

/** So many requests of this price that what each would use up adds up to more than `expectHeadroomWhole` leaves out. */
export function timesThatShow(
  { left, unit, unitsLeft }: Pick<CappedKey, 'left' | 'unit' | 'unitsLeft'>,
  price: Micros | undefined,
  atLeast: number,
): number {
  if (price === undefined || price <= 0n) return atLeast
  const leftOut = left - BigInt(unitsLeft - 1) * unit
  return Math.min(Math.max(atLeast, Number(leftOut / price) + 1), TIMES_MAX)
}

/**
 * Holds what is left by the prices against what the service lets be bought: all but one unit of it, whose last unit is a matter of its
 * own. Of a key that lasts the headroom is read off a refusal instead, so that it is not used up.
 */
export async function expectHeadroomWhole(
  cappedKey: CappedKey,
  requirement: RequirementId,
  what: string,
  evidence: readonly Exchange[],
): Promise<void> {
  const expectation = cappedKey.context.expect(requirement)
  const { unit, basis } = cappedKey
  if (!cappedKey.fresh) {
    const { stated, refused } = await cappedKey.statedLeft()
    // Only now: a purchase of one unit may have shown that a 429 was none of the cap.
    const { left } = cappedKey
    if (stated === undefined) untested(`no headroom can be read in ${showAnswer(refused)}`)
    expectation.that(`${what} is what the next refusal says is left`, {
      holds: stated === left,
      expected: `${formatMoney(left)} (headroom before by ${basis})`,
      observed: `${formatMoney(stated)}${stated < left ? '. Others who buy with this key would look the same' : ''}`,
      exchanges: [...evidence.slice(0, 6), refused],
    })
    return
  }
  const { left, unitsLeft } = cappedKey
  const rest = unitsLeft > 1 ? await spend(cappedKey, unitsLeft - 1) : []
  const odd = rest.find((each) => !isAccepted(each) && !isCapRefusal(each))
  if (odd) untested(`the rest was refused for another reason: ${showAnswer(odd)}`)
  expectation.that(`${what}, but for one unit, can be bought`, {
    holds: rest.every(isAccepted),
    expected: `${unitsLeft - 1} units of ${formatMoney(unit)} are accepted, with ${formatMoney(left)} left by ${basis}`,
    observed: rest.map(showAnswer).join('; '),
    exchanges: [...evidence.slice(0, 6), ...rest],
  })
}
