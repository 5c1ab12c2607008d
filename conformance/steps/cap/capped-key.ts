import type { Role } from '../../../contract/capabilities.ts'
import { formatMoney, parseMoney, type Micros } from '../../../harness/money.ts'
import { attemptedIn, headroomIn } from '../../../harness/judge/spend-message.ts'
import type { CheckContext, Exchange, Needs } from '../../engine/kit.ts'
import { capWith } from '../../../harness/target-file/wants.ts'
import {
  asText,
  inconclusive,
  isAccepted,
  isCapRefusal,
  messageOf,
  needSuccess,
  showAnswer,
  untested,
  wanting,
} from '../../engine/kit.ts'
import { BUYS_VOUCHERS, dataOf } from '../orders.ts'
import { learnBulk, priceNamed } from './bulk.ts'
import { Buyer, needCapRefusal, priceOf, type SendOptions } from '../buyer.ts'
import { decisively, type Decided } from './decisive.ts'
import { cheapestOf, learnBound, learnHeadroom, needValidQuantity } from './lasting-cap.ts'
import { fill } from './pieces.ts'

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
    const bought = await this.buy(units)
    if (isCapRefusal(bought) && !this.fresh)
      this.#wantUnits(units, `the cap refused ${units} units: ${showAnswer(bought)}`)
    return needSuccess(bought)
  }

  #wantUnits(units: number, why: string): never {
    wanting(capWith(units + spentOf(this.context, this), this.context.target), why)
  }

  /** Insists that so many units are left; a key that all checks share may have been spent. */
  needUnits(units: number): void {
    if (this.unitsLeft < units)
      this.#wantUnits(
        units,
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
    const decided = await this.decide(() => this.overspend(referenceId))
    if (!this.fresh) this.#needRefusable(decided.refused, this.unitsBeyond)
    return decided
  }

  /** Any purchase that cannot fit, decided in the same way; where it is no order, a purchase of its kind that fits is to be given too. */
  decide(purchase: () => Promise<Exchange>, fitting?: () => Promise<Exchange>): Promise<Decided> {
    return decisively(this, purchase, { needRoom: () => this.needUnits(1), fitting })
  }

  /** The same with so many units, which cannot fit. */
  async overspendBy(units: number): Promise<Exchange> {
    const purchase = (): Promise<Exchange> => this.#sendBeyond(units, this.context.reference())
    const { refused } = await this.decide(purchase)
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

/** The end of the queue for each key, by account and role. */
const queues = new Map<string, Promise<void>>()

/**
 * Waits until no other check spends the cap of this key, then holds it until disposal: on a target without fresh accounts all checks
 * share the key, and two checks on one cap would disturb each other.
 */
async function holdCap({ keys }: CheckContext, role: Role): Promise<Disposable> {
  const name = `${keys.key(role).account} ${role}`
  const before = queues.get(name)
  const { promise, resolve } = Promise.withResolvers<void>()
  queues.set(name, promise)
  await before
  return {
    [Symbol.dispose]: () => {
      if (queues.get(name) === promise) queues.delete(name)
      resolve()
    },
  }
}

/** What most checks of the cap need. With so much more, a race that used the cap up leaves enough for the check of its boundary. */
const ROOM_UNITS = 64

/** The purchase of one unit that opens the key: of one that lasts, the one that opened it first. */
async function openingOf(opener: Buyer, limit: Micros): Promise<Exchange> {
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

async function buyOpening(
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
function spentOf(
  { keys }: CheckContext,
  { limit, unit, left }: { limit: Micros; unit: Micros; left: Micros },
): number {
  const used = parseMoney(keys.key('capped').transactionLimit?.used) ?? 0n
  const spent = limit - used - (left < 0n ? 0n : left)
  return spent <= 0n ? 0 : Number((spent + unit - 1n) / unit)
}
