/** Which session bought each order, by the orderIds that acceptances name. */
import { listAt } from './exchange-table.ts'
import type { SessionTable } from './session-table.ts'
import { BUYS } from './exchange-table.ts'
import { hashOf } from '../evidence/text-hash.ts'
import { isAccepted } from '../../../contract/answers.ts'

/** Indexes of sessions by orderId. If several got one order, it is that of the last in the schedule. */
export type Owners = Pick<ReadonlyMap<string, number>, 'get'>

export function ownersOf(sessions: SessionTable): Owners {
  const { exchanges } = sessions
  const acceptances = acceptancesIn(sessions)
  const named = acceptances.reduce((sum, row) => sum + listAt(exchanges, 'ids', row).length, 0)
  const owners = new OwnerIndex(sessions, named)
  for (const row of acceptances) for (const id of listAt(exchanges, 'ids', row)) owners.add(id, row)
  return owners
}

/** Rows of the first acceptance of each session, in the order of the schedule. */
function acceptancesIn(sessions: SessionTable): Uint32Array {
  const { exchanges } = sessions
  const isAcceptance = (row: number): boolean =>
    BUYS.has(exchanges.operation.at(row)) && isAccepted({ status: exchanges.status[row] as number })
  const firsts = sessions
    .places()
    .map((place) => sessions.rowsOf(place).find(isAcceptance) ?? NO_ROW)
  return firsts.filter((row) => row !== NO_ROW)
}

const NO_ROW = 0xffffffff

/**
 * A hash table of rows whose answer names the order: the texts are in the columns already, and a million of them as keys of a map would
 * take more memory than all the rest.
 */
class OwnerIndex {
  readonly #sessions: SessionTable
  /** By their hash or, where that place is taken, behind it; 0 for none, else one more than the row. A power of two. */
  readonly #places: Uint32Array
  /** Of the orderId of each place. */
  readonly #hashes: Uint32Array

  /** Has room for so many orderIds. */
  constructor(sessions: SessionTable, count: number) {
    this.#sessions = sessions
    // At least a third stays free, so that places are found soon.
    const size = 2 ** Math.ceil(Math.log2(1.5 * count + 1))
    this.#places = new Uint32Array(size)
    this.#hashes = new Uint32Array(size)
  }

  /** The answer of a row names an order. */
  add(id: string, row: number): void {
    const hash = hashOf(id)
    const place = this.#placeOf(id, hash)
    this.#places[place] = row + 1
    this.#hashes[place] = hash
  }

  get(id: string): number | undefined {
    const row = this.#places[this.#placeOf(id, hashOf(id))] as number
    if (row === 0) return undefined
    return this.#sessions.indexOf(this.#sessions.exchanges.session[row - 1] as number)
  }

  /** Where it is, or would be. */
  #placeOf(id: string, hash: number): number {
    const last = this.#places.length - 1
    for (let place = hash & last; ; place = (place + 1) & last)
      if (this.#places[place] === 0 || this.#isAt(place, id, hash)) return place
  }

  #isAt(place: number, id: string, hash: number): boolean {
    if (this.#hashes[place] !== hash) return false
    const row = (this.#places[place] as number) - 1
    return listAt(this.#sessions.exchanges, 'ids', row).includes(id)
  }
}
