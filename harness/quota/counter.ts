import type { WindowLimit } from '../../contract/limits.ts'
import { abortable } from './abortable.ts'
import type { QuotaKey } from './quota-key.ts'

/** Added to a window before a unit is taken to be free again. */
const EDGE_SLACK_MS = 100

/** Units that are cut off at once, at least. */
const DROPPED_MIN = 1024

/** Requests that are kept free for one check in every window, and when it sent some of them. */
type Aside = { readonly units: number; readonly usedMs: number[] }

/**
 * What the run knows of one counter of the target, and how checks share it:
 *
 * - A check that spends the counter holds it alone. It ends soon after that, and the next one finds the same window spent: checks that
 *   look at a spent window follow one another without a wait.
 * - A check that must not wait for its requests has some set aside. Others use the rest.
 * - All other requests are paced: at most one budget in any stretch of one window.
 */
export class Counter {
  readonly key: QuotaKey
  spent = 0
  throttled = 0
  waitedMs = 0
  /** The check that alone may spend this counter now. */
  holder: string | undefined
  /** Requests of checks that hold another counter, and wait for this one. */
  #claims = 0
  /** Checks that wait until so much is free that it can be set aside: other requests come after them. */
  #ahead = 0
  readonly #aside = new Map<string, Aside>()
  /** When each unit was spent, monotonic milliseconds, oldest first. Those before `firstRecent` no longer count. */
  readonly #recentMs: number[] = []
  #firstRecent = 0
  /** Settles when something of it may be free: where somebody waits for that. */
  #change: PromiseWithResolvers<void> | undefined

  /** What was spent before `knownFromMs` is not known. */
  readonly #knownFromMs: number

  constructor(key: QuotaKey, knownFromMs: number) {
    this.key = key
    this.#knownFromMs = knownFromMs
  }

  charge(nowMs: number, check?: string): void {
    this.#recentMs.push(nowMs)
    if (check !== undefined) this.#aside.get(check)?.usedMs.push(nowMs)
  }

  /** Takes back what was charged at this time. */
  refund(chargedMs: number): void {
    const index = this.#recentMs.lastIndexOf(chargedMs)
    if (index >= this.#firstRecent) this.#recentMs.splice(index, 1)
  }

  /** How much was spent since then. */
  spentSince(sinceMs: number): number {
    return this.#recentMs.length - 1 - this.#recentMs.findLastIndex((sentMs) => sentMs < sinceMs)
  }

  /** Whether others keep a check from having so many units set aside, or from holding the counter alone. */
  isTaken(units: number | undefined, limit: WindowLimit): boolean {
    if (this.holder !== undefined || this.#claims > 0) return true
    if (units === undefined) return this.#aside.size > 0
    const others = this.#aside.values().reduce((sum, each) => sum + each.units, 0)
    return others > 0 && others + units > limit.count
  }

  take(check: string, units: number | undefined): void {
    if (units === undefined) this.holder = check
    else this.#aside.set(check, { units, usedMs: [] })
  }

  giveBack(check: string): void {
    if (this.holder === check) this.holder = undefined
    this.#aside.delete(check)
    this.#changed()
  }

  /** How long until so many units can be set aside: not before all is known that a window counts. */
  readyMs(units: number, nowMs: number, limit: WindowLimit): number {
    return Math.max(this.#knownInMs(nowMs, limit), this.#roomMs(units, nowMs, limit))
  }

  /** How long until what a check used of its own counts no more. */
  refillMs(check: string, nowMs: number, limit: WindowLimit): number {
    const lastMs = this.#aside.get(check)?.usedMs.at(-1) ?? -Infinity
    return lastMs + spanMs(limit) - nowMs
  }

  /** How long until so many units are free, besides what is set aside. Infinity: not before others give back what they have. */
  #roomMs(units: number, nowMs: number, limit: WindowLimit): number {
    let aside = 0
    for (const check of this.#aside.keys()) aside += this.#leftOf(check, nowMs, limit)
    return this.#freeInMs(limit.count - aside - units, nowMs, limit)
  }

  /** How long a request of a check has to wait. `isHolder`: what is set aside for others does not hold up a check that holds a counter. */
  waitMs(check: string, isHolder: boolean, nowMs: number, limit: WindowLimit): number {
    if (this.holder === check || this.#leftOf(check, nowMs, limit) > 0) return 0
    if (this.holder !== undefined) return Infinity
    // Until the past is known, whoever waits for that takes nothing from others.
    if (this.#ahead > 0 && this.#knownInMs(nowMs, limit) <= 0) return Infinity
    return isHolder ? this.#freeInMs(limit.count - 1, nowMs, limit) : this.#roomMs(1, nowMs, limit)
  }

  /** Other requests come after a check that waits until enough is free, until this is disposed of. */
  goAhead(): Disposable {
    this.#ahead += 1
    return {
      [Symbol.dispose]: () => {
        this.#ahead -= 1
        if (this.#ahead === 0) this.#changed()
      },
    }
  }

  /** Nobody takes the counter before this is disposed of. */
  claim(): Disposable {
    this.#claims += 1
    return {
      [Symbol.dispose]: () => {
        this.#claims -= 1
        if (this.#claims === 0 && this.holder === undefined) this.#changed()
      },
    }
  }

  /** Resolves when something may be free; who has waited longest looks first. Rejects with the signal's reason. */
  change(signal?: AbortSignal): Promise<void> {
    this.#change ??= Promise.withResolvers<void>()
    return abortable(this.#change.promise, signal)
  }

  #changed(): void {
    const change = this.#change
    this.#change = undefined
    change?.resolve()
  }

  #knownInMs(nowMs: number, limit: WindowLimit): number {
    return this.#knownFromMs + spanMs(limit) - nowMs
  }

  #leftOf(check: string, nowMs: number, limit: WindowLimit): number {
    const aside = this.#aside.get(check)
    if (!aside) return 0
    const sinceMs = nowMs - spanMs(limit)
    return Math.max(0, aside.units - aside.usedMs.filter((usedMs) => usedMs > sinceMs).length)
  }

  /** How long until no more than so many units count. */
  #freeInMs(most: number, nowMs: number, limit: WindowLimit): number {
    if (most < 0) return Infinity
    const span = spanMs(limit)
    this.#dropOld(nowMs - span)
    const index = this.#recentMs.length - most - 1
    const oldestThatCounts = index < this.#firstRecent ? undefined : this.#recentMs[index]
    return oldestThatCounts === undefined ? 0 : oldestThatCounts + span - nowMs
  }

  /** Units that no longer count are passed over, and cut off now and then: no request looks at all of them. */
  #dropOld(sinceMs: number): void {
    while ((this.#recentMs[this.#firstRecent] ?? Infinity) <= sinceMs) this.#firstRecent += 1
    if (this.#firstRecent < DROPPED_MIN || this.#firstRecent * 2 < this.#recentMs.length) return
    this.#recentMs.splice(0, this.#firstRecent)
    this.#firstRecent = 0
  }
}

function spanMs({ windowSeconds }: WindowLimit): number {
  return windowSeconds * 1000 + EDGE_SLACK_MS
}
