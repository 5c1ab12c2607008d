/** What buyers and shoppers have in common: a purchase that is sent until it is decided, and reads until its orders are final. */
import { referenceIdOf } from '../../contract/reference-id.ts'
import type { SessionOperation, OpenModelFile, SessionEnd } from '../protocol/open-model.ts'
import { jitterMs, persist, retryAfterSeconds, type Persisted } from './persist.ts'
import type { SessionAnswer, SessionRequest, SessionIo, SessionStart } from './session-io.ts'

/** Polling stops at these. */
const FINAL_STATES: ReadonlySet<string> = new Set(['SUCCESS', 'PARTIALLY_COMPLETED', 'CANCELLED'])

/**
 * A number that goes round with the sessions of a kind, to take turns by. Alone the index would not: in a mix the sessions of one kind
 * lie a whole turn of the mix apart.
 */
export function turnOf({ index }: SessionStart): number {
  return index + Math.floor(index / 10)
}

type Fill = NonNullable<SessionRequest['fill']>

/** An answer that lets a session go on. */
export type Answered = Omit<Persisted, 'end'>
/** What a session has come to: its last answer, or its end. */
export type Step = Answered | { readonly end: SessionEnd; readonly answer?: undefined }

/** One session on its way: everything that it sends is about its one purchase. */
export class OrderSession {
  readonly reference: string
  readonly #io: SessionIo
  readonly #plan: OpenModelFile

  constructor(io: SessionIo, plan: OpenModelFile, { index }: SessionStart) {
    this.#io = io
    this.#plan = plan
    this.reference = referenceIdOf(plan.references, 0, index)
  }

  has(operation: SessionOperation): boolean {
    return this.#plan.operations[operation] !== undefined
  }

  /**
   * Sends the purchase until it is decided. What came to nothing that can be told is sent again under its reference, as a client
   * that lost an answer does; of what was refused its reference is looked at, which must find nothing.
   */
  async buy(operation: 'order' | 'cart', dueMs: number): Promise<Step> {
    const { end, ...answered } = await this.#send(operation, dueMs)
    const { answeredByMs } = answered
    if (end === undefined) return answered
    if (end === 'lost') return this.replay(operation, answeredByMs)
    if (end === 'rejected') await this.#send('by-reference', answeredByMs)
    return { end }
  }

  /** Sends the same purchase again. */
  async replay(operation: 'order' | 'cart', dueMs: number): Promise<Step> {
    return stepOf(await this.#send(operation === 'order' ? 'replay' : 'cart-replay', dueMs))
  }

  async read(operation: SessionOperation, dueMs: number, fill: Fill = {}): Promise<Step> {
    return stepOf(await this.#send(operation, dueMs, fill))
  }

  /** Reads, after each Retry-After, until every order is final, and once in any case: what was bought must be found. */
  async poll(operation: SessionOperation, bought: Answered, fill: Fill): Promise<Step> {
    let last = bought
    let waitMs = isPending(bought.answer) ? this.#waitMs(bought.answer) : 0
    for (let reads = 0; reads < this.#plan.pollsMax; reads++) {
      // A client waits from the answer on, however late that came.
      await this.#io.sleepUntilMs(last.answer.receivedMs + waitMs)
      const read = await this.read(operation, last.answeredByMs + waitMs, fill)
      if (read.answer === undefined || isFinal(read.answer)) return read
      last = read
      waitMs = this.#waitMs(last.answer)
    }
    return { end: 'unfinished' }
  }

  /** The wait that a pending answer asks for, else the plan's. */
  #waitMs(answer: SessionAnswer): number {
    const seconds = retryAfterSeconds(answer) ?? this.#plan.pollSeconds
    return 1000 * seconds + jitterMs(this.#io, this.#plan)
  }

  #send(operation: SessionOperation, dueMs: number, fill: Fill = {}): ReturnType<typeof persist> {
    return persist(this.#io, this.#plan, {
      operation,
      dueMs,
      fill: { reference: this.reference, ...fill },
    })
  }
}

function stepOf({ end, ...answered }: Persisted): Step {
  return end === undefined ? answered : { end }
}

function isFinal({ states }: SessionAnswer): boolean {
  return states.length > 0 && states.every((state) => FINAL_STATES.has(state))
}

/** Whatever is not known to be final is waited for. */
function isPending({ state, states }: SessionAnswer): boolean {
  const all = states.length > 0 ? states : [state ?? '']
  return !all.every((each) => FINAL_STATES.has(each))
}
