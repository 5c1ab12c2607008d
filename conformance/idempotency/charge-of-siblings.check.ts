import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, isAccepted, needSuccess, showAnswer, untested } from '../engine/kit.ts'
import { orderIdOf } from '../steps/orders.ts'
import { Buyer } from '../steps/buyer.ts'
import { openCappedKey, CAPPED_KEY_PURCHASES, SPENDS_A_CAP } from '../steps/cap/capped-key.ts'
import { judgeHeadroom } from '../steps/cap/replay-headroom.ts'
import { replay } from '../steps/idempotency.ts'
import { capMovedByOthers } from '../steps/cap/watch.ts'

/** Replays of each order; more than one, so that what they would use up exceeds the unit that the judgement leaves out. */
const REPLAYS = 3

export const replaysOfSiblings = check({
  id: 'idempotency.sibling-replay-not-charged',
  title: 'a reference that another key of the account sends again is charged to neither of them',
  requirements: ['IDEM-09'],
  needs: {
    ...SPENDS_A_CAP,
    roles: ['capped', 'full'],
    purchases: CAPPED_KEY_PURCHASES + 4,
    transactionLimit: '12.00',
    drainsCap: 'again',
  },
  movedByOthers: capMovedByOthers('IDEM-09'),
  run: async (context) => {
    const { keys, reference } = context
    if (keys.key('capped').account !== keys.key('full').account)
      untested('the keys "capped" and "full" are of two accounts, whose references are apart')
    using cappedKey = await openCappedKey(context)
    cappedKey.needSpareUnits(2 * REPLAYS + 2)
    const [own, others] = [reference(), reference()]
    const bought = needSuccess(await cappedKey.buy(1, own))
    const elsewhere = needSuccess(await new Buyer(context, 'full').send(1, others))
    const replays = [
      ...(await replaysBy(context, 'full', own, bought)),
      ...(await replaysBy(context, 'capped', others, elsewhere)),
    ]
    await judgeHeadroom(context, cappedKey, {
      units: cappedKey.unitsLeft,
      exchanges: [bought, elsewhere, ...replays],
    })
  },
})

/** How another key is answered is not shown; that it buys nothing, IDEM-10 decides. */
async function replaysBy(
  context: CheckContext,
  role: 'capped' | 'full',
  referenceId: string,
  bought: Exchange,
): Promise<readonly Exchange[]> {
  const replays: Exchange[] = []
  while (replays.length < REPLAYS) replays.push(await replay(context, { referenceId }, { role }))
  const fresh = replays.find((each) => isAccepted(each) && orderIdOf(each) !== orderIdOf(bought))
  if (fresh) untested(`another key bought under the reference: ${showAnswer(fresh)}`)
  return replays
}
