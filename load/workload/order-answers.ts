import type { ReadStep } from '../protocol/arrivals.ts'
import type { LaneAnswer } from './lane.ts'
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
  /** Where the token of a quote stands. */
  readonly token?: readonly ReadStep[] | undefined
}

/** What is read off the answer to a purchase, or to a read of orders. */
export function readOrderAnswer(
  { status, body, error_code: errorCode = 0 }: Response,
  { retryAfter, durationMs, isNew, token }: Circumstances,
): LaneAnswer {
  if (status === 0) return { ...NOTHING, status, code: String(errorCode), connection: '-' }
  const envelope = parse(body)
  const data = envelope.data ?? {}
  const items = Array.isArray(data.page?.items) ? (data.page.items as unknown[]) : undefined
  const order = items === undefined ? data : ((items[0] ?? {}) as Data)
  const children = Array.isArray(data.orders) ? (data.orders as Data[]) : undefined
  return {
    status,
    durationMs,
    connection: isNew ? 'n' : 'r',
    code: Number.isInteger(envelope.statusCode) ? String(envelope.statusCode) : '-',
    retryAfter: text(retryAfter),
    errorCode: text(envelope.errorCode),
    orderId: children ? texts(children, 'orderId') : text(order.orderId),
    price: text(children ? data.totalPrice : order.price),
    currency: text(order.currency),
    state: items === undefined ? text(data.status) : texts(items as Data[], 'status'),
    items: items === undefined ? '-' : String(items.length),
    ...(items && { shown: items }),
    ...(status === 429 && typeof body === 'string' && { refusal: body }),
    ...tokenOf(token && readValues(envelope, token)[0]),
  }
}

function tokenOf(value: unknown): Pick<LaneAnswer, 'token'> {
  const isToken = typeof value === 'number' || (typeof value === 'string' && value !== '')
  return isToken ? { token: value } : {}
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

type Data = {
  readonly orderId?: unknown
  readonly price?: unknown
  readonly currency?: unknown
  readonly status?: unknown
  readonly totalPrice?: unknown
  /** Of a checkout. */
  readonly orders?: unknown
  readonly page?: { readonly items?: unknown } | null
}

type Envelope = {
  readonly statusCode?: unknown
  readonly errorCode?: unknown
  readonly data?: Data | null
}

function parse(body: unknown): Envelope {
  if (typeof body !== 'string') return {}
  try {
    return (JSON.parse(body) as Envelope | null) ?? {}
  } catch {
    // No JSON, so nothing of an envelope: that is what the evidence says.
    return {}
  }
}

function text(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? encodeURIComponent(value) : '-'
}

/** The same of several orders, in their order. */
function texts(orders: readonly (Data | null)[], name: 'orderId' | 'status'): string {
  return orders.map((order) => text(order?.[name])).join(',') || '-'
}
