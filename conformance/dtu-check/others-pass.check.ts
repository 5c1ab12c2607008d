import { POSITIONS } from '../steps/cart.ts'
import type { CheckContext, Exchange, Needs, RequirementId } from '../engine/kit.ts'
import { check, offeredOf } from '../engine/kit.ts'
import { expectCounter } from '../steps/limits/counter.ts'
import { OTHER_KINDS, VOUCHERS } from '../steps/kinds.ts'
import { ATTEMPTS_MAX, RETURN_429_UNPACED } from '../steps/rate-limits/between-refusals.ts'
import { ORDERS_OF_FULL } from '../steps/rate-limits/counters.ts'
import { buyAnyway, NEEDS_BUCKET, whileSpent } from '../steps/dtu-spent.ts'
import { bucketOf } from '../steps/dtu-check.ts'
import { validate, VALIDATES_TOP_UPS } from '../steps/dtu-validate.ts'

type Other = {
  readonly requirement: RequirementId
  /** What the target must have for it. */
  readonly needs: Needs
  readonly send: (context: CheckContext) => Promise<Exchange>
}

/** What has nothing to do with the check bucket. */
const OTHERS: readonly Other[] = [
  ...[VOUCHERS, OTHER_KINDS.esim, OTHER_KINDS.gift, OTHER_KINDS.checkout].map((kind): Other => ({
    requirement: 'RATE-24',
    needs: kind.needs,
    send: async (context) => (await kind.begin(context, 'full'))(RETURN_429_UNPACED),
  })),
  {
    requirement: 'RATE-11',
    needs: VALIDATES_TOP_UPS,
    send: (context) => validate(context, RETURN_429_UNPACED),
  },
  {
    requirement: 'RATE-11',
    needs: {},
    send: ({ api }) => api.as('full').whoami(RETURN_429_UNPACED),
  },
]

/** Voucher, eSIM, gift and a checkout. */
const ORDERS = 3 + POSITIONS

const CARTS_OF_FULL = { bucket: 'default', role: 'full', operation: 'createCart' } as const

export const othersPass = check({
  id: 'dtu-check.others-pass',
  formerIds: ['dtu-check.vouchers-pass'],
  title: 'a spent check bucket refuses no purchase of any kind, and no other endpoint',
  requirements: ['RATE-11', 'RATE-24'],
  needs: {
    ...NEEDS_BUCKET,
    capabilities: ['dtu-check', 'shop'],
    products: ['dtu', 'voucher'],
    orderKinds: ['dtu-check', 'shop'],
    // A pair of refusals that an edge opens buys once more.
    purchases: ORDERS * ATTEMPTS_MAX,
    windows: [
      bucketOf('full'),
      { ...ORDERS_OF_FULL, units: ORDERS * ATTEMPTS_MAX },
      { ...CARTS_OF_FULL, units: ATTEMPTS_MAX },
    ],
  },
  movedByOthers: { requirements: ['RATE-11', 'RATE-24'] },
  run: async (context) => {
    const others = offeredOf(context.target, OTHERS)
    const { before, probes, after } = await whileSpent(
      context,
      ...others.map(
        ({ send }) =>
          () =>
            buyAnyway(context, send),
      ),
    )
    for (const [index, { requirement }] of others.entries()) {
      const probe = probes[index] as Exchange
      expectCounter(context, requirement, { before, probes: [probe], after }, 'separate')
    }
  },
})
