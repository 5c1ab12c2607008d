/** What goes over the wire for a session, and what is written down of it. Knows nothing of k6, so that sessions can be simulated. */
import {
  bodyIndexOf,
  type ArrivalOperation,
  type ArrivalsFile,
  type ReadName,
} from '../protocol/arrivals.ts'
import { readStatusCode } from './answers.ts'
import type { WireRequest } from './lane-wire.ts'
import { readValues } from './reads.ts'
import type { ArrivalAnswer, ArrivalRequest, SessionStart } from './session.ts'

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
}

export type ArrivalWireOptions = {
  readonly plan: ArrivalsFile
  /** In the order of the plan's `keyEnvs`. */
  readonly keys: readonly string[]
  /** Names a text in a few letters. */
  digest(text: string): string
}

export class ArrivalWire {
  readonly #options: ArrivalWireOptions

  constructor(options: ArrivalWireOptions) {
    this.#options = options
  }

  request(session: SessionStart, request: ArrivalRequest): WireRequest {
    const { plan, keys } = this.#options
    const planned = plan.operations[request.operation]
    if (!planned) throw new Error(`The plan says nothing of the operation ${request.operation}.`)
    const { method, bodies = [] } = planned
    const headers = { 'X-API-Key': keys[session.key] ?? '', Accept: 'application/json' }
    const url = this.#fill(planned.url, request.fill, encodeURIComponent)
    const body = bodies[bodyIndexOf(bodies.length, session.index, request.subject ?? 0)]
    if (method === 'GET' || body === undefined) return { method, url, headers }
    return {
      method,
      url,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: this.#fill(body, request.fill, inJson),
    }
  }

  #fill(text: string, fill: ArrivalRequest['fill'] = {}, encode: (text: string) => string): string {
    const { marks } = this.#options.plan
    let filled = text
    for (const name of MARKS) {
      const value = fill[name]
      if (value !== undefined) filled = filled.replaceAll(marks[name], encode(String(value)))
    }
    return filled
  }

  /** Reads what the plan names for the operation, of an answer that admitted it; else no more than its codes. */
  answer(operation: ArrivalOperation | 'warm', response: WireAnswer): ArrivalAnswer {
    const { status, body, retryAfter, errorCode, sentMs, receivedMs } = response
    const common = { status, sentMs, receivedMs, ...NOTHING }
    if (status === 0) return { ...common, code: errorCode ?? 0 }
    const waits = retryAfter === undefined ? {} : { retryAfter }
    if (status >= 300) return { ...common, ...waits, ...codesOf(body) }
    const envelope = parse(body)
    const { statusCode } = envelope as { statusCode?: unknown }
    return {
      ...common,
      ...waits,
      ...(Number.isInteger(statusCode) ? { code: statusCode as number } : {}),
      ...(operation === 'warm' ? {} : this.#read(operation, envelope)),
    }
  }

  #read(operation: ArrivalOperation, envelope: object): Partial<ArrivalAnswer> {
    const { reads = {} } = this.#options.plan.operations[operation] ?? {}
    const all = (name: ReadName): readonly unknown[] => {
      const steps = reads[name]
      return steps === undefined ? [] : readValues(envelope, steps)
    }
    const items = reads.items === undefined ? undefined : listOf(all('items'))
    const ids =
      operation === 'services'
        ? (items ?? []).map((each) => this.#productOf(each))
        : all('ids').map(String)
    return {
      ...one('state', all('state')),
      ...one('currency', all('currency')),
      ...one('total', all('total')),
      ...one('reference', all('reference')),
      ...(items === undefined ? {} : { items: items.length }),
      ids,
      prices: all('prices').map(String),
      states: all('states').map(String),
    }
  }

  #productOf(product: unknown): string {
    return this.#options.digest(JSON.stringify(product).replaceAll(VOLATILE, ''))
  }
}

const MARKS = ['reference', 'orderId', 'itemId', 'offset'] as const
const NOTHING = { ids: [], prices: [], states: [] } as const

/** Members that may change between two readings while the product stays the same. */
const VOLATILE = /"(?:inStock|price)":(?:"(?:[^"\\]|\\.)*"|[^,}\]]*),?/g

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function parse(body: unknown): object {
  if (typeof body !== 'string') return {}
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    // No JSON, so nothing of an envelope: that is what the evidence says.
    return {}
  }
}

function codesOf(body: unknown): Pick<ArrivalAnswer, 'code' | 'errorCode'> {
  const code = readStatusCode(body)
  const { errorCode } = parse(body) as { errorCode?: unknown }
  return {
    ...(code === '-' ? {} : { code: Number(code) }),
    ...(typeof errorCode === 'string' ? { errorCode } : {}),
  }
}

/** A list that a selector gives whole is taken apart. */
function listOf(found: readonly unknown[]): readonly unknown[] {
  const [first] = found
  return found.length === 1 && Array.isArray(first) ? (first as unknown[]) : found
}

function one<Name extends ReadName>(
  name: Name,
  [value]: readonly unknown[],
): Partial<Record<Name, string>> {
  const isScalar = typeof value === 'string' || typeof value === 'number'
  return (isScalar ? { [name]: String(value) } : {}) as Partial<Record<Name, string>>
}
