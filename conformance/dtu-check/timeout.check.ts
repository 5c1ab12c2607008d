import { RETRY_AFTER_SECONDS, STATUS_CODE } from '../../contract/wire.ts'
import { formatMoney } from '../../harness/money.ts'
import type { CheckContext, Exchange, Needs } from '../engine/kit.ts'
import {
  check,
  inapplicable,
  isAccepted,
  isOffered,
  needSuccess,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { findsNothing } from '../steps/orders.ts'
import { BUYS_TOP_UPS } from '../steps/top-ups.ts'
import {
  openCappedKey,
  CAPPED_KEY_PURCHASES,
  SPENDS_A_CAP,
  type CappedKey,
} from '../steps/cap/capped-key.ts'
import {
  askForCheck,
  CHECKS_TOP_UPS,
  expectFree,
  needReadable,
  needSilence,
  needTimedOut,
  TIMED_OUT,
} from '../steps/dtu-check.ts'
import { expectHeadroomWhole, spend } from '../steps/cap/headroom.ts'
import { capMovedByOthers } from '../steps/cap/watch.ts'

const NEEDS = {
  ...CHECKS_TOP_UPS,
  products: ['dtu', 'dtu-timeout'],
} as const satisfies Needs

/** When the 504 lets a client come again. A provider that answers at last must not have bought by then. */
const LATER = {
  seconds: RETRY_AFTER_SECONDS.providerUnavailable,
  reason: 'a silent provider to answer at last',
} as const

export const timeout = check({
  id: 'dtu-check.timeout',
  formerIds: ['status', 'status-code', 'retry-after', 'no-order'].map(
    (what) => `dtu-check.timeout-${what}`,
  ),
  title:
    'a check whose provider stays silent gets 504, statusCode 14 and 2 seconds to wait, and leaves no order',
  requirements: ['CHECK-05', 'CHECK-06', 'CHECK-07', 'CHECK-08'],
  // One is wanted where what is left of a check is seen, and a faulty service would make another.
  needs: { ...NEEDS, purchases: 2, waits: [LATER] },
  run: async (context) => {
    const { expect } = context
    const referenceId = context.reference()
    const exchange = await needSilence(context, referenceId)
    expect('CHECK-05').status(exchange, TIMED_OUT)
    needTimedOut(exchange)
    expect('CHECK-06').statusCode(exchange, STATUS_CODE.providerUnavailable)
    expect('CHECK-07').retryAfter(exchange, { min: 2, max: 2 })
    await context.wait(LATER.reason, LATER.seconds * 1000)
    const found = needReadable(await context.api.as('full').getOrders({ referenceId }))
    expect('CHECK-08').that('the referenceId of a check that timed out finds nothing', {
      holds: findsNothing(found),
      expected: 'no order',
      exchanges: [exchange, found],
    })
    if (isOffered(context.target, BUYS_TOP_UPS))
      await expectFree(context, 'CHECK-08', referenceId, exchange)
  },
})

/** A provider that is silent once is hardly sold anywhere: without one there is nothing to decide. */
export const slowProvider = check({
  id: 'dtu-check.slow-provider',
  title: 'a check whose provider is silent once and then answers succeeds',
  requirements: ['CHECK-04'],
  needs: CHECKS_TOP_UPS,
  run: async (context) => {
    if (context.target.products['dtu-slow'] === undefined)
      inapplicable(
        'the target file names no product "dtu-slow", whose provider is silent once and then answers',
      )
    needSuccess(await askForCheck(context))
    const exchange = await askForCheck(context, { product: 'dtu-slow' })
    context.expect('CHECK-04').that('the check of a top-up whose provider is silent once', {
      holds: isAccepted(exchange),
      expected: 'success: the provider is asked a second time',
      exchanges: [exchange],
    })
  },
})

/** No whole number of units, so that what is bought up to it is not on its edge; the check would cost more than the rest. */
const CAP = '5.10'

export const timeoutDebitsNothing = check({
  id: 'dtu-check.timeout-debits-nothing',
  title: 'a check that timed out leaves the headroom of its key whole',
  requirements: ['CHECK-09'],
  needs: {
    ...SPENDS_A_CAP,
    capabilities: [...SPENDS_A_CAP.capabilities, 'dtu-check'],
    products: ['voucher', 'dtu', 'dtu-timeout'],
    orderKinds: ['shop', 'dtu-check'],
    transactionLimit: CAP,
    purchases: CAPPED_KEY_PURCHASES + 3,
  },
  movedByOthers: capMovedByOthers('CHECK-09'),
  run: async (context) => {
    using cappedKey = await openCappedKey(context)
    if (context.isFresh) return await buyTheRest(context, cappedKey)
    // The cap is not ours to spend: a refusal tells what is left.
    const what = 'what was left before the check that timed out'
    await expectHeadroomWhole(cappedKey, 'CHECK-09', what, [await timeOutAsCapped(context)])
  },
})

async function timeOutAsCapped(context: CheckContext): Promise<Exchange> {
  return needTimedOut(await askForCheck(context, { role: 'capped', product: 'dtu-timeout' }))
}

/** What was left before can still be bought to the last unit, and no more. */
async function buyTheRest(context: CheckContext, cappedKey: CappedKey): Promise<void> {
  cappedKey.needUnits(1)
  const { left, unitsLeft } = cappedKey
  const timedOut = await timeOutAsCapped(context)
  const sent = await spend(cappedKey, unitsLeft)
  const rest = sent.at(-1)
  if (rest === undefined) untested('no order was small enough for the target')
  const beyond = isAccepted(rest) ? await cappedKey.needRefusal() : rest
  context.expect('CHECK-09').that('all that was left before the check can still be bought', {
    holds: isAccepted(rest),
    expected: `${unitsLeft} units within the ${formatMoney(left)} that were left are accepted`,
    observed: showAnswer(rest),
    exchanges: [timedOut, rest, beyond],
  })
}
