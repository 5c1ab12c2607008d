import type { RunRecord } from '../../schemas/generated/run-record.ts'
import type { LoadOvercharge } from '../../load/protocol/plan.ts'
import type { Micros } from '../money.ts'
import type { OrderMade, Purchased, PurchasePermission } from '../purchases/purchase.ts'
import { amount, recordedOrder, recordedPurchases, stateOf } from './purchases.ts'
import type { Rendered } from './write.ts'

/** Names all orders of a run, where there are many, and those of load. */
export const ORDERS_FILE = 'orders.csv'

/** Most orders that the record names by itself. */
const NAMED_MAX = 200

const COLUMNS = ['source', 'reference', 'orders', 'product', 'state', 'charged', 'reserved']

/** What a run bought, by checks, at rest and by load: sums, and a line for each order. */
export class OrdersBought {
  #orders = 0
  /** What counts against a permitted sum. */
  readonly #money = new Map<string, Micros>()
  readonly #charged = new Map<string, Micros>()
  /** What the orders without an answer were planned at, of the scenario that came last. */
  #unansweredMicros = 0n
  #pending = 0
  #unanswered = 0
  /** Those that are not done first. */
  readonly #open: OrderMade[] = []
  readonly #done: OrderMade[] = []
  readonly #lines: string[] = []
  #isFiled = false

  /** Orders that a guard counted; it names them where that was asked for. */
  add({ orders, made, money, charged }: Purchased): void {
    this.#orders += orders
    for (const [currency, micros] of money) add(this.#money, currency, micros)
    for (const [currency, micros] of charged) add(this.#charged, currency, micros)
    for (const each of made) this.#name('checks', each)
  }

  /** Orders that a scenario of load made. */
  addLoad(scenario: string, orders: Iterable<OrderMade>): void {
    this.#unansweredMicros = 0n
    for (const order of orders) {
      this.#orders += order.orderId?.split(',').length ?? 1
      const { charged, reserved = 0n, currency } = order
      if (charged === undefined) this.#unansweredMicros += reserved
      add(this.#charged, currency, charged ?? reserved)
      add(this.#money, currency, charged !== undefined && charged > reserved ? charged : reserved)
      this.#name(scenario, order)
      this.#isFiled = true
    }
  }

  /**
   * Counts what nobody has seen when a scenario was stopped for an order that cost more: its orders without an answer and those that
   * were on their way may have cost so much more too. `underWay`: at their planned prices.
   */
  addUnseen(currency: string, { charged, planned }: LoadOvercharge, underWay: Micros): void {
    const factor = charged / planned
    add(this.#money, currency, times(underWay, factor) + times(this.#unansweredMicros, factor - 1))
  }

  #name(source: string, order: OrderMade): void {
    const state = stateOf(order)
    if (state.includes('IN_PROGRESS')) this.#pending += 1
    if (state === 'unanswered') this.#unanswered += 1
    const isOpen = state.includes('IN_PROGRESS') || state === 'unanswered'
    const list = isOpen ? this.#open : this.#done
    if (list.length < NAMED_MAX) list.push(order)
    else this.#isFiled = true
    this.#lines.push(lineOf(source, order))
  }

  record(permission: PurchasePermission | undefined): RunRecord['purchases'] {
    if (this.#orders === 0) return undefined
    const named = [...this.#open, ...this.#done].slice(0, NAMED_MAX)
    const leftOut = this.#lines.length - named.length
    return {
      ...recordedPurchases(
        { orders: this.#orders, money: this.#money, charged: this.#charged },
        permission,
      ),
      pending: this.#pending,
      unanswered: this.#unanswered,
      orders: named.map(recordedOrder),
      ...(leftOut > 0 ? { ordersLeftOut: leftOut } : {}),
      ...(this.#isFiled ? { ordersFile: ORDERS_FILE } : {}),
    }
  }

  /** All of them, where the record does not name them all, or load made some. */
  file(): Rendered | undefined {
    if (!this.#isFiled) return undefined
    return { file: ORDERS_FILE, text: `${[COLUMNS.join(','), ...this.#lines].join('\n')}\n` }
  }
}

function add(sums: Map<string, Micros>, currency: string, micros: Micros): void {
  if (micros > 0n) sums.set(currency, (sums.get(currency) ?? 0n) + micros)
}

function times(micros: Micros, factor: number): Micros {
  return BigInt(Math.ceil(Number(micros) * factor))
}

function lineOf(source: string, order: OrderMade): string {
  const { reference = '', orderId = '', product = '', charged, reserved, currency } = order
  const amounts = [charged, reserved].map((each) =>
    each === undefined ? '' : amount(currency, each),
  )
  const orders = orderId.replaceAll(',', ' ')
  return [source, reference, orders, product, stateOf(order), ...amounts].map(cell).join(',')
}

/** What a spreadsheet would take for a formula stays text. */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
