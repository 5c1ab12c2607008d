import { encoded } from '../protocol/lines.ts'
import { readEnvelope } from './answers.ts'
import type { ReadStep } from '../protocol/open-model.ts'
import type { BurstReads } from '../protocol/bursts.ts'
import type { ScriptAnswer, QuoteToken } from './script.ts'
import { readValues } from './reads.ts'

/** An answer as any client has it; of k6's response these members. */
type Response = {
  /** 0: no answer. */
  readonly status: number
  readonly body?: unknown
  /** k6's, where there was no answer. */
  readonly error_code?: number
}

type Circumstances = {
  readonly retryAfter?: string | undefined
  readonly durationMs: number
  /** On a connection that was opened for it. */
  readonly isNew: boolean
  readonly reads: BurstReads
}

/** What is read off the answer to a purchase, a quote, or a read of orders. */
export function readOrderAnswer(
  { status, body, error_code: errorCode = 0 }: Response,
  { retryAfter, durationMs, isNew, reads }: Circumstances,
): ScriptAnswer {
  if (status === 0) return { ...NOTHING, status, code: String(errorCode), connection: '-' }
  const envelope = readEnvelope(body)
  const at = (steps: readonly ReadStep[] = NOWHERE): readonly unknown[] =>
    steps === NOWHERE ? [] : readValues(envelope, steps)
  const items = reads.items && itemsAt(at(reads.items), reads.items, status)
  const states = at(reads.state)
  const [token] = at(reads.token)
  return {
    status,
    durationMs,
    connection: isNew ? 'n' : 'r',
    code: Number.isInteger(envelope.statusCode) ? String(envelope.statusCode) : '-',
    retryAfter: text(retryAfter),
    errorCode: text(envelope.errorCode),
    orderId: texts(at(reads.id)),
    price: text(at(reads.price)[0]),
    currency: text(at(reads.currency)[0]),
    // If one of several states is missing, they cannot be assigned.
    state: texts(items && states.length !== items.length ? items.map(() => undefined) : states),
    items: items === undefined ? '-' : String(items.length),
    ...(isToken(token) && { token }),
  }
}

const NOWHERE: readonly ReadStep[] = []

/** A selector may give a list, or each of its items; what is nowhere is no list, but for items of a list that may be empty. */
function itemsAt(
  found: readonly unknown[],
  steps: readonly ReadStep[],
  status: number,
): readonly unknown[] | undefined {
  const [first] = found
  if (found.length === 1 && Array.isArray(first)) return first as unknown[]
  const isOfItems = typeof steps.at(-1) === 'object'
  return isOfItems && (found.length > 0 || status === 200) ? found : undefined
}

function isToken(value: unknown): value is QuoteToken {
  return typeof value === 'number' || (typeof value === 'string' && value !== '')
}

const NOTHING = {
  durationMs: 0,
  retryAfter: '-',
  errorCode: '-',
  orderId: '-',
  price: '-',
  currency: '-',
  state: '-',
  items: '-',
} as const

function text(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? encoded(value) : '-'
}

/** The same of several, in their order. */
function texts(values: readonly unknown[]): string {
  return values.map(text).join(',') || '-'
}
