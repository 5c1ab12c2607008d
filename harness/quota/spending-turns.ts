import { isPurchase } from '../../contract/operations.ts'
import type { Call, Pacer } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'
import { abortable } from './abortable.ts'
import type { PurchaseGuard } from '../purchases/purchase-guard.ts'

/**
 * If a sum is permitted, purchases go one at a time. Then at most one order can be charged too much before it shows. Those
 * that are to meet go together, once each of their products was bought alone and its price was read.
 */
export class SpendingTurns implements Pacer {
  readonly #quota: Pacer
  readonly #guard: PurchaseGuard
  /** Calls whose turn it is, and whether they share it. */
  readonly #under = new Map<Call, 'alone' | 'together'>()
  #isAlone = false
  #changed = Promise.withResolvers<void>()

  constructor(quota: Pacer, guard: PurchaseGuard) {
    this.#quota = quota
    this.#guard = guard
  }

  admit(call: Call, signal?: AbortSignal): Promise<void> | undefined {
    const waiting = this.#quota.admit(call, signal)
    if (!isSpending(call)) return waiting
    return this.#enter(call, waiting, signal)
  }

  settle(call: Call, exchange: Exchange, confirmed?: Promise<void>): void {
    this.#quota.settle(call, exchange)
    if (!this.#under.has(call)) return
    const leave = (): void => this.#leave(call)
    if (confirmed) void confirmed.then(leave, leave)
    else leave()
  }

  async #enter(call: Call, waiting?: Promise<void>, signal?: AbortSignal): Promise<void> {
    await waiting
    const { purchases = [] } = call
    for (;;) {
      this.#guard.requireSendable(purchases)
      const isKnown = purchases.every(({ product }) => this.#guard.prices.isConfirmed(product))
      const way = call.meets && isKnown ? 'together' : 'alone'
      if (!this.#isAlone && (way === 'together' || this.#under.size === 0)) {
        // Only now: who waits takes no room from who may go.
        this.#guard.reserveAll(purchases)
        this.#under.set(call, way)
        this.#isAlone = way === 'alone'
        return
      }
      await abortable(this.#changed.promise, signal)
    }
  }

  #leave(call: Call): void {
    if (this.#under.get(call) === 'alone') this.#isAlone = false
    this.#under.delete(call)
    this.#changed.resolve()
    this.#changed = Promise.withResolvers()
  }
}

/** What creates orders, or may: a check of a top-up creates none. */
function isSpending({ operation, checkOnly, confirms }: Call): boolean {
  return isPurchase(operation) && !checkOnly && confirms !== true
}
