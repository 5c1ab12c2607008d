import { resentOutcome } from '../../../harness/judge/rules/purchases.ts'
import { formatMoney } from '../../../harness/money.ts'
import type { Exchange } from '../../engine/kit.ts'
import { inconclusive, isCapRefusal, isThrottled, showAnswer, untested } from '../../engine/kit.ts'
import { unknownWindowOf } from '../../engine/own-window.ts'
import type { Buyer } from '../buyer.ts'
import type { CappedKey } from '../cap/capped-key.ts'
import { expectHeadroomWhole } from '../cap/headroom.ts'
import { attemptedAtRest } from '../rules.ts'
import { makeRoom, windowIsFree } from './burst.ts'

/**
 * What came of purchases that were refused for contention and sent again, by the last answer to each: they are made, and nothing of the
 * headroom is withheld, neither from them nor from what is bought next.
 */
export async function judgeResent(
  cappedKey: CappedKey,
  sibling: Buyer,
  last: readonly Exchange[],
): Promise<void> {
  const { context } = cappedKey
  const lost = last.filter((each) => resentOutcome(attemptedAtRest([each])) !== 'decided')
  const refused = lost.find(isThrottled)
  const unknown = refused && unknownWindowOf(context, refused)
  if (unknown !== undefined)
    untested(`purchases that were sent again were refused, perhaps by ${unknown}`)
  if (refused && (await windowIsFree(cappedKey, sibling)) !== true)
    inconclusive('purchases that were sent again met a spent window')
  context.expect('BUSY-06').that('purchases refused for contention are made when sent again', {
    holds: lost.length === 0,
    expected: `all ${last.length} are accepted under their referenceId after Retry-After`,
    observed: lost[0] ? `${lost.length} are not, first: ${showAnswer(lost[0])}` : 'all are',
    exchanges: lost.length > 0 ? lost : last,
  })
  const withheld = last.filter(isCapRefusal)
  context.expect('BUSY-05').that('purchases refused for contention fit the cap when sent again', {
    holds: withheld.length === 0,
    expected: `none of ${last.length} is refused by the cap of ${formatMoney(cappedKey.limit)} (headroom by ${cappedKey.basis})`,
    observed: withheld[0] ? showAnswer(withheld[0]) : 'none is',
    exchanges: withheld.length > 0 ? withheld : last,
  })
  await makeRoom(cappedKey, 4)
  await expectHeadroomWhole(cappedKey, 'BUSY-05', 'what the accepted purchases leave', last)
}
