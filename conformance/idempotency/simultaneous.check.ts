import { judgeDuplicates, overlappingPairs } from '../../harness/judge/duplicates.ts'
import { check, type CheckContext } from '../check.ts'
import { show, showAnswer } from '../engine/describe.ts'
import { inconclusive } from '../engine/undecided.ts'
import { buy, BUYS_VOUCHERS, orderIdOf } from '../orders/steps.ts'
import { burstWaits, COPIES, decideAll, releaseTogether, type Burst } from './bursts.ts'
import { findUnder, needReferenceFilter, replay, replayOfSameOrder } from './steps.ts'

const REFERENCES = 10
const COPIES_OF_EACH = 3

/** Bursts without an overlapping pair prove nothing and are repeated. */
const ATTEMPTS_MAX = 3

/** One burst after another until copies of one purchase were really under way at the same time. */
async function race(
  context: CheckContext,
  references: number,
  copiesOfEach: number,
): Promise<readonly Burst[]> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    const referenceIds = Array.from({ length: references }, () => context.reference())
    const bursts = await releaseTogether(context, referenceIds, copiesOfEach)
    if (bursts.some(({ copies }) => overlappingPairs(copies) > 0)) return bursts
    for (const burst of bursts) await judgeBurst(context, burst)
  }
  return inconclusive(`no two copies overlapped in ${ATTEMPTS_MAX} bursts`)
}

async function judgeBurst(context: CheckContext, burst: Burst): Promise<void> {
  const { referenceId, copies } = burst
  const { expect } = context
  const all = await decideAll(context, burst)
  const { holds, observed } = judgeDuplicates(
    all.map((exchange) => ({ status: exchange.response?.status, orderId: orderIdOf(exchange) })),
  )
  expect('IDEM-12').that(`${copies.length} copies of one purchase sent together`, {
    holds,
    expected: 'every success names one order; others are told to come back by 429',
    observed: `${observed}; ${overlappingPairs(copies)} overlapping pairs`,
    exchanges: all,
  })
  const last = await replay(context, { referenceId })
  const { exchange, count } = await findUnder(context, referenceId)
  const named = new Set(all.map(orderIdOf).filter((id) => id !== undefined))
  expect('IDEM-12').that('afterwards a replay gives that order, and the referenceId finds one', {
    holds: count === 1 && [...named].every((id) => id === orderIdOf(last)),
    expected: `order ${show([...named])}, found once`,
    observed: `found ${count}; replay ${showAnswer(last)}`,
    exchanges: [last, exchange],
  })
}

/** Copies one after the other make one order, or copies at once prove nothing more. */
async function needSequentialReplay(context: CheckContext): Promise<void> {
  const bought = await buy(context)
  await needReferenceFilter(context)
  await replayOfSameOrder(context, bought)
}

export const copiesOfOne = check({
  id: 'idempotency.copies-of-one',
  title: `${COPIES} copies of one purchase that arrive together create one order`,
  requirements: ['IDEM-12'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full'],
    purchases: 1 + COPIES * ATTEMPTS_MAX,
    waits: burstWaits(1, COPIES),
    tries: ATTEMPTS_MAX,
  },
  run: async (context) => {
    await needSequentialReplay(context)
    for (const burst of await race(context, 1, COPIES)) await judgeBurst(context, burst)
  },
})

export const copiesOfMany = check({
  id: 'idempotency.copies-of-many',
  title: `${REFERENCES} purchases in ${COPIES_OF_EACH} copies each, sent together, create one order each`,
  requirements: ['IDEM-12'],
  needs: {
    ...BUYS_VOUCHERS,
    roles: ['full'],
    purchases: 1 + REFERENCES * COPIES_OF_EACH * ATTEMPTS_MAX,
    waits: burstWaits(REFERENCES, COPIES_OF_EACH),
    tries: ATTEMPTS_MAX,
  },
  run: async (context) => {
    await needSequentialReplay(context)
    for (const burst of await race(context, REFERENCES, COPIES_OF_EACH))
      await judgeBurst(context, burst)
  },
})
