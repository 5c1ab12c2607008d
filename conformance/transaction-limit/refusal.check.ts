import { ERROR_CODE_TRANSACTION_LIMIT, STATUS_CODE } from '../../contract/wire.ts'
import { bulkPricesIn, namesAmount, tracksHeadroom } from '../../harness/judge/spend-message.ts'
import { formatMoney } from '../../harness/money.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import {
  asText,
  check,
  isAccepted,
  messageOf,
  needSuccess,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { needCapRefusal } from '../steps/buyer.ts'
import { expectNamed } from '../steps/cap/other-purchasables.ts'
import {
  openCappedKey,
  CAPPED_KEY_PURCHASES,
  SPENDS_A_CAP,
  type CappedKey,
} from '../steps/cap/capped-key.ts'
import { capMovedByOthers } from '../steps/cap/watch.ts'

export const refusal = check({
  id: 'transaction-limit.refusal',
  title: 'a purchase beyond the cap is answered by 409, 13 and its errorCode, not by a rate limit',
  requirements: ['CAP-03', 'CAP-04', 'CAP-05', 'CAP-17'],
  needs: { ...SPENDS_A_CAP, transactionLimit: '12.00', purchases: CAPPED_KEY_PURCHASES },
  run: async (context) => {
    const { expect } = context
    using cappedKey = await openCappedKey(context, 'bound')
    const { refused, controls } = await cappedKey.overspendDecisively()
    expect('CAP-03').status(refused, 409)
    const { statusCode, errorCode } = (refused.json ?? {}) as Record<string, unknown>
    if (!isAccepted(refused))
      expect('CAP-17').that('a purchase beyond the cap is not refused as a rate limit', {
        holds: refused.response?.status !== 429 && statusCode !== STATUS_CODE.limitReached,
        expected: `neither HTTP 429 nor statusCode ${STATUS_CODE.limitReached}`,
        observed: `${showAnswer(refused)}${controls.length > 0 ? '; a purchase that fits passed right after it' : ''}`,
        exchanges: [refused, ...controls],
      })
    if (refused.response?.status !== 409 || !refused.json)
      untested(
        'there was no 409 with a JSON body whose statusCode and errorCode could be looked at',
      )
    expect('CAP-04').statusCode(refused, STATUS_CODE.apiKeyLimitExceeded)
    expect('CAP-05').equal(
      'errorCode of a purchase beyond the cap',
      errorCode,
      ERROR_CODE_TRANSACTION_LIMIT,
      [refused],
    )
  },
})

export const message = check({
  id: 'transaction-limit.message',
  title: 'the refusal of the cap names the attempted amount, the headroom and the cap',
  requirements: ['CAP-06', 'CAP-07', 'CAP-08'],
  needs: { ...SPENDS_A_CAP, transactionLimit: '30.00', purchases: CAPPED_KEY_PURCHASES + 1 },
  movedByOthers: capMovedByOthers('CAP-07'),
  run: async (context) => {
    using cappedKey = await openCappedKey(context, 'bound')
    if (!cappedKey.fresh) {
      // Awaited here: the cap is held until this scope is left.
      await judgeLastingMessage(context, cappedKey)
      return
    }
    // So much is spent that a counter which missed it would let the next purchase pass, and not half of the cap: what is used and
    // what is left must differ.
    await cappedKey.needBought(Math.max(1, Math.floor(cappedKey.unitsLeft / 3)))
    const refused = await cappedKey.needRefusal()
    expectNamed(context, 'CAP-07', [cappedKey.left, 'remaining headroom', cappedKey.basis], refused)
    expectAttemptedAndLimit(cappedKey, cappedKey.unitsBeyond, [refused])
  },
})

/** The attempt and the cap are known; that a purchase between two refusals is taken off what they name shows the headroom. */
async function judgeLastingMessage(context: CheckContext, cappedKey: CappedKey): Promise<void> {
  const units = cappedKey.unitsBeyond
  const before = needCapRefusal(await cappedKey.overspendBy(units))
  const { left } = cappedKey
  const bought = await cappedKey.needBought(1)
  const after = needCapRefusal(await cappedKey.overspendBy(units))
  // More than the one unit where another one had to show that a 429 was none of the cap.
  const spent = left - cappedKey.left
  expectAttemptedAndLimit(cappedKey, units, [after, before])
  const known = [cappedKey.amountOf(units), cappedKey.limit]
  context.expect('CAP-07').that('the message names the remaining headroom', {
    holds: tracksHeadroom(messageOf(before), messageOf(after), { spent, known }),
    expected: `an amount besides attempt and cap that is ${formatMoney(spent)} less after a purchase of that price`,
    observed: `${JSON.stringify(messageOf(before))}, then ${JSON.stringify(messageOf(after))}`,
    exchanges: [before, bought, after],
  })
}

function expectAttemptedAndLimit(
  cappedKey: CappedKey,
  units: number,
  [refused, ...others]: readonly [Exchange, ...Exchange[]],
): void {
  const { context, limit, fresh } = cappedKey
  const whole = cappedKey.amountOf(units)
  // What is left of a key that lasts is not known here.
  const left = fresh ? cappedKey.left : 0n
  const messages = [refused, ...others].map(messageOf)
  const isOther =
    !namesAmount(messageOf(refused), whole) &&
    bulkPricesIn(messages, { units, whole }, { left, known: [limit] }).length > 0
  if (isOther)
    context.leaveUndecided(
      'CAP-06',
      `${units} units may cost something else than ${formatMoney(whole)}: ${JSON.stringify(messageOf(refused))}`,
    )
  else expectNamed(context, 'CAP-06', [whole, 'attempted amount'], refused)
  expectNamed(context, 'CAP-08', [limit, 'limit'], refused)
}

/** Longest window that is waited out for the sake of permanence. */
const WINDOW_SECONDS_MAX = 60

export const permanence = check({
  id: 'transaction-limit.permanence',
  title: 'a purchase that the cap refused is refused in the same way later',
  requirements: ['CAP-09'],
  needs: {
    ...SPENDS_A_CAP,
    transactionLimit: '14.00',
    purchases: 5 * CAPPED_KEY_PURCHASES,
    waits: [
      { seconds: 1, reason: 'the cap to stay as it is' },
      { windows: 1, of: ['default'], upToSeconds: WINDOW_SECONDS_MAX },
    ],
  },
  run: async (context) => {
    const { wait, limit, slackMs } = context
    using cappedKey = await openCappedKey(context)
    // Something has to be used up, or a cap that forgets it would refuse the same.
    needSuccess(await cappedKey.buy(2, context.reference()))
    const { referenceId, first } = await firstRefusal(cappedKey)
    const repeated: Exchange[] = []
    const fresh: Exchange[] = []
    const repeat = async (): Promise<void> => {
      repeated.push((await cappedKey.overspendDecisively(referenceId)).refused)
      fresh.push((await cappedKey.overspendDecisively()).refused)
    }
    await wait('the cap to stay as it is', 1_000)
    await repeat()
    const { windowSeconds } = limit('default', 'createOrder')
    if (windowSeconds <= WINDOW_SECONDS_MAX) {
      await wait('a rate-limit window to pass', windowSeconds * 1000 + slackMs)
      await repeat()
    }
    const exchanges = [first, ...repeated, ...fresh]
    context.expect('CAP-09').that('a purchase beyond the cap is refused alike ever after', {
      holds: fresh.every((each) => kindOf(each) === kindOf(first)) && !repeated.some(isAccepted),
      expected: `${kindOf(first)} every time, and no order under the first referenceId either`,
      observed: exchanges.map(kindOf).join('; '),
      exchanges,
    })
  },
})

/** The first refusal, under a reference. Where an order takes too few pieces to exceed the cap, others use it up before. */
async function firstRefusal(
  cappedKey: CappedKey,
): Promise<{ referenceId: string; first: Exchange }> {
  const { reference, pieces } = cappedKey.context
  const referenceId = reference()
  const units = cappedKey.unitsBeyond
  const { refused } = await cappedKey.overspendDecisively(referenceId)
  if (!pieces.isTooLarge(units, refused)) return { referenceId, first: needCapRefusal(refused) }
  await cappedKey.needRefusal()
  const other = reference()
  return { referenceId: other, first: await cappedKey.needRefusal(other) }
}

/** What makes two refusals the same. */
function kindOf({ response, json }: Exchange): string {
  const { statusCode, errorCode } = (json ?? {}) as Record<string, unknown>
  return `HTTP ${response?.status ?? 'none'}, statusCode ${asText(statusCode)}, errorCode ${asText(errorCode)}`
}
