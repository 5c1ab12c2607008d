/** Whether reads with unhide=true show more of an order than masked ones did. Codes are compared in memory and never written down. */
import { isMasked, type RequestKind } from '../protocol/bursts.ts'

type Seen = {
  readonly orderId?: unknown
  readonly status?: unknown
  readonly result?: { readonly vouchers?: unknown } | null
}

/** Marks of orders as they stand in the evidence. */
const MARK = { same: 's', part: 'p', more: 'm', told: 'x', unknown: '-' } as const

/** Shorter texts may stand anywhere. */
const CODE_LETTERS_MIN = 4

/** Reads with unhide=true. */
const IN_CLEAR: ReadonlySet<RequestKind> = new Set(['by-order', 'by-reference', 'child'])

/** The masked reads of one script's orders, and what others show beside them. */
export class Reveals {
  /** As each order was read masked, by its id and state. */
  readonly #masked = new Map<string, Masked>()
  /** What reads in clear showed beyond masked ones. */
  readonly #codes = new Set<string>()

  /** One mark for each order of a read, separated by commas; none tells anything where no masked read came before. */
  marksOf(kind: RequestKind, orders: readonly unknown[]): string {
    const marks = orders.map((order) => this.#markOf(kind, (order ?? {}) as Seen))
    return marks.some((mark) => mark !== MARK.unknown) ? marks.join(',') : MARK.unknown
  }

  /** Whether a refusal tells a code that another read has revealed. */
  markOfRefusal(body: string): string {
    return [...this.#codes].some((code) => body.includes(code)) ? MARK.told : MARK.unknown
  }

  #markOf(kind: RequestKind, order: Seen): string {
    const vouchers = order.result?.vouchers
    if (!Array.isArray(vouchers) || vouchers.length === 0) return MARK.unknown
    const name = JSON.stringify([order.orderId, order.status])
    const shown = { order: JSON.stringify(order), vouchers: vouchers.map(textOf) }
    if (isMasked(kind)) this.#masked.set(name, shown)
    const masked = IN_CLEAR.has(kind) ? this.#masked.get(name) : undefined
    if (masked === undefined) return MARK.unknown
    if (masked.order === shown.order) return MARK.same
    const hidden = new Set(masked.vouchers.flatMap((voucher) => textsIn(JSON.parse(voucher))))
    for (const text of textsIn(vouchers))
      if (text.length >= CODE_LETTERS_MIN && !hidden.has(text)) this.#codes.add(text)
    // An order that was delivered in part may list pieces that have no code yet.
    const isPart =
      order.status === 'SUCCESS' &&
      shown.vouchers.some((voucher) => masked.vouchers.includes(voucher)) &&
      !shown.vouchers.every((voucher) => masked.vouchers.includes(voucher))
    return isPart ? MARK.part : MARK.more
  }
}

type Masked = { readonly order: string; readonly vouchers: readonly string[] }

function textOf(value: unknown): string {
  return JSON.stringify(value)
}

/** Every text in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
