import { check, offeredOf } from '../engine/kit.ts'
import { expectCounter } from '../steps/limits/counter.ts'
import { READING, sendsOf, setAsideOf } from '../steps/limits/endpoints.ts'
import { OTHER_KINDS, ordersOfKinds, VOUCHERS, type Kind } from '../steps/kinds.ts'
import {
  ATTEMPTS_MAX,
  RETURN_429_UNPACED,
  type Send,
} from '../steps/rate-limits/between-refusals.ts'
import { ORDERS_OF_FULL } from '../steps/rate-limits/counters.ts'
import { sendAnyway, NEEDS_BUCKET, whileSpent } from '../steps/dtu-spent.ts'
import { bucketOf } from '../steps/dtu-check.ts'

/** What is bought in another window than that of checks. */
const KINDS: readonly Kind[] = [
  OTHER_KINDS.topUp,
  VOUCHERS,
  OTHER_KINDS.esim,
  OTHER_KINDS.gift,
  OTHER_KINDS.checkout,
]
const ORDERS = ordersOfKinds(KINDS)

export const othersPass = check({
  id: 'dtu-check.others-pass',
  formerIds: ['dtu-check.purchases-pass', 'dtu-check.vouchers-pass'],
  title: 'a spent check bucket refuses no purchase of any kind, and no other endpoint',
  requirements: ['RATE-11', 'RATE-24'],
  needs: {
    ...NEEDS_BUCKET,
    // A pair of refusals that an edge opens buys once more.
    purchases: ORDERS * ATTEMPTS_MAX,
    windows: [
      bucketOf('full'),
      { ...ORDERS_OF_FULL, units: ORDERS * ATTEMPTS_MAX },
      { ...ORDERS_OF_FULL, operation: 'createCart', units: ATTEMPTS_MAX },
      ...setAsideOf(READING),
    ],
  },
  movedByOthers: { requirements: ['RATE-11', 'RATE-24'] },
  run: async (context) => {
    const purchases = offeredOf(context.target, KINDS).map(
      ({ begin }): Send =>
        async () =>
          (await begin(context, 'full'))(RETURN_429_UNPACED),
    )
    const others = [...purchases, ...(await sendsOf(context, READING))]
    const { probes, ...looked } = await whileSpent(
      context,
      ...others.map((send) => () => sendAnyway(context, send)),
    )
    if (purchases.length === 0)
      context.leaveUndecided('RATE-24', 'the target sells nothing', 'inapplicable')
    for (const [requirement, sent] of [
      ['RATE-24', probes.slice(0, purchases.length)],
      ['RATE-11', probes.slice(purchases.length)],
    ] as const)
      expectCounter(context, requirement, { ...looked, probes: sent }, 'separate')
  },
})
