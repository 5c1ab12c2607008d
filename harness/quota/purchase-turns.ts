import { isPurchase } from '../../contract/operations.ts'
import type { Call, Pacer } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'
import { abortable } from './abortable.ts'

/** Purchases of one key: how many are under way, and those that wait for their turn. */
type Line = { isContended: boolean; underWay: number; readonly waiting: Set<() => void> }

/** A service may let purchases of a key wait for each other: of many more the last would be answered too late. */
export const UNDER_WAY_MAX = 8

/**
 * Lets few purchases of a key go side by side. After a 429 to one that nobody meant to meet others, they go one at a time. The service
 * may refuse what overlaps on any key (Errors, 429 with 8): checks that share a key would then refuse each other without
 * end. Purchases that are meant to meet do not wait. A turn is taken after the quota, or a check that holds a window could wait for one
 * that waits for it.
 */
export class PurchaseTurns implements Pacer {
  readonly #quota: Pacer
  readonly #lines = new Map<string, Line>()
  /** Calls whose turn it is. */
  readonly #entered = new Set<Call>()

  constructor(quota: Pacer) {
    this.#quota = quota
  }

  admit(call: Call, signal?: AbortSignal): Promise<void> | undefined {
    const waiting = this.#quota.admit(call, signal)
    const line = this.#lineOf(call)
    if (!line) return waiting
    return waiting
      ? waiting.then(() => this.#enter(line, call, signal))
      : this.#enter(line, call, signal)
  }

  settle(call: Call, exchange: Exchange): void {
    this.#quota.settle(call, exchange)
    const line = this.#lineOf(call)
    if (!line) return
    if (exchange.response?.status === 429) line.isContended = true
    if (!this.#entered.delete(call)) return
    line.underWay -= 1
    const [next] = line.waiting
    next?.()
  }

  /** Undefined: at once. */
  #enter(line: Line, call: Call, signal?: AbortSignal): Promise<void> | undefined {
    if (isFull(line)) return this.#wait(line, call, signal)
    line.underWay += 1
    this.#entered.add(call)
    return undefined
  }

  async #wait(line: Line, call: Call, signal?: AbortSignal): Promise<void> {
    while (isFull(line)) {
      const turn = Promise.withResolvers<void>()
      line.waiting.add(turn.resolve)
      await abortable(turn.promise, signal).finally(() => line.waiting.delete(turn.resolve))
    }
    line.underWay += 1
    this.#entered.add(call)
  }

  #lineOf({ operation, keyVariable, account, meets }: Call): Line | undefined {
    if (!isPurchase(operation) || keyVariable === undefined || meets) return undefined
    const key = `${account} ${keyVariable}`
    const known = this.#lines.get(key)
    if (known) return known
    const line: Line = { isContended: false, underWay: 0, waiting: new Set() }
    this.#lines.set(key, line)
    return line
  }
}

function isFull({ isContended, underWay }: Line): boolean {
  return underWay >= (isContended ? 1 : UNDER_WAY_MAX)
}
