import { plural } from '../../harness/text.ts'
import type { CheckContext, Exchange } from '../engine/kit.ts'
import { check, hasNamedCode, isAccepted, show, showAnswer, untested } from '../engine/kit.ts'
import { withOtherAddresses } from '../steps/platform-gift-body.ts'
import { findUnder, resultOf } from '../steps/idempotency.ts'
import { namesSameOrder, orderIdOf, pollToEnd } from '../steps/orders.ts'
import {
  buyFoundGift,
  buyGift,
  BUYS_GIFTS,
  giftBody,
  needToken,
  placesBeside,
  sendGift,
  sendGiftAgain,
  type BoughtGift,
  type Place,
} from '../steps/platform-gift.ts'

export const giftConflict = check({
  id: 'platform-gift.conflict',
  title: 'a gift replay with another payload is refused by 409 for good, and changes nothing',
  requirements: ['GIFT-19', 'GIFT-20', 'GIFT-21', 'ERR-05'],
  needs: { ...BUYS_GIFTS, purchases: 8, waits: [{ orders: 1, product: 'platform-gift' }] },
  run: async (context) => {
    const [place, ...others] = placesBeside(context, 'region', 'edition')
    if (!place)
      untested(
        'the target file names neither otherRecipientRegion nor otherEditionId under products.platform-gift.variables',
      )
    const bought = await buyFoundGift(context)
    const replayed = await sendGiftAgain(context, bought)
    if (orderIdOf(replayed) !== bought.orderId)
      untested(`a plain replay does not give its order: ${showAnswer(replayed)}`)
    // The other payload is valid under a reference of its own.
    const beside = await buyGift(context, place)
    const conflict = await sendOther(context, bought, place)
    if (!context.expect('GIFT-19').status(conflict, 409)) return
    const { errorCode } = (conflict.json ?? {}) as { errorCode?: unknown }
    context.observe('OPEN-28', `errorCode of a gift conflict: ${show(errorCode)}`, [conflict])
    context.expect('ERR-05').that('the conflict has none of the named numbers', {
      holds: !hasNamedCode(conflict),
      expected: 'a statusCode other than 8, 13 and 14',
      exchanges: [conflict],
    })
    await expectUnchanged(context, bought, { before: replayed, conflict })
    context.expect('GIFT-21').status(await sendOther(context, bought, place), 409)
    // Once it has ended, the gift is still what it was.
    await pollToEnd(context, 'platform-gift', { orderId: bought.orderId })
    context.expect('GIFT-19').status(await sendOther(context, bought, place), 409)
    for (const other of others) {
      await buyGift(context, other)
      context.expect('GIFT-19').status(await sendOther(context, bought, other), 409)
    }
    await judgeOtherRecipient(context, bought)
    // platform-gift.every-region compares snapshots, which may be shown once a gift has ended.
    await pollToEnd(context, 'platform-gift', { orderId: beside.orderId })
  },
})

/** The same gift to somebody else. Under a used reference nothing is bought, so no stranger gets it. The address may be refused. */
async function judgeOtherRecipient(context: CheckContext, bought: BoughtGift): Promise<void> {
  const { order, referenceId } = bought
  const body = giftBody(context, order)
  const change = withOtherAddresses
  if (JSON.stringify(change(body)) === JSON.stringify(body)) return
  const conflict = await sendGift(context, { token: await needToken(context), referenceId, change })
  if (isAccepted(conflict)) context.expect('GIFT-19').status(conflict, 409)
}

/** Another payload, under the reference of a gift that was bought. */
async function sendOther(
  context: CheckContext,
  { referenceId }: BoughtGift,
  place: Place,
): Promise<Exchange> {
  return sendGift(context, { token: await needToken(context, place), place, referenceId })
}

async function expectUnchanged(
  context: CheckContext,
  bought: BoughtGift,
  { before, conflict }: { readonly before: Exchange; readonly conflict: Exchange },
): Promise<void> {
  const { exchange: found, count } = await findUnder(context, bought.referenceId)
  const replayed = await sendGiftAgain(context, bought)
  context.expect('GIFT-20').that('after the conflict there is one order, the first one', {
    holds:
      count === 1 &&
      namesSameOrder(context, found, bought.exchange) &&
      show(resultOf(replayed)) === show(resultOf(before)),
    expected: `one order under the referenceId, and a replay as before: ${show(resultOf(before))}`,
    observed: `${plural(count, 'order')}; the replay: ${showAnswer(replayed)}`,
    exchanges: [bought.exchange, before, conflict, found, replayed],
  })
}
