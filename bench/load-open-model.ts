/** Evidence of clients that arrive at simulated limiters, as k6 would have written it, of any size. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { keyIndexOf, mixOf } from '../load/protocol/arrival-schedule.ts'
import {
  SESSION_OPERATIONS,
  OPEN_MODEL_VERSION,
  SESSION_KINDS,
} from '../load/protocol/open-model.ts'
import type { SessionOperation, OpenModelFile, SessionKind } from '../load/protocol/open-model.ts'
import { QUOTA_OF } from '../harness/load/open-model/quotas.ts'
import type { Limiter } from '../test/support/limiter-simulator.ts'

export type SimulatedOpenModel = {
  readonly mix: OpenModelFile['mix']
  /** No session begins any more once there are so many. */
  readonly exchanges: number
  /** On average. */
  readonly perSecond: number
  readonly keys: number
  /** One for each account and quota. */
  limiter(account: number): Limiter
  /** Every answer about orders names other ones than before, in an unknown state, and every refusal has the wrong code. */
  readonly broken: boolean
}

type Step = {
  readonly operation: SessionOperation
  readonly afterMs: number
  /** From the state on; `#` is the session, `?` a number that never comes again. */
  readonly answer: string
}

const PAGES = Array.from({ length: 4 }, (_, page) =>
  Array.from({ length: 5 }, (__, item) => `5a9f${page}c30${item}e`).join(),
)
const READ = (state: string): string => `- - - - 1 o-# 12.50 ${state}`
const CART = 'o-#-1,o-#-2,o-#-3'
const READ_CART = (state: string): string =>
  `- - - - 3 ${CART} 12.50,25.00,5 ${state},SUCCESS,SUCCESS`

const STEPS: Readonly<Record<SessionKind, readonly Step[]>> = {
  browse: [
    ...PAGES.map((ids) => step('services', `- - 20 - 5 ${ids} - -`)),
    step('lookup', '- - - - - - - -'),
  ],
  buyer: [
    step('order', 'IN_PROGRESS USD - - - o-# 12.50 -'),
    step('replay', 'IN_PROGRESS USD - - - o-# 12.50 -'),
    step('masked', READ('IN_PROGRESS'), 2000),
    step('masked', READ('SUCCESS'), 2000),
    step('by-reference', READ('SUCCESS')),
    step('unhide', READ('SUCCESS')),
  ],
  shopper: [
    step('cart', `IN_PROGRESS USD 42.50 run-# - ${CART} 12.50,25.00,5 IN_PROGRESS,SUCCESS,SUCCESS`),
    step('by-reference', READ_CART('IN_PROGRESS'), 2000),
    step('by-reference', READ_CART('SUCCESS'), 2000),
    step('child', '- - - - 1 o-#-1 12.50 SUCCESS'),
  ],
  orderer: [
    step('order', 'IN_PROGRESS USD - - - o-# 12.50 -'),
    step('unhide', READ('IN_PROGRESS')),
  ],
}

function step(operation: SessionOperation, answer: string, afterMs = 0): Step {
  return { operation, answer, afterMs }
}

const LATENCY_MS = 1.5
const JITTER_MS = 20
/** Of two windows. */
const BURST_MS = 120_000
/** A client gives up after so many refusals. */
const RETRIES_MAX = 12
/** Requests are taken slot by slot. No answer comes in the slot of its request, so that none is sent into one that is being taken. */
const SLOT_MS = 1

type Request = {
  readonly session: number
  readonly at: number
  readonly attempt: number
  readonly dueMs: number
  /** What its session sent before. */
  readonly sent: number
}

/** Writes the evidence; refusals are waited out as told and sent again. Resolves to the number of sessions. */
export async function writeOpenModel(path: string, load: SimulatedOpenModel): Promise<number> {
  const file = createWriteStream(path, { highWaterMark: 1 << 20 })
  file.write(`h ${OPEN_MODEL_VERSION} 1795248101075 1200 0\n`)
  const clients = new Clients(load)
  for (const text of clients.run()) if (!file.write(text)) await once(file, 'drain')
  file.end()
  await once(file, 'close')
  return clients.sessions
}

class Clients {
  sessions = 0
  #exchanges = 0
  readonly #load: SimulatedOpenModel
  readonly #kinds: readonly SessionKind[]
  readonly #slots = new Map<number, Request[]>()
  readonly #limiters = new Map<string, Limiter>()

  constructor(load: SimulatedOpenModel) {
    this.#load = load
    this.#kinds = mixOf(load.mix)
  }

  *run(): Generator<string> {
    const { exchanges, perSecond } = this.#load
    for (let slot = 0; this.#exchanges < exchanges || this.#slots.size > 0; slot++) {
      let text = ''
      while (this.#exchanges < exchanges) {
        const dueMs = inBursts((1000 * (this.sessions + 0.5)) / perSecond)
        if (dueMs >= (slot + 1) * SLOT_MS) break
        text += this.#begin(this.sessions++, dueMs)
      }
      const requests = this.#slots.get(slot) ?? []
      for (const request of requests.toSorted((a, b) => a.dueMs - b.dueMs))
        text += this.#send(request)
      this.#slots.delete(slot)
      if (text !== '') yield text
    }
  }

  #begin(session: number, dueMs: number): string {
    this.#plan({ session, at: 0, attempt: 0, dueMs, sent: 0 })
    const kind = SESSION_KINDS.indexOf(this.#kindOf(session))
    return `s ${session} ${kind} ${this.#keyOf(session)} ${us(dueMs)} ${us(dueMs)}\n`
  }

  #send(request: Request): string {
    const { session, at, attempt, dueMs, sent } = request
    const { operation, answer } = STEPS[this.#kindOf(session)][at] as Step
    this.#exchanges++
    const waitSeconds = this.#ask(operation, session, dueMs + LATENCY_MS / 2)
    const doneMs = dueMs + LATENCY_MS
    const head = `a ${session} ${SESSION_OPERATIONS.indexOf(operation)} ${attempt} ${us(dueMs)} ${us(dueMs)} ${us(doneMs)} ${us(LATENCY_MS)}`
    const count = sent + 1
    if (waitSeconds !== undefined) {
      const line = `${head} 429 ${this.#load.broken ? 13 : 8} ${waitSeconds} - r - - - - - - - -\n`
      if (attempt === RETRIES_MAX) return `${line}z ${session} ${count} starved\n`
      const nextMs = doneMs + 1000 * waitSeconds + JITTER_MS
      this.#plan({ ...request, attempt: attempt + 1, dueMs: nextMs, sent: count })
      return line
    }
    const next = STEPS[this.#kindOf(session)][at + 1]
    const line = `${head} ${codesOf(operation)} - - r ${this.#fill(answer, session)}\n`
    if (next === undefined) return `${line}z ${session} ${count} done\n`
    this.#plan({ session, at: at + 1, attempt: 0, dueMs: doneMs + next.afterMs, sent: count })
    return line
  }

  #fill(answer: string, session: number): string {
    if (!this.#load.broken) return answer.replaceAll('#', String(session))
    return answer.replaceAll('#', `${session}-${this.#exchanges}`).replaceAll('SUCCESS', 'LOST')
  }

  /** What a request is refused with. */
  #ask(operation: SessionOperation, session: number, atMs: number): number | undefined {
    const quota = QUOTA_OF[operation]
    if (quota === undefined) return undefined
    const account = this.#keyOf(session)
    const name = `${account} ${quota.bucket} ${quota.endpoint}`
    const limiter = this.#limiters.get(name) ?? this.#load.limiter(account)
    this.#limiters.set(name, limiter)
    return limiter(atMs, 0)
  }

  #plan(request: Request): void {
    const slot = Math.floor(request.dueMs / SLOT_MS)
    const requests = this.#slots.get(slot)
    if (requests) requests.push(request)
    else this.#slots.set(slot, [request])
  }

  #kindOf(session: number): SessionKind {
    return this.#kinds[session % this.#kinds.length] ?? 'browse'
  }

  #keyOf(session: number): number {
    return keyIndexOf(session, this.#kinds.length, this.#load.keys)
  }
}

/** All that come in the time of two windows come in the first half of it: what the one refuses the other admits. */
function inBursts(evenMs: number): number {
  return evenMs - (evenMs % BURST_MS) / 2
}

/** Status and statusCode of what is admitted. */
function codesOf(operation: SessionOperation): string {
  if (operation === 'replay') return '202 1'
  return operation === 'order' || operation === 'cart' ? '202 0' : '200 0'
}

function us(milliseconds: number): number {
  return Math.round(1000 * milliseconds)
}
