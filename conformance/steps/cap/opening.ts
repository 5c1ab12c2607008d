/** How a key with a cap is opened, and what was bought with it so far. */
import { capWith } from '../../../harness/target-file/wants.ts'
import { formatMoney, parseMoney, type Micros } from '../../../harness/money.ts'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { isCapRefusal, needSuccess, showAnswer, wanting } from '../../engine/kit.ts'
import type { Buyer } from '../buyer.ts'

/** What most checks of the cap need. With so much more, a race that used the cap up leaves enough for the check of its boundary. */
const ROOM_UNITS = 64

/** The purchase of one unit that opens the key: of one that lasts, the one that opened it first. */
export async function openingOf(opener: Buyer, limit: Micros): Promise<Exchange> {
  const { context } = opener
  const { secret } = context.keys.key(opener.role)
  const earlier = context.pieces.openingOf(secret)
  if (earlier) {
    opener.exchanges.push(earlier)
    return earlier
  }
  const unit = parseMoney(context.target.products.voucher?.unitPrice) ?? limit
  const bought = await buyOpening(opener, { limit, unit })
  if (!context.target.control) context.pieces.noteOpening(secret, bought)
  return bought
}

export async function buyOpening(
  opener: Buyer,
  { limit, unit }: { limit: Micros; unit: Micros },
): Promise<Exchange> {
  const { context } = opener
  const bought = await opener.send(1, context.reference())
  if (isCapRefusal(bought))
    wanting(
      capWith(ROOM_UNITS + spentOf(context, { limit, unit, left: 0n }), context.target),
      `the cap of ${formatMoney(limit)} leaves no room for one unit: ${showAnswer(bought)}`,
    )
  return needSuccess(bought)
}

/** Units that this run and others with the same key have bought, so that a larger cap has to have room for them too. */
export function spentOf(
  { keys }: CheckContext,
  { limit, unit, left }: { limit: Micros; unit: Micros; left: Micros },
): number {
  const used = parseMoney(keys.key('capped').transactionLimit?.used) ?? 0n
  const spent = limit - used - (left < 0n ? 0n : left)
  return spent <= 0n ? 0 : Number((spent + unit - 1n) / unit)
}
