import { CONTENTION_WAIT_RULE, TYPICAL_WAIT_RULE } from '../../harness/judge/rules/refusals.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import {
  answerOf,
  check,
  inapplicable,
  isAccepted,
  isThrottled,
  needSuccess,
  showAnswer,
  untested,
} from '../engine/kit.ts'
import { findsNothing, itemsOf } from '../steps/orders.ts'
import { Buyer } from '../steps/buyer.ts'
import {
  openCappedKey,
  CAPPED_KEY_PURCHASES,
  SPENDS_A_CAP,
  type CappedKey,
} from '../steps/cap/capped-key.ts'
import { judgeResent } from '../steps/races/resent.ts'
import { atRest, expectEach } from '../steps/rules.ts'
import { countTogether, needPower, textOf, BURSTS } from '../steps/races/race.ts'
import {
  pause,
  release,
  retry,
  burstSize,
  burstWaits,
  windowIsFree,
  BURST_SIZE,
  type Order,
  type Burst,
} from '../steps/races/burst.ts'
import { capMovedByOthers } from '../steps/cap/watch.ts'

/** Bursts until one is seen in which an order was refused for contention. */
const BURSTS_MAX = 8

/** Contended orders that are looked for: each read spends the budget of filtered reads. */
const READS_MAX = 4

/** The first burst in which orders contended; every order of the bursts before is decided. */
async function contendedBurst(
  cappedKey: CappedKey,
  sibling: Buyer,
): Promise<{ burst: Burst; contended: Order[] }> {
  const size = burstSize(cappedKey)
  const seen: Burst[] = []
  while (seen.length < BURSTS_MAX && countTogether(seen) < BURSTS) {
    // What is contended must fit when it is sent again, with a unit to spare.
    cappedKey.needUnits(size + 1)
    const burst = await release(cappedKey, size, 1)
    seen.push(burst)
    const contended = burst.orders.filter(({ attempts }) => attempts.some(isThrottled))
    if (contended.length === 0) continue
    // A 429 while the window is spent may be the window's: it says nothing about contention.
    if ((await windowIsFree(cappedKey, sibling)) !== false) return { burst, contended }
  }
  needPower(seen, 'orders')
  return inapplicable(
    `no order was refused for contention while the window had room, which is right too (the service may make orders wait): ${textOf(seen)}`,
  )
}

export const refused = check({
  id: 'contention.refused',
  title: 'an order refused for contention is not created, costs nothing and passes when sent again',
  requirements: ['BUSY-02', 'BUSY-03', 'BUSY-04', 'BUSY-05', 'BUSY-06'],
  needs: {
    ...SPENDS_A_CAP,
    roles: ['capped', 'full'],
    transactionLimit: '200.00',
    purchases: CAPPED_KEY_PURCHASES + BURSTS_MAX * (BURST_SIZE + 1) + 2,
    waits: burstWaits(1),
    tries: BURSTS_MAX,
    drainsCap: 'partly',
  },
  movedByOthers: capMovedByOthers('BUSY-05'),
  run: async (context) => {
    using cappedKey = await openCappedKey(context)
    const sibling = new Buyer(context, 'full')
    needSuccess(await sibling.send(1, context.reference()))
    const { burst, contended } = await contendedBurst(cappedKey, sibling)
    judgeRetryAfter(context, contended)
    await judgeTrace(context, burst, contended)
    await pause(
      cappedKey,
      contended.flatMap(({ attempts }) => attempts),
    )
    const last: Exchange[] = []
    for (const order of contended) last.push(await retry(cappedKey, order))
    await judgeResent(cappedKey, sibling, last)
  },
})

function judgeRetryAfter(context: CheckContext, contended: readonly Order[]): void {
  const answers = contended.flatMap(({ attempts }) => attempts.filter(isThrottled))
  expectEach(context, atRest([CONTENTION_WAIT_RULE]), { answers, what: 'refusals for contention' })
  const { expected, breach } = TYPICAL_WAIT_RULE
  const others = answers.map(answerOf).flatMap((answer) => breach(answer) ?? [])
  context.expect('BUSY-03').that('the Retry-After of contention is as short as is typical', {
    // Most of them: a 429 of a window that ended meanwhile may be among them.
    holds: 2 * others.length < answers.length,
    expected,
    observed: `${others.length} of ${answers.length} answers had another: ${[...new Set(others)].join(', ') || 'none'}`,
    exchanges: answers,
  })
}

/** Looks for contended orders before they are sent again. */
async function judgeTrace(
  { api, expect }: CheckContext,
  burst: Burst,
  contended: readonly Order[],
): Promise<void> {
  const reader = api.as('capped')
  const winner = burst.orders.find(({ attempts }) => attempts.some(isAccepted))
  if (winner) {
    const { referenceId } = winner
    const control = await reader.getOrders({ referenceId })
    if (itemsOf(control)?.length !== 1)
      untested(`an accepted order is not found by its referenceId: ${showAnswer(control)}`)
  }
  for (const { referenceId, attempts } of contended.slice(0, READS_MAX)) {
    const found = await reader.getOrders({ referenceId })
    expect('BUSY-04').that('the referenceId of an order refused for contention finds nothing', {
      holds: findsNothing(found),
      expected: 'no order',
      exchanges: [...attempts, found],
    })
  }
}
