import type { Bucket, WindowLimit } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import { findsNothing } from '../client/announced.ts'
import type { Call, Pacer } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'
import { retryAfterSeconds } from '../client/headers.ts'
import type { Clock } from '../clock.ts'
import { Counter } from './counter.ts'
import { gentleLimits, GENTLE_REASON, Withheld } from './courtesy.ts'
import { quotaKeysOf, quotaKeyText, type QuotaKey } from './quota-key.ts'

/** What was spent of one counter. */
export type QuotaSpent = {
  readonly bucket: Bucket
  readonly partition: string
  readonly spent: number
  readonly throttled: number
  readonly waitedSeconds: number
}

/** A counter that a check needs: so many requests of it, or all of it. */
export type Holding = { readonly key: QuotaKey; readonly units?: number | undefined }

type Wanted = { readonly counter: Counter; readonly limit: WindowLimit; readonly units?: number }

/** A counter that is not free yet, and for how long; Infinity: until others give it back. */
type Obstacle = { readonly counter: Counter; readonly ms: number }

/** A request that is refused for its key never comes to a window: the first check that fails stops it (Authentication, 2). */
const REFUSED_BEFORE_WINDOWS: readonly number[] = [401, 403]

/**
 * Keeps what every counter was charged, so that checks do not throttle each other. Without knowledge of where windows start, at
 * most `count` units in any stretch of `windowSeconds` never exceed a fixed window.
 */
export class QuotaLedger implements Pacer {
  readonly #clock: Clock
  readonly #limit: (bucket: Bucket, operation?: OperationName) => WindowLimit
  readonly #counters = new Map<string, Counter>()
  readonly #chargedMs = new WeakMap<Call, number>()
  /** What checks wait for, in the order in which they asked. */
  readonly #waiting: (readonly Wanted[])[] = []
  /** Checks that hold some counter alone. */
  readonly #holders = new Set<string>()
  readonly #promised = new Map<string, number>()

  readonly #isGentle: boolean
  readonly #isUsed: boolean
  readonly #knownFromMs: number

  /** `isGentle`: what goes beyond a limit is withheld, though a check asks for it. `isUsed`: the accounts may have been used just before. */
  constructor(
    clock: Clock,
    limit: (bucket: Bucket, operation?: OperationName) => WindowLimit,
    {
      isGentle = false,
      isUsed = false,
    }: { readonly isGentle?: boolean; readonly isUsed?: boolean } = {},
  ) {
    this.#clock = clock
    this.#knownFromMs = isUsed ? clock.nowMs() : -Infinity
    this.#isGentle = isGentle
    this.#isUsed = isUsed
    this.#limit = isGentle ? gentleLimits(limit) : limit
  }

  /** Waits until every counter of the call has a unit to spend, then spends it. Undefined: nothing had to be waited for. */
  admit(call: Call, signal?: AbortSignal): Promise<void> | undefined {
    const counters = quotaKeysOf(call).map((key) => this.#counter(key))
    return this.#takeAll(counters, call) ? undefined : this.#takeUnits(counters, call, signal)
  }

  settle(call: Call, exchange: Exchange): void {
    const status = exchange.response?.status ?? 0
    if (REFUSED_BEFORE_WINDOWS.includes(status) && !this.#isGentle) this.#refund(call)
    const isMasked = call.unhide && call.awaitedUntilMs !== undefined
    if (status === 200 && isMasked && !findsNothing(exchange)) this.#refund(call, 'orders.filtered')
    if (status !== 429) return
    const promised = retryAfterSeconds(exchange) ?? 0
    for (const key of quotaKeysOf(call)) {
      this.#counter(key).throttled += 1
      // Whether a target has a window of all reads is not known: the refusal is taken for one of the bucket, or of the order.
      if (key.operation === 'getOrders') continue
      const name = windowName(key)
      this.#promised.set(name, Math.max(promised, this.#promised.get(name) ?? 0))
    }
  }

  /** How much of a counter was spent in the last window, wherever windows start. */
  spentLately(key: QuotaKey): number {
    const { windowSeconds } = this.#limit(key.bucket, key.operation)
    return this.#counter(key).spentSince(this.#clock.nowMs() - windowSeconds * 1000)
  }

  /** Counts what was sent before. */
  note(key: QuotaKey, requests: number): void {
    for (let sent = 0; sent < requests; sent++) this.#counter(key).charge(this.#clock.nowMs())
  }

  /** The longest wait that a refusal of such a counter asked for: its windows are no shorter, where that is not known. */
  promisedSeconds(key: Pick<QuotaKey, 'bucket' | 'operation'>): number {
    return this.#promised.get(windowName(key)) ?? 0
  }

  /**
   * Gives a check the counters that it needs, all or none: whole, so that a probe of a window is not disturbed, or some requests of
   * them. Released by disposal. A check that holds another counter sends first, so that nobody holds a counter for long without using it.
   */
  async hold(
    check: string,
    holdings: readonly Holding[],
    signal?: AbortSignal,
  ): Promise<Disposable> {
    const wanted = holdings.map(({ key, units }) => this.#want(key, units))
    this.#waiting.push(wanted)
    try {
      for (let obstacle = this.#obstacleTo(wanted); obstacle; obstacle = this.#obstacleTo(wanted))
        await this.#wait(obstacle, signal)
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(wanted), 1)
    }
    for (const { counter, units } of wanted) counter.take(check, units)
    if (wanted.some(({ units }) => units === undefined)) this.#holders.add(check)
    return {
      [Symbol.dispose]: () => {
        this.#holders.delete(check)
        for (const { counter } of wanted) counter.giveBack(check)
      },
    }
  }

  #want(key: QuotaKey, units: number | undefined): Wanted {
    const limit = this.#limit(key.bucket, key.operation)
    const counter = this.#counter(key)
    return { counter, limit, ...(units !== undefined && { units: Math.min(units, limit.count) }) }
  }

  /**
   * What a check waits for next; undefined when it may have all that it wants. Of checks that may, the one that has waited longest. Who
   * spends a window leaves it first to whoever only waits until it is unused: afterwards both find it spent.
   */
  #obstacleTo(wanted: readonly Wanted[]): Obstacle | undefined {
    const own = this.#lackOf(wanted)
    if (own) return own
    for (const others of this.#waiting) {
      if (others === wanted) return undefined
      const both = others.find((each) => wanted.some(({ counter }) => counter === each.counter))
      if (!both) continue
      const lack = this.#lackOf(others)
      if (!lack || this.#wouldSpend(wanted, others)) return { counter: both.counter, ms: Infinity }
    }
    return undefined
  }

  /** Whether one would spend a window that is unspent so far, while the other waits for it unspent. */
  #wouldSpend(wanted: readonly Wanted[], others: readonly Wanted[]): boolean {
    const nowMs = this.#clock.nowMs()
    return wanted.some(
      ({ counter, units, limit: { count, windowSeconds } }) =>
        units === undefined &&
        others.some((other) => other.counter === counter && other.units === count) &&
        counter.spentSince(nowMs - windowSeconds * 1000) < count,
    )
  }

  #lackOf(wanted: readonly Wanted[]): Obstacle | undefined {
    const nowMs = this.#clock.nowMs()
    const taken = wanted.find(({ counter, units, limit }) => counter.isTaken(units, limit))
    if (taken) return { counter: taken.counter, ms: Infinity }
    return wanted
      .map(({ counter, units = 0, limit }) => ({
        counter,
        ms: units > 0 ? counter.readyMs(units, nowMs, limit) : 0,
      }))
      .find(({ ms }) => ms > 0)
  }

  async #wait({ counter, ms }: Obstacle, signal?: AbortSignal): Promise<void> {
    if (ms === Infinity) return counter.change(signal)
    using _ahead = counter.goAhead()
    await this.#clock.sleep(ms, signal)
  }

  /** Waits until all that is set aside for a check is there again, before it is carried out once more. */
  async refilled(check: string, signal?: AbortSignal): Promise<void> {
    const nowMs = this.#clock.nowMs()
    const waits = this.#counters
      .values()
      .map((counter) =>
        counter.refillMs(check, nowMs, this.#limit(counter.key.bucket, counter.key.operation)),
      )
    const waitMs = Math.max(0, ...waits)
    if (waitMs > 0) await this.#clock.sleep(waitMs, signal)
  }

  spent(): readonly QuotaSpent[] {
    // Whether a target has a window of all reads is not known.
    const known = [...this.#counters.values()].filter(({ key }) => key.operation !== 'getOrders')
    return known.map(({ key, spent, throttled, waitedMs }) => ({
      bucket: key.bucket,
      partition: key.partition,
      spent,
      throttled,
      waitedSeconds: waitedMs / 1000,
    }))
  }

  async #takeUnits(counters: readonly Counter[], call: Call, signal?: AbortSignal): Promise<void> {
    using _claims = this.#claim(counters, call)
    while (!this.#takeAll(counters, call)) {
      const full = counters.find((counter) => !this.#hasUnit(counter, call))
      if (!full) continue
      const startedMs = this.#clock.nowMs()
      const waitMs = Math.min(this.#waitMs(full, call.check), this.#earlyMs(call) || Infinity)
      await (waitMs === Infinity ? full.change(signal) : this.#clock.sleep(waitMs, signal))
      full.waitedMs += this.#clock.nowMs() - startedMs
    }
  }

  #claim(counters: readonly Counter[], { check }: Call): Disposable {
    const claims = this.#holders.has(check)
      ? counters.filter(({ holder }) => holder !== check).map((counter) => counter.claim())
      : []
    return { [Symbol.dispose]: () => claims.forEach((claim) => claim[Symbol.dispose]()) }
  }

  /** Looks and takes in one turn, or two waiters would take the same unit; of all counters or of none. False: there is none to take. */
  #takeAll(counters: readonly Counter[], call: Call): boolean {
    if (!counters.every((counter) => this.#hasUnit(counter, call))) return false
    const nowMs = this.#clock.nowMs()
    for (const counter of counters) {
      counter.charge(nowMs, call.check)
      counter.spent += 1
    }
    this.#chargedMs.set(call, nowMs)
    return true
  }

  #refund(call: Call, bucket?: Bucket): void {
    const chargedMs = this.#chargedMs.get(call)
    if (chargedMs === undefined) return
    for (const key of quotaKeysOf(call))
      if (bucket === undefined || key.bucket === bucket) this.#counter(key).refund(chargedMs)
  }

  #hasUnit(counter: Counter, call: Call): boolean {
    if (this.#isGentle) this.#requireGentle(counter, call)
    // Other checks spend a window of all reads too: it must not refuse what only the budget of an order is to refuse.
    const isBeside = this.#isUsed && call.unhide === true && counter.key.bucket === 'default'
    // Sent before its order is there, it counts as a masked read, and others may have spent the window of those.
    const isEarly = counter.key.bucket === 'orders.filtered' && this.#earlyMs(call) > 0
    const isAtOnce = call.unpaced === true && !isBeside && !isEarly
    return isAtOnce || this.#waitMs(counter, call.check) <= 0
  }

  /** How long an order that is to be read in clear may not be found yet. */
  #earlyMs({ unhide, unpaced, awaitedUntilMs = 0 }: Call): number {
    return unhide && unpaced ? Math.max(0, awaitedUntilMs - this.#clock.nowMs()) : 0
  }

  /** A window that has no room for even one request, and a burst beyond its share. */
  #requireGentle(counter: Counter, call: Call): void {
    const { count } = this.#limit(counter.key.bucket, counter.key.operation)
    const isBurst = call.unpaced || (call.meets && call.purchases !== undefined)
    if (count === 0 || (isBurst && this.#waitMs(counter, call.check) > 0))
      throw new Withheld(GENTLE_REASON)
  }

  #waitMs(counter: Counter, check: string): number {
    const { bucket, operation } = counter.key
    const limit = this.#limit(bucket, operation)
    return counter.waitMs(check, this.#holders.has(check), this.#clock.nowMs(), limit)
  }

  #counter(key: QuotaKey): Counter {
    const text = quotaKeyText(key)
    const known = this.#counters.get(text)
    if (known) return known
    const counter = new Counter(key, this.#knownFromMs)
    this.#counters.set(text, counter)
    return counter
  }
}

function windowName({ bucket, operation }: Pick<QuotaKey, 'bucket' | 'operation'>): string {
  return bucket === 'default' ? `${bucket} ${operation ?? ''}` : bucket
}
