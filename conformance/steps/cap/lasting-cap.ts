/** What is left of the cap of a key that lasts: a bound of it, or what a refusal says. */
import { attemptedIn, headroomIn, type CapFigures } from '../../../harness/judge/spend-message.ts'
import { formatMoney, type Micros } from '../../../harness/money.ts'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { isAccepted, messageOf, untested, wanting } from '../../engine/kit.ts'
import { needCapRefusal, priceOf, type Buyer } from '../buyer.ts'
import { decisively } from './decisive.ts'
import { fill, type Filled } from './pieces.ts'

/** A millionth at least. */
export function cheapestOf({ pieces }: Pick<CheckContext, 'pieces'>, unit: Micros): Micros {
  const { cheapest = unit } = pieces
  return cheapest < unit ? cheapest : unit
}

type Known = Omit<CapFigures, 'attempted'>

type Learned = { readonly left: Micros; readonly basis: string; readonly isByRefusal?: boolean }

/** What is left at most. Where one order takes too few pieces to exceed it, several use the cap up before. */
export async function learnBound(opener: Buyer, { limit, unit }: Known): Promise<Learned> {
  const bound = { left: limit - unit, basis: 'at most, by the target file' }
  if (Number(bound.left / cheapestOf(opener.context, unit)) + 1 < opener.context.pieces.refused)
    return bound
  const { filled, left } = await needFilled(opener, { limit, unit, left: bound.left })
  if (!filled.refused) return { ...bound, left }
  const basis = `less than ${filled.units} units, by the refusal of an order of as many`
  return { left: BigInt(filled.units) * unit - 1n, basis, isByRefusal: true }
}

/** Reads the headroom off the refusal of a purchase of more than the whole cap, or than what several orders leave of it. */
export async function learnHeadroom(opener: Buyer, known: Known): Promise<Learned> {
  const { refused, units, left: believed } = await refusedBeyond(opener, known)
  needValidQuantity(refused, units, known.limit)
  needCapRefusal(refused)
  const message = messageOf(refused)
  const whole = BigInt(units) * known.unit
  const attempted = attemptedIn(message, { units, whole }, known.limit)
  const left = headroomIn(message, { ...known, left: believed, attempted })
  if (left === undefined)
    untested(
      `what is left of the cap is not known: the target file says ${formatMoney(believed)}, which the refusal does not name: ${message}`,
    )
  const basis = left === believed ? 'the target file' : 'the message of a refusal'
  return { left, basis }
}

/** An order that is refused, and what is believed to be left. Where many cost less and one of them fits, more are asked for. */
async function refusedBeyond(
  opener: Buyer,
  { limit, unit, left }: Known,
): Promise<{ refused: Exchange; units: number; left: Micros }> {
  const { pieces } = opener.context
  const unitsOver = (amount: Micros): number =>
    Number(amount / cheapestOf(opener.context, unit)) + 1
  let believed = left
  let units = unitsOver(limit)
  while (units < pieces.refused) {
    const answer = await sendDecisively(opener, units)
    if (pieces.isTooLarge(units, answer)) break
    if (!isAccepted(answer)) return { refused: answer, units, left: believed }
    believed -= priceOf(opener.context, answer)
    if (believed < 0n) return { refused: answer, units, left: believed }
    units = unitsOver(believed)
  }
  const { filled, left: rest } = await needFilled(opener, { limit, unit, left: believed })
  const last = filled.refused ? filled.units : unitsOver(rest)
  const refused = filled.refused ?? (await sendDecisively(opener, last))
  return { refused, units: last, left: rest }
}

async function sendDecisively(opener: Buyer, units: number): Promise<Exchange> {
  const send = (): Promise<Exchange> =>
    opener.send(units, opener.context.reference(), { throttled: 'return' })
  return (await decisively(opener, send)).refused
}

/** Uses a lasting cap up by several orders, as far as one order may then exceed what is left; with what is left then, by the prices. */
async function needFilled(
  opener: Buyer,
  { limit, unit, left: before }: Known,
): Promise<{ filled: Filled; left: Micros }> {
  const { context, exchanges } = opener
  const { pieces } = context
  const { secret } = context.keys.key(opener.role)
  const atMost = pieces.leftOf(secret, before)
  const begun = exchanges.length
  const left = (): Micros =>
    exchanges
      .slice(begun)
      .filter(isAccepted)
      .reduce((rest, each) => rest - priceOf(context, each), atMost)
  const send = (units: number): Promise<Exchange> => sendDecisively(opener, units)
  const filled = await fill(context, { unit, left, send })
  if (!filled) needSmallerCap(pieces.refused, limit)
  pieces.noteLeft(secret, left())
  return { filled, left: left() }
}

/** More than a lasting cap in one order may be more than one order may hold: such a refusal says nothing of the cap. */
export function needValidQuantity({ response }: Exchange, units: number, limit: Micros): void {
  if (response?.status === 422) needSmallerCap(units, limit)
}

function needSmallerCap(units: number, limit: Micros): never {
  wanting(
    { what: 'a smaller cap (role capped), or a dearer voucher' },
    `the cap of ${formatMoney(limit)} is more than orders reach: the target takes no order of ${units} units (HTTP 422). Give the role "capped" a smaller cap, or the product "voucher" a higher price`,
  )
}
