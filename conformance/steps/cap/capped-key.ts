import { formatMoney, parseMoney, type Micros } from '../../../harness/money.ts'
import { attemptedIn, headroomIn, type CapFigures } from '../../../harness/judge/spend-message.ts'
import { retryAfterSeconds } from '../../../harness/client/headers.ts'
import type { CheckContext, Exchange, Needs } from '../../engine/kit.ts'
import { capWith } from '../../../harness/target-file/wants.ts'
import {
  asText,
  inconclusive,
  isAccepted,
  isCapRefusal,
  messageOf,
  needSuccess,
  untested,
  wanting,
} from '../../engine/kit.ts'
import { BUYS_VOUCHERS, dataOf } from '../orders.ts'
import { holdCap } from './alone.ts'
import { learnBulk, priceNamed } from './bulk.ts'
import { Buyer, needCapRefusal, priceOf, type SendOptions } from '../buyer.ts'
import { buyOpening, openingOf, spentOf } from './opening.ts'
import { fill, type Filled } from './pieces.ts'

/** What every check that spends a cap needs. */
export const SPENDS_A_CAP = {
  ...BUYS_VOUCHERS,
  capabilities: ['shop', 'transaction-limit'],
  roles: ['capped'],
} as const satisfies Needs

/** Orders that opening a capped key and one refusal may create besides those of the check. */
export const CAPPED_KEY_PURCHASES = 8

/** Units of a key that lasts that the check of its boundary takes at least. */
const BOUNDARY_UNITS = 2

const DECISIVE_ATTEMPTS_MAX = 3

/** The longest window that the interface names. */
const WINDOW_WAIT_SECONDS_MAX = 60

/** A capped key and what is left of its cap, kept by the prices that the service states. */
export class CappedKey extends Buyer {
  readonly limit: Micros
  /** Price of one unit, as the service stated it. */
  readonly unit: Micros
  /** How the headroom is known, for findings. */
  readonly basis: string
  /** Whether the key is this check's alone, so that its cap may be used up. A key that lasts is spent sparingly. */
  readonly fresh: boolean
  #left: Micros
  /** Whether no more is left by a refusal alone, not by the prices. */
  readonly #isByRefusal: boolean
  readonly #held: Disposable

  constructor(
    context: CheckContext,
    facts: {
      limit: Micros
      unit: Micros
      left: Micros
      basis: string
      held: Disposable
      opening: readonly Exchange[]
      isByRefusal?: boolean
    },
  ) {
    super(context, 'capped')
    this.fresh = context.target.control !== undefined
    this.limit = facts.limit
    this.unit = facts.unit
    this.basis = facts.basis
    this.#left = facts.left
    this.#isByRefusal = facts.isByRefusal ?? false
    this.#held = facts.held
    this.exchanges.push(...facts.opening)
  }

  /** What may still be bought. */
  get left(): Micros {
    return this.#left
  }

  /** Whole units that still fit, in one order too. */
  get unitsLeft(): number {
    return this.#left < 0n ? 0 : Number(this.#left / this.#dearest)
  }

  /** The most that a piece of a voucher is known to cost, in whichever order. */
  get #dearest(): Micros {
    const { dearest = this.unit } = this.context.pieces
    return dearest > this.unit ? dearest : this.unit
  }

  /** The least that a piece of a voucher is known to cost where many are bought. */
  get cheapest(): Micros {
    return cheapestOf(this.context, this.unit)
  }

  /** Units of one order that exceed this amount, whatever many cost less. */
  unitsOver(amount: Micros): number {
    return Number(amount / this.cheapest) + 1
  }

  amountOf(units: number): Micros {
    return BigInt(units) * this.unit
  }

  /** What so many units cost at most in one order. */
  mostOf(units: number): Micros {
    return BigInt(units) * this.#dearest
  }

  /** One purchase; what is accepted is taken off what is left. */
  override async send(
    units: number,
    referenceId: string,
    options: SendOptions = {},
  ): Promise<Exchange> {
    const exchange = await super.send(units, referenceId, options)
    if (isAccepted(exchange)) {
      needCounted(exchange)
      this.#left -= priceOf(this.context, exchange)
    } else if (!options.order?.product && isCapRefusal(exchange)) {
      const { unit, limit } = this
      const price = priceNamed(exchange, { units, unit, limit, left: this.#left })
      if (price !== undefined) this.context.pieces.notePrice(price, units)
    }
    return exchange
  }

  /** Takes off what was bought otherwise than through the capped key. */
  takeOff(price: Micros): void {
    this.#left -= price
  }

  buy(units: number, referenceId = this.context.reference()): Promise<Exchange> {
    return this.send(units, referenceId)
  }

  /** Insists on success: what follows builds on it. */
  async needBought(units: number): Promise<Exchange> {
    return needSuccess(await this.buy(units))
  }

  /** Insists that so many units are left; a key that all checks share may have been spent. */
  needUnits(units: number): void {
    if (this.unitsLeft < units)
      wanting(
        capWith(units + spentOf(this.context, this), this.context.target),
        `the check needs ${formatMoney(this.amountOf(units))} (${units} units of voucher) within the cap of ${formatMoney(this.limit)}, and ${formatMoney(this.#left)} is left (${this.basis})`,
      )
  }

  /** The same for a check that others make good: of a key that lasts, what its boundary takes must be left besides. */
  needSpareUnits(units: number): void {
    this.needUnits(this.fresh ? units : units + BOUNDARY_UNITS)
  }

  /** Units whose amount exceeds what is left, and differs from it and from the cap. */
  get unitsBeyond(): number {
    const beyond = this.unitsOver(this.#left < 0n ? 0n : this.#left)
    return this.amountOf(beyond) === this.limit ? beyond + 1 : beyond
  }

  /**
   * A purchase beyond what is left. Its 429 is given back, so that a cap that speaks so is seen. Where one order takes too few pieces,
   * several use the cap up before; a reference of the caller's is sent once, since a 422 may have taken it.
   */
  async overspend(referenceId?: string): Promise<Exchange> {
    const { pieces, reference } = this.context
    const send = (): Promise<Exchange> =>
      this.#sendBeyond(this.unitsBeyond, referenceId ?? reference())
    if (this.unitsBeyond >= pieces.refused) await this.fill()
    const units = this.unitsBeyond
    const refused = await send()
    const isAgain = pieces.isTooLarge(units, refused) && referenceId === undefined
    return isAgain && (await this.fill()) ? send() : refused
  }

  /** Uses the cap up by several orders, until no more is left than said; false where no order leads there. */
  async fill(leave?: (most: number, each: Micros) => Micros): Promise<boolean> {
    const filled = await fill(this.context, {
      unit: this.unit,
      left: () => this.#left,
      send: (units) => this.buy(units),
      leave,
    })
    return filled !== undefined && filled.refused === undefined
  }

  /**
   * A purchase beyond what is left, answered by the cap for sure: a 429 counts only if a fitting purchase passes right after it, which
   * shows that no window was in the way.
   */
  async overspendDecisively(referenceId?: string): Promise<Decided> {
    const decided = await decisively(this, () => this.overspend(referenceId))
    if (!this.fresh) this.#needRefusable(decided.refused, this.unitsBeyond)
    return decided
  }

  /** Any purchase that cannot fit, decided in the same way; where it is no order, a purchase of its kind that fits is to be given too. */
  decide(purchase: () => Promise<Exchange>, fitting?: () => Promise<Exchange>): Promise<Decided> {
    return decisively(this, purchase, fitting)
  }

  /** The same with so many units, which cannot fit. */
  async overspendBy(units: number): Promise<Exchange> {
    const purchase = (): Promise<Exchange> => this.#sendBeyond(units, this.context.reference())
    const { refused } = await decisively(this, purchase)
    this.#needRefusable(refused, units)
    return refused
  }

  /** Many pieces in one order may cost less than as many single ones, and then fit. */
  async #sendBeyond(units: number, referenceId: string): Promise<Exchange> {
    const answer = await this.send(units, referenceId, { throttled: 'return' })
    if (isAccepted(answer) && this.#left >= 0n)
      untested(
        `an order of ${units} units cost ${formatMoney(priceOf(this.context, answer))}, less than ${units} times ${formatMoney(this.unit)}, so it fitted the cap`,
      )
    return answer
  }

  #needRefusable(answer: Exchange, units: number): void {
    needValidQuantity(answer, units, this.limit)
    if (this.#isByRefusal && isAccepted(answer))
      inconclusive(
        `an order of ${units} units was accepted after one of as many was refused, so it is not known what was left: ${this.basis}`,
      )
  }

  /** What a refusal of the cap says is left; undefined where its message does not tell. */
  async statedLeft(): Promise<{ stated: Micros | undefined; refused: Exchange }> {
    const refused = await this.needRefusal()
    const { limit, unit, left } = this
    const message = messageOf(refused)
    const units = this.unitsBeyond
    const attempted = attemptedIn(message, { units, whole: this.amountOf(units) }, limit)
    return { stated: headroomIn(message, { limit, unit, left, attempted }), refused }
  }

  /** A purchase beyond what is left, for checks that build on its refusal. */
  async needRefusal(referenceId?: string): Promise<Exchange> {
    const { refused } = await this.overspendDecisively(referenceId)
    return needCapRefusal(refused)
  }

  [Symbol.dispose](): void {
    this.#held[Symbol.dispose]()
  }
}

/** States in which an order may have given its amount back, or a part of it (OPEN-56). */
const NOT_COUNTED: readonly unknown[] = ['CANCELLED', 'PARTIALLY_COMPLETED']

function needCounted(exchange: Exchange): void {
  const { status } = dataOf(exchange)
  if (NOT_COUNTED.includes(status))
    untested(`what an order takes of the cap that is ${asText(status)} is not shown`)
}

type Decided = { readonly refused: Exchange; readonly controls: readonly Exchange[] }

/** A 429 that a fitting purchase follows may be one that the shop service relays: it must come again. */
const DECISIVE = 2

/** An answer of the cap to a purchase, told from one of a window by a purchase that fits right after it. */
async function decisively(
  buyer: Buyer,
  purchase: () => Promise<Exchange>,
  buyFitting = (): Promise<Exchange> =>
    buyer.send(1, buyer.context.reference(), { throttled: 'return' }),
): Promise<Decided> {
  const { context } = buyer
  const controls: Exchange[] = []
  for (let attempt = 1; attempt <= DECISIVE_ATTEMPTS_MAX; attempt++) {
    const refused = await purchase()
    if (refused.response?.status !== 429) return { refused, controls: [] }
    if (buyer instanceof CappedKey) buyer.needUnits(1)
    const fitting = await buyFitting()
    if (isAccepted(fitting)) controls.push(fitting)
    if (controls.length === DECISIVE) return { refused, controls }
    const told = isAccepted(fitting) ? refused : fitting
    const seconds = Math.min(retryAfterSeconds(told) ?? 1, WINDOW_WAIT_SECONDS_MAX)
    await context.wait('a limit that is in the way', seconds * 1000)
  }
  inconclusive(`a 429 was in the way of ${DECISIVE_ATTEMPTS_MAX} purchases that fit the cap`)
}

/**
 * What has to be known of the headroom of a key that lasts: how much it is, which a refusal has to say, or only a bound for what does
 * not fit in any case. The checks of the refusal itself ask for the bound alone, since they cannot build on what they judge.
 */
type Knowledge = 'headroom' | 'bound'

/**
 * Buys one unit as the control and to learn its price, and tells what is left of the cap. A key that lasts is opened so once a run: its
 * cap would else go to the openings of some twenty checks.
 */
export async function openCappedKey(
  context: CheckContext,
  knowledge: Knowledge = 'headroom',
): Promise<CappedKey> {
  const stated = context.keys.key('capped').transactionLimit
  const limit = parseMoney(stated?.limit)
  const used = parseMoney(stated?.used)
  if (limit === undefined || used === undefined)
    wanting(
      { what: 'credentials.capped.transactionLimit (limit and used)' },
      'the target file gives no transactionLimit (limit and used) for the role "capped"',
    )
  const held = await holdCap(context, 'capped')
  try {
    const opener = new Buyer(context, 'capped')
    const unit = priceOf(context, await openingOf(opener, limit))
    if (unit <= 0n) untested(`one unit costs ${formatMoney(unit)}, so no cap can be spent`)
    await learnBulk(opener, { limit, unit })
    const facts = { limit, unit, held, opening: opener.exchanges }
    const left = limit - used - unit
    // The cap of a fresh key is as it was asked for; a key that lasts may have been spent since its target file was written.
    if (context.target.control)
      return new CappedKey(context, { ...facts, left, basis: 'a fresh key' })
    if (knowledge === 'bound')
      return new CappedKey(context, {
        ...facts,
        ...(await learnBound(opener, { limit, unit, left })),
      })
    const learned = await learnHeadroom(opener, { limit, unit, left })
    // That nothing is left a refusal alone says: a purchase shows it.
    if (learned.left < unit) await buyOpening(opener, { limit, unit })
    return new CappedKey(context, { ...facts, ...learned })
  } catch (cause) {
    held[Symbol.dispose]()
    throw cause
  }
}

/** A millionth at least. */
function cheapestOf({ pieces }: Pick<CheckContext, 'pieces'>, unit: Micros): Micros {
  const { cheapest = unit } = pieces
  return cheapest < unit ? cheapest : unit
}

type Known = Omit<CapFigures, 'attempted'>

type Learned = { readonly left: Micros; readonly basis: string; readonly isByRefusal?: boolean }

/** What is left at most. Where one order takes too few pieces to exceed it, several use the cap up before. */
async function learnBound(opener: Buyer, { limit, unit }: Known): Promise<Learned> {
  const bound = { left: limit - unit, basis: 'at most, by the target file' }
  if (Number(bound.left / cheapestOf(opener.context, unit)) + 1 < opener.context.pieces.refused)
    return bound
  const { filled, left } = await needFilled(opener, { limit, unit, left: bound.left })
  if (!filled.refused) return { ...bound, left }
  const basis = `less than ${filled.units} units, by the refusal of an order of as many`
  return { left: BigInt(filled.units) * unit - 1n, basis, isByRefusal: true }
}

/** Reads the headroom off the refusal of a purchase of more than the whole cap, or than what several orders leave of it. */
async function learnHeadroom(opener: Buyer, known: Known): Promise<Learned> {
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
function needValidQuantity({ response }: Exchange, units: number, limit: Micros): void {
  if (response?.status === 422) needSmallerCap(units, limit)
}

function needSmallerCap(units: number, limit: Micros): never {
  wanting(
    { what: 'a smaller cap (role capped), or a dearer voucher' },
    `the cap of ${formatMoney(limit)} is more than orders reach: the target takes no order of ${units} units (HTTP 422). Give the role "capped" a smaller cap, or the product "voucher" a higher price`,
  )
}
