/** POST /carts */
import type { Context } from '../model/context.ts'
import type { FaultSet } from '../faults/faults.ts'
import { Fields, type JsonObject, isJsonObject, requireJson } from '../http/body.ts'
import type { Call } from '../model/call.ts'
import { CODES } from '../http/status-codes.ts'
import { type Answer, Refusal, invalid, by400 } from '../http/answer.ts'
import { buy, inTurn } from './create.ts'
import { earlierPurchase } from './earlier-purchase.ts'
import { ruleOfReferences } from './filter-forms.ts'
import { replay } from './replay.ts'
import type { OrderLine, Purchase } from '../model/order.ts'
import { type PurchasePlan, purchase } from './purchase.ts'
import { type Enforcement, piecesOf, readCatalogLine } from './read-line.ts'
import { asRefusedBefore } from './refused-before.ts'

const POSITIONS_MAX = 20
const POSITION_KINDS = ['shop', 'dtu', 'esim'] as const

/** All positions or none: the transaction limit is checked against the sum. */
export function createCart(call: Call): Answer | Promise<Answer> {
  return inTurn(call, requireJson(call.body), placeCart)
}

function placeCart(call: Call, body: JsonObject): Answer | Promise<Answer> {
  return asRefusedBefore(call, body, { kind: 'checkout', act: place })
}

async function place(call: Call, body: JsonObject): Promise<Answer> {
  const earlier = earlierPurchase(call, body, 'checkout')
  if (earlier === undefined) return buyWhatFits(call, await readCart(call, body))
  if (call.context.faults.has('checkout-replay-adds-positions')) return added(call, body, earlier)
  return replay(call, body, earlier)
}

/** A variant leaves positions out, from the last, until the cap has room for the others. */
function buyWhatFits(call: Call, plan: PurchasePlan): Promise<Answer> {
  return call.context.variants.has('carts-by-position') ? buyFitting(call, plan) : buy(call, plan)
}

async function buyFitting(call: Call, plan: PurchasePlan): Promise<Answer> {
  try {
    return await buy(call, plan)
  } catch (error) {
    const isOfCap =
      error instanceof Refusal && error.answer.statusCode === CODES.apiKeyLimitExceeded
    if (!isOfCap || plan.lines.length === 1) throw error
    return buyFitting(call, { ...plan, lines: plan.lines.slice(0, -1) })
  }
}

/** Only a fault buys the positions that an earlier cart did not have. */
async function added(call: Call, body: JsonObject, earlier: Purchase): Promise<Answer> {
  const plan = await readCart(call, body)
  const lines = plan.lines.slice(earlier.orders.length)
  if (lines.length === 0) return replay(call, body, earlier)
  const { context, key } = call
  await purchase(context, key, { ...plan, lines })
  return replay(call, body, earlier)
}

async function readCart({ context, key }: Call, body: JsonObject): Promise<PurchasePlan> {
  const fields = new Fields(body)
  const referenceId = fields.requiredText('referenceId', ruleOfReferences(context.variants))
  const lines = readPositions(fields).flatMap((position, index) =>
    readPosition(fields, position, `positions[${index}].`, context),
  )
  const isSkipped = lines.length > 0 && skipsInvalid(context.faults, fields, lines.length)
  if ((fields.errors.length > 0 && !isSkipped) || referenceId === undefined) {
    const isKept = lines.length > 0 && context.faults.has('refused-carts-keep-first')
    if (isKept && referenceId !== undefined)
      await purchase(context, key, { kind: 'checkout', referenceId, lines })
    const refused = invalid(context.faults.has('invalid-carts-without-errors') ? [] : fields.errors)
    if (context.faults.has('invalid-carts-answer-400')) throw by400(refused)
    throw refused
  }
  return { kind: 'checkout', referenceId, lines: boughtOf(lines, context.faults) }
}

/** Only faults leave out positions that are not valid: all of them, or the last one. */
function skipsInvalid(faults: FaultSet, fields: Fields, valid: number): boolean {
  const positions = fields.value('positions')
  const isLast = Array.isArray(positions) && valid === positions.length - 1
  return (
    faults.has('cart-skips-invalid-positions') ||
    (isLast && faults.has('cart-skips-invalid-last-position'))
  )
}

/** Only faults buy something else than what the cart holds. */
function boughtOf(lines: OrderLine[], faults: FaultSet): OrderLine[] {
  if (faults.has('cart-drops-last-position')) return lines.slice(0, -1)
  if (faults.has('cart-esim-in-eur'))
    return lines.map((line) => (line.ordersType === 'esim' ? { ...line, currency: 'EUR' } : line))
  if (faults.has('cart-drops-top-ups'))
    return lines.filter(({ ordersType }) => ordersType !== 'dtu')
  if (faults.has('cart-drops-fifth-position')) return lines.slice(0, 4)
  if (faults.has('cart-ignores-quantity'))
    return lines.map((line) => ({
      ...line,
      quantity: 1,
      priceMinor: line.priceMinor / line.quantity,
    }))
  if (!faults.has('cart-merges-equal-positions')) return lines
  return [...new Map(lines.map((line) => [JSON.stringify(line), line])).values()]
}

function readPositions(fields: Fields): readonly unknown[] {
  const positions = fields.value('positions')
  if (positions === undefined) fields.missing('positions')
  else if (!Array.isArray(positions))
    fields.fail('INVALID_FORMAT', 'positions', 'Expected an array.')
  else if (positions.length < 1 || positions.length > POSITIONS_MAX)
    fields.fail('OUT_OF_RANGE', 'positions', `Expected 1 to ${POSITIONS_MAX} positions.`)
  else return positions
  return []
}

function readPosition(
  fields: Fields,
  position: unknown,
  prefix: string,
  context: Context,
): OrderLine[] {
  if (!isJsonObject(position)) {
    fields.fail('INVALID_FORMAT', prefix.slice(0, -1), 'Expected an object.')
    return []
  }
  const inner = new Fields(position, prefix, fields.errors)
  const ordersType = inner.oneOf('ordersType', POSITION_KINDS)
  const line =
    ordersType &&
    readCatalogLine(ordersType, {
      fields: inner,
      faults: context.faults,
      enforcement: { ...piecesOf(context), ...unitsOfCarts(context.faults) },
    })
  return line === undefined ? [] : [cheaper(context, line)]
}

/** Only faults take units by a cart that an order of them does not. */
function unitsOfCarts(faults: FaultSet): Enforcement {
  return {
    isBoundless: faults.has('cart-units-below-minimum'),
    isUnlimited: faults.has('cart-units-unlimited'),
    isStepless: faults.has('cart-units-off-step'),
    cutsTexts: faults.has('cart-units-as-text-cut'),
  }
}

/** Only a variant takes less for what is bought by a cart. */
function cheaper({ variants }: Context, line: OrderLine): OrderLine {
  const priceMinor = Math.round(line.priceMinor * 0.95)
  return variants.has('carts-cheaper') ? { ...line, priceMinor } : line
}
