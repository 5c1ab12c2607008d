/** What goes over the wire for a script, and what is written down of it. Knows nothing of k6, so that scripts can be simulated. */
import { referenceIdOf } from '../../contract/reference-id.ts'
import { signedBy, USER_AGENTS } from '../../contract/wire.ts'
import { signatureOf } from '../protocol/instances.ts'
import { isMasked } from '../protocol/bursts.ts'
import { EVIDENCE } from '../protocol/evidence-table.ts'
import { lineWriter } from '../protocol/lines.ts'
import type {
  ScriptEnd,
  RequestKind,
  BurstFile,
  BurstPhase,
  BurstReads,
} from '../protocol/bursts.ts'
import type { ScriptAnswer, ScriptRequest } from './script.ts'

const EXCHANGE = lineWriter('o', EVIDENCE.bursts.o)
const END = lineWriter('f', EVIDENCE.bursts.f)

const POSTED: ReadonlySet<RequestKind> = new Set(['buy', 'quote'])

type Times = { readonly sentMs: number; readonly receivedMs: number }

const NO_READS: BurstReads = {}

/** A request as any client can send it. */
export type WireRequest = {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export class ScriptWire {
  readonly #script: number
  readonly #plan: BurstFile
  readonly #keys: readonly string[]
  /** Unhide reads of each order so far. */
  readonly #unhidden = new Map<number, number>()

  constructor(script: number, plan: BurstFile, keys: readonly string[]) {
    this.#script = script
    this.#plan = plan
    this.#keys = keys
  }

  request(request: ScriptRequest): WireRequest {
    const { products, quotes, referenceMark, warmUrl } = this.#plan
    const { key, kind, product, units } = request
    const headers = { 'X-API-Key': this.#keys[key] ?? '', Accept: 'application/json' }
    if (kind === 'warm') return { method: 'GET', url: warmUrl, headers }
    if (!POSTED.has(kind))
      return {
        method: 'GET',
        url: this.#readUrl(request),
        headers: { ...headers, ...this.#clientOf(request) },
      }
    const posted = {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
    } as const
    if (kind === 'quote') return { ...posted, url: quotes?.url ?? '', body: quotes?.body ?? '' }
    const { url = '', bodies } = products[product] ?? {}
    const body = (bodies?.[units - 1] ?? '').replaceAll(referenceMark, this.#reference(request))
    return { ...posted, url, body: this.#withToken(body, request) }
  }

  /** Where the answer to a request holds what the script looks at. */
  reads({ kind, product }: ScriptRequest): BurstReads {
    const { products, listed, quotes } = this.#plan
    if (kind === 'quote') return quotes ? { token: quotes.token } : NO_READS
    if (kind === 'warm') return NO_READS
    return POSTED.has(kind) ? (products[product]?.reads ?? NO_READS) : listed
  }

  /** A token that is no text stays none. */
  #withToken(body: string, { token }: ScriptRequest): string {
    const { quotes } = this.#plan
    if (!quotes || token === undefined) return body
    const { tokenMark } = quotes
    return body
      .replaceAll(JSON.stringify(tokenMark), JSON.stringify(token))
      .replaceAll(tokenMark, JSON.stringify(String(token)).slice(1, -1))
  }

  /** An order is read in clear by two clients in turns, each by two of its names: its budget is one all the same. */
  #clientOf({ kind, reference }: ScriptRequest): Readonly<Record<string, string>> {
    if (isMasked(kind)) return {}
    const reads = this.#unhidden.get(reference) ?? 0
    this.#unhidden.set(reference, reads + 1)
    const name = USER_AGENTS[Math.floor(reads / 2) % USER_AGENTS.length]
    return { 'User-Agent': signedBy(signatureOf(this.#plan), name) }
  }

  #readUrl(request: ScriptRequest): string {
    const { readUrl } = this.#plan
    const byOrder = `orderId=${encodeURIComponent(request.orderId ?? '')}`
    const byReference = `referenceId=${this.#reference(request)}`
    const filter =
      request.kind === 'by-order'
        ? byOrder
        : `${byReference}${request.kind === 'by-both' ? `&${byOrder}` : ''}`
    const unhide = isMasked(request.kind) ? '' : '&unhide=true'
    return `${readUrl}${readUrl.includes('?') ? '&' : '?'}${filter}${unhide}`
  }

  #reference({ reference }: ScriptRequest): string {
    return referenceIdOf(this.#plan.references, this.#script, reference)
  }

  /** The evidence of one release (protocol/evidence-table.ts). */
  lines(
    phase: BurstPhase,
    requests: readonly ScriptRequest[],
    answers: readonly ScriptAnswer[],
    times: Times,
  ): string {
    return answers
      .map((answer, index) => this.#line(phase, requests[index] as ScriptRequest, times, answer))
      .join('\n')
  }

  endLine(exchanges: number, end: ScriptEnd): string {
    return END({ script: this.#script, exchanges, end })
  }

  #line(phase: BurstPhase, request: ScriptRequest, times: Times, answer: ScriptAnswer): string {
    const { reference } = request
    return EXCHANGE({
      ...request,
      ...answer,
      ...times,
      script: this.#script,
      phase,
      reference: reference < 0 ? '-' : reference,
      durationUs: Math.floor(answer.durationMs * 1000),
    })
  }
}
