import { formatMoney, parseMoney } from '../../harness/money.ts'
import { plural } from '../../harness/text.ts'
import {
  check,
  type Exchange,
  inconclusive,
  isAccepted,
  isCapRefusal,
  isOffered,
  needSuccess,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { replay, resultOf } from '../steps/idempotency.ts'
import { Buyer } from '../steps/buyer.ts'
import { needLeft } from '../steps/cap/headroom.ts'
import { afterRefusal, expectRefusalFree } from '../steps/cap/other-purchasables.ts'
import { BUYS_ESIMS } from '../steps/esim.ts'
import {
  openCappedKey,
  CAPPED_KEY_PURCHASES,
  SPENDS_A_CAP,
  type CappedKey,
} from '../steps/cap/capped-key.ts'

/** Others who buy with a key that lasts show in this time, before their purchases could look like what a refusal keeps. */
const QUIET_SECONDS = 2

export const boundary = check({
  id: 'transaction-limit.brim',
  title:
    'the cap can be used up to the last unit, then only this key is spent, and replays still pass',
  requirements: ['CAP-02', 'CAP-11', 'CAP-15', 'IDEM-03'],
  needs: {
    ...SPENDS_A_CAP,
    roles: ['capped', 'full'],
    // Caps are made in hundredths: ten units are such an amount of a price in thousandths too.
    transactionLimit: '10.00',
    drainsCap: 'wholly',
    purchases: CAPPED_KEY_PURCHASES + 8,
    waits: [{ seconds: QUIET_SECONDS, reason: 'purchases of others with the same key' }],
  },
  run: async (context) => {
    const { expect, reference } = context
    using cappedKey = await openCappedKey(context)
    const elsewhere = new Buyer(context, 'full')
    needSuccess(await elsewhere.send(1, reference()))
    cappedKey.needUnits(2)
    await judgeRefusedEsim(cappedKey)
    await needLeft(cappedKey, 2)
    const { bought, units, referenceId } = await buyRest(cappedKey)
    const beyond = await cappedKey.needRefusal()
    const other = await elsewhere.send(1, reference())
    expect('CAP-15').that('another key of the account buys on after the cap is used up', {
      holds: isAccepted(other),
      expected: 'the purchase by another key is accepted',
      exchanges: [beyond, other],
    })
    // Less than a unit is left now, and nothing is bought by a replay.
    const again = await replay(context, { referenceId }, { role: 'capped', quantity: units })
    expect('IDEM-03').equal(
      'a replay gives the first result when nothing is left of the cap',
      resultOf(again),
      resultOf(bought),
      [bought, beyond, again],
    )
  },
})

/** The last order that fits the cap. */
type Rest = {
  readonly bought: Exchange
  readonly units: number
  readonly referenceId: string
}

/**
 * Buys the last two units, or the last one where an order takes one piece. Of a cap that no units fill, a rest stays that is less than
 * one.
 */
async function buyRest(cappedKey: CappedKey): Promise<Rest> {
  const { context, left, limit, unit } = cappedKey
  const units = Math.min(2, cappedKey.unitsLeft)
  const whole = cappedKey.amountOf(units)
  const first = context.reference()
  const last = await cappedKey.buy(units, first)
  if (context.pieces.isTooLarge(units, last)) {
    await cappedKey.needBought(1)
    return await buyRest(cappedKey)
  }
  const rest = { bought: last, units, referenceId: first }
  if (left !== whole) {
    needSuccess(last)
    const reason = `no units fill the cap: of ${formatMoney(limit)}, ${formatMoney(left)} was left at ${formatMoney(unit)} a unit`
    context.leaveUndecided('CAP-02', reason)
    return rest
  }
  if (isCapRefusal(last) && cappedKey.mostOf(units) > left)
    inconclusive(
      `${plural(units, 'unit')} cost ${formatMoney(cappedKey.mostOf(units))} by now, which does not fit`,
    )
  // Attributed only if one unit less passes: otherwise more than the last unit is wrong, which other checks find.
  const referenceId = isAccepted(last) ? first : context.reference()
  if (!isAccepted(last) && !cappedKey.fresh) await needUntouched(cappedKey)
  const isAlone = isAccepted(last) || units === 1
  const less = isAlone ? undefined : needSuccess(await cappedKey.buy(1, referenceId))
  context.expect('CAP-02').that('a purchase of exactly what is left is accepted', {
    holds: isAccepted(last),
    expected: `${plural(units, 'unit')} for the last ${formatMoney(whole)} of ${formatMoney(limit)} are accepted (${cappedKey.basis})`,
    observed: `${showAnswer(last)}${less ? `; one unit: ${showAnswer(less)}` : ''}`,
    exchanges: less ? [last, less] : [last],
  })
  return less ? { bought: less, units: 1, referenceId } : rest
}

/** Fewer units than this others take at once like as not. */
const UNITS_MIN = 3

/**
 * Of a key that lasts, an eSIM exceeds what is left only near the end; keys of their own have a check for it. What a refusal keeps takes
 * all that was left: a purchase of others takes some of it.
 */
async function judgeRefusedEsim(cappedKey: CappedKey): Promise<void> {
  const { context, fresh, unit } = cappedKey
  const price = parseMoney(context.target.products.esim?.unitPrice) ?? 0n
  // Beside the units a rest stays that is less than one.
  const rest = cappedKey.left - cappedKey.amountOf(cappedKey.unitsLeft)
  const units = Math.min(cappedKey.unitsLeft, Number((price - 1n - rest) / unit))
  if (fresh || units < UNITS_MIN || !isOffered(context.target, BUYS_ESIMS)) {
    const reason = 'no eSIM that costs more than a few units is to be bought with a key that lasts'
    context.leaveUndecided('CAP-11', reason, 'inapplicable')
    return
  }
  await needLeft(cappedKey, units)
  await context.wait('purchases of others with the same key', QUIET_SECONDS * 1000)
  await needUntouched(cappedKey)
  const { left } = cappedKey
  const esim = { product: 'esim', kind: 'esim' } as const
  const seen = await afterRefusal(cappedKey, () =>
    cappedKey.send(1, context.reference(), { throttled: 'return', order: esim }),
  )
  if (cappedKey.left !== left) untested('an eSIM beyond what is left of the cap was sold')
  if (seen.stated !== undefined && seen.stated > 0n && seen.stated < left)
    inconclusive(
      `${formatMoney(left - seen.stated)} of the cap were used up while an eSIM was refused: others may buy with this key. Run this check with a key that nobody else uses`,
    )
  expectRefusalFree(cappedKey, 'an eSIM', seen)
}

/** A purchase of others with the same key would look like a unit that is withheld: the cap itself says what is left. */
async function needUntouched(cappedKey: CappedKey): Promise<void> {
  const { stated } = await cappedKey.statedLeft()
  if (stated !== cappedKey.left)
    inconclusive(
      `the cap says that ${stated === undefined ? 'an unknown amount' : formatMoney(stated)} is left, and the prices leave ${formatMoney(cappedKey.left)}: others may buy with this key. Run this check with a key that nobody else uses`,
    )
}
