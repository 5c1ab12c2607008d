/** Orders in columns. Many are kept: this way they are numbers mostly, which a garbage collector need not look at one by one. */
import type { ApiKey } from '../auth/accounts.ts'
import type { Identifiers } from '../identifiers.ts'
import { Order } from './order.ts'
import type { OrderLine } from './order.ts'

const CAPACITY_FIRST = 64

/** One row for each serial number: the one that its last bits name. */
type Columns = {
  /** Undefined: no order has this serial number. */
  readonly lines: (OrderLine | undefined)[]
  readonly keys: (ApiKey | undefined)[]
  readonly referenceIds: (string | undefined)[]
  readonly createdAtWallMs: Float64Array
  readonly readyAtMs: Float64Array
}

function columnsOf(capacity: number): Columns {
  return {
    lines: Array<OrderLine | undefined>(capacity).fill(undefined),
    keys: Array<ApiKey | undefined>(capacity).fill(undefined),
    referenceIds: Array<string | undefined>(capacity).fill(undefined),
    createdAtWallMs: new Float64Array(capacity),
    readyAtMs: new Float64Array(capacity),
  }
}

function copyRow(from: Columns, row: number, to: Columns, toRow: number): void {
  to.lines[toRow] = from.lines[row]
  to.keys[toRow] = from.keys[row]
  to.referenceIds[toRow] = from.referenceIds[row]
  to.createdAtWallMs[toRow] = from.createdAtWallMs[row] ?? 0
  to.readyAtMs[toRow] = from.readyAtMs[row] ?? 0
}

/** Orders by serial number, from the oldest that is kept. Serial numbers only grow; some are passed over, and have no order. */
export class OrderRows {
  readonly #identifiers: Identifiers
  /** Their length is a power of two. */
  #columns = columnsOf(CAPACITY_FIRST)
  #mask = CAPACITY_FIRST - 1
  #firstSerial = 1
  #endSerial = 1
  #size = 0

  constructor(identifiers: Identifiers) {
    this.#identifiers = identifiers
  }

  /** Orders that are kept. */
  get size(): number {
    return this.#size
  }

  /** Keeps an order that is younger than all that are kept. */
  push({ serial, line, key, referenceId, createdAtWallMs, readyAtMs }: Order): void {
    if (this.#size === 0) this.#firstSerial = serial
    while (serial - this.#firstSerial > this.#mask) this.#double()
    const row = serial & this.#mask
    const columns = this.#columns
    columns.lines[row] = line
    columns.keys[row] = key
    columns.referenceIds[row] = referenceId
    columns.createdAtWallMs[row] = createdAtWallMs
    columns.readyAtMs[row] = readyAtMs
    this.#endSerial = serial + 1
    this.#size++
  }

  /** The order with a serial number, if it is kept. */
  at(serial: number): Order | undefined {
    if (!(serial >= this.#firstSerial && serial < this.#endSerial)) return undefined
    const row = serial & this.#mask
    const { lines, keys, referenceIds, createdAtWallMs, readyAtMs } = this.#columns
    const line = lines[row]
    const key = keys[row]
    if (line === undefined || key === undefined) return undefined
    return new Order(this.#identifiers, {
      serial,
      line,
      key,
      referenceId: referenceIds[row] ?? '',
      createdAtWallMs: createdAtWallMs[row] ?? 0,
      readyAtMs: readyAtMs[row] ?? 0,
    })
  }

  /** Whether an order with this serial number is kept, and has this reference. */
  hasReference(serial: number, referenceId: string): boolean {
    return (
      serial >= this.#firstSerial && this.#columns.referenceIds[serial & this.#mask] === referenceId
    )
  }

  /** The oldest that is kept. */
  oldest(): Order | undefined {
    this.#passOver()
    return this.at(this.#firstSerial)
  }

  /** Drops the oldest that is kept. */
  shift(): void {
    this.#passOver()
    if (this.#size === 0) return
    const row = this.#firstSerial++ & this.#mask
    this.#columns.lines[row] = undefined
    this.#columns.keys[row] = undefined
    this.#columns.referenceIds[row] = undefined
    this.#size--
  }

  /** All that are kept, oldest first. */
  *[Symbol.iterator](): Generator<Order> {
    for (let serial = this.#firstSerial; serial < this.#endSerial; serial++) {
      const order = this.at(serial)
      if (order !== undefined) yield order
    }
  }

  /** Leaves serial numbers without an order behind. */
  #passOver(): void {
    while (
      this.#firstSerial < this.#endSerial &&
      this.#columns.lines[this.#firstSerial & this.#mask] === undefined
    )
      this.#firstSerial++
  }

  #double(): void {
    const [from, mask] = [this.#columns, this.#mask]
    this.#columns = columnsOf(from.lines.length * 2)
    this.#mask = this.#columns.lines.length - 1
    for (let serial = this.#firstSerial; serial < this.#endSerial; serial++)
      copyRow(from, serial & mask, this.#columns, serial & this.#mask)
  }
}
