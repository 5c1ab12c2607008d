/** What goes over the wire for a session, and what is written down of it. Knows nothing of k6, so that sessions can be simulated. */
import { isAccepted } from '../../contract/answers.ts'
import {
  type SessionOperation,
  type OpenModelFile,
  type ReadName,
  type ReadStep,
} from '../protocol/open-model.ts'
import { readEnvelope, readStatusCode } from './answers.ts'
import type { WireRequest } from './script-wire.ts'
import { readValues } from './reads.ts'
import type { SessionAnswer, SessionRequest, SessionStart } from './session-io.ts'

/** An answer as any client has it. */
export type WireAnswer = {
  /** 0: no answer. */
  readonly status: number
  readonly body: unknown
  readonly retryAfter: string | undefined
  /** k6's, where there was no answer. */
  readonly errorCode?: number
  readonly sentMs: number
  readonly receivedMs: number
  readonly durationMs: number
}

export type SessionWireOptions = {
  readonly plan: OpenModelFile
  /** In the order of the plan's `keyEnvs`. */
  readonly keys: readonly string[]
  /** Names a text in a few letters. */
  digest(text: string): string
}

type Headers = { readonly plain: Record<string, string>; readonly json: Record<string, string> }

/** Members are set one by one: this runs for every request, and spreading costs more than sending. */
type Growing = { -readonly [Name in keyof SessionAnswer]: SessionAnswer[Name] }

export class SessionWire {
  readonly #options: SessionWireOptions
  readonly #headers: readonly Headers[]
  readonly #reads: ReadonlyMap<SessionOperation, readonly Read[]>

  constructor(options: SessionWireOptions) {
    this.#options = options
    this.#headers = options.keys.map((key) => {
      const plain = { 'X-API-Key': key, Accept: 'application/json' }
      return { plain, json: { ...plain, 'Content-Type': 'application/json' } }
    })
    const operations = Object.entries(options.plan.operations)
    this.#reads = new Map(
      operations.map(([operation, { reads }]) => [
        operation as SessionOperation,
        Object.entries(reads) as unknown as readonly Read[],
      ]),
    )
  }

  request(session: SessionStart, request: SessionRequest): WireRequest {
    const planned = this.#options.plan.operations[request.operation]
    if (!planned) throw new Error(`The plan says nothing of the operation ${request.operation}.`)
    const { method, body } = planned
    const { plain, json } = this.#headers[session.key] as Headers
    const url = this.#fill(planned.url, request.fill, encodeURIComponent)
    if (method === 'GET' || body === undefined) return { method, url, headers: plain }
    return { method, url, headers: json, body: this.#fill(body, request.fill, inJson) }
  }

  #fill(text: string, fill: SessionRequest['fill'], encode: (text: string) => string): string {
    if (fill === undefined) return text
    const { marks } = this.#options.plan
    let filled = text
    for (const name of MARKS) {
      const value = fill[name]
      if (value !== undefined) filled = filled.replaceAll(marks[name], encode(String(value)))
    }
    return filled
  }

  /** Reads what the plan names for the operation, of an answer that admitted it; else no more than its codes. */
  answer(operation: SessionOperation | 'warm', response: WireAnswer): SessionAnswer {
    const { status, body, retryAfter, errorCode, sentMs, receivedMs, durationMs } = response
    const answer: Growing = {
      status,
      sentMs,
      receivedMs,
      durationMs,
      ids: NONE,
      prices: NONE,
      states: NONE,
    }
    if (retryAfter !== undefined) answer.retryAfter = retryAfter
    if (status === 0) answer.code = errorCode ?? 0
    else if (!isAccepted(response)) readCodes(body, answer)
    else if (operation !== 'warm') this.#read(operation, readEnvelope(body), answer)
    return answer
  }

  #read(
    operation: SessionOperation,
    envelope: ReturnType<typeof readEnvelope>,
    answer: Growing,
  ): void {
    const { statusCode } = envelope
    if (Number.isInteger(statusCode)) answer.code = statusCode as number
    for (const [name, steps] of this.#reads.get(operation) ?? []) {
      const found = readValues(envelope, steps)
      if (name === 'items') {
        const items = listOf(found)
        answer.items = items.length
        if (operation === 'services') answer.ids = items.map((item) => this.#productOf(item))
      } else if (name === 'ids' || name === 'prices' || name === 'states')
        answer[name] = found.map(String)
      else if (isScalar(found[0])) answer[name] = String(found[0])
    }
  }

  #productOf(product: unknown): string {
    return this.#options.digest(JSON.stringify(product).replaceAll(VOLATILE, ''))
  }
}

type Read = readonly [ReadName, readonly ReadStep[]]

const NONE: readonly string[] = []
const MARKS = ['reference', 'orderId', 'offset'] as const

/** Members that may change between two readings while the product stays the same. */
const VOLATILE = /"(?:inStock|price)":(?:"(?:[^"\\]|\\.)*"|[^,}\]]*),?/g

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function readCodes(body: unknown, answer: Growing): void {
  const code = readStatusCode(body)
  if (code !== '-') answer.code = Number(code)
  const { errorCode } = readEnvelope(body)
  if (typeof errorCode === 'string') answer.errorCode = errorCode
}

/** A list that a selector gives whole is taken apart. */
function listOf(found: readonly unknown[]): readonly unknown[] {
  const [first] = found
  return found.length === 1 && Array.isArray(first) ? (first as unknown[]) : found
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
