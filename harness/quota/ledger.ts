import type { Bucket, WindowLimit } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Call, Pacer } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'
import { retryAfterSeconds } from '../client/headers.ts'
import type { Clock } from '../clock.ts'
import { abortable } from './abortable.ts'
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

type Entry = {
  readonly key: QuotaKey
  /** When each unit was spent, monotonic milliseconds, oldest first. Those before `firstRecent` no longer count. */
  recentMs: number[]
  firstRecent: number
  spent: number
  throttled: number
  waitedMs: number
  /** The check that alone may spend this counter now. */
  holder?: string
  /** Settles when the holder lets go: where somebody waits for that. */
  release?: PromiseWithResolvers<void>
}

/** Added to a window before a unit is taken to be free again. */
const EDGE_SLACK_MS = 100

/** Units that are cut off at once, at least. */
const DROPPED_MIN = 1024

/**
 * Keeps what every counter was charged, so that checks do not throttle each other. Without knowledge of where windows start, at
 * most `count` units in any stretch of `windowSeconds` never exceed a fixed window.
 */
export class QuotaLedger implements Pacer {
  readonly #clock: Clock
  readonly #limit: (bucket: Bucket, operation?: OperationName) => WindowLimit
  readonly #entries = new Map<string, Entry>()
  readonly #promised = new Map<string, number>()

  readonly #isGentle: boolean

  /** `isGentle`: what goes beyond a limit is withheld, though a check asks for it. */
  constructor(
    clock: Clock,
    limit: (bucket: Bucket, operation?: OperationName) => WindowLimit,
    { isGentle = false }: { readonly isGentle?: boolean } = {},
  ) {
    this.#clock = clock
    this.#isGentle = isGentle
    this.#limit = isGentle ? gentleLimits(limit) : limit
  }

  /** Waits until every counter of the call has a unit to spend, then spends it. Undefined: nothing had to be waited for. */
  admit(call: Call, signal?: AbortSignal): Promise<void> | undefined {
    const entries = quotaKeysOf(call).map((key) => this.#entry(key))
    return this.#takeAll(entries, call) ? undefined : this.#takeUnits(entries, call, signal)
  }

  settle(call: Call, exchange: Exchange): void {
    if (exchange.response?.status !== 429) return
    const promised = retryAfterSeconds(exchange) ?? 0
    for (const key of quotaKeysOf(call)) {
      this.#entry(key).throttled += 1
      const name = windowName(key)
      this.#promised.set(name, Math.max(promised, this.#promised.get(name) ?? 0))
    }
  }

  /** How much of a counter was spent in the last window, wherever windows start. */
  spentLately(key: QuotaKey): number {
    const { recentMs } = this.#entry(key)
    const sinceMs =
      this.#clock.nowMs() - this.#limit(key.bucket, key.operation).windowSeconds * 1000
    return recentMs.length - 1 - recentMs.findLastIndex((sentMs) => sentMs < sinceMs)
  }

  /** Counts what was sent before. */
  note(key: QuotaKey, requests: number): void {
    const entry = this.#entry(key)
    for (let sent = 0; sent < requests; sent++) entry.recentMs.push(this.#clock.nowMs())
  }

  /** The longest wait that a refusal of such a counter asked for: its windows are no shorter, where that is not known. */
  promisedSeconds(key: Pick<QuotaKey, 'bucket' | 'operation'>): number {
    return this.#promised.get(windowName(key)) ?? 0
  }

  /**
   * Holds counters for one check alone, all or none, so that a probe of a window is not disturbed. Released by disposal.
   */
  async hold(check: string, keys: readonly QuotaKey[], signal?: AbortSignal): Promise<Disposable> {
    const entries = keys.map((key) => this.#entry(key))
    for (;;) {
      const held = entries.find(({ holder }) => holder !== undefined)
      if (!held) break
      await released(held, signal)
    }
    for (const entry of entries) entry.holder = check
    return { [Symbol.dispose]: () => entries.forEach(letGo) }
  }

  spent(): readonly QuotaSpent[] {
    return [...this.#entries.values()].map(({ key, spent, throttled, waitedMs }) => ({
      bucket: key.bucket,
      partition: key.partition,
      spent,
      throttled,
      waitedSeconds: waitedMs / 1000,
    }))
  }

  async #takeUnits(entries: readonly Entry[], call: Call, signal?: AbortSignal): Promise<void> {
    while (!this.#takeAll(entries, call)) {
      const full = entries.find((entry) => !this.#hasUnit(entry, call))
      if (!full) continue
      const startedMs = this.#clock.nowMs()
      if (full.holder !== undefined) await released(full, signal)
      else await this.#clock.sleep(this.#waitMs(full, call.check), signal)
      full.waitedMs += this.#clock.nowMs() - startedMs
    }
  }

  /** Looks and takes in one turn, or two waiters would take the same unit; of all counters or of none. False: there is none to take. */
  #takeAll(entries: readonly Entry[], call: Call): boolean {
    if (!entries.every((entry) => this.#hasUnit(entry, call))) return false
    for (const entry of entries) {
      entry.recentMs.push(this.#clock.nowMs())
      entry.spent += 1
    }
    return true
  }

  #hasUnit(entry: Entry, call: Call): boolean {
    if (this.#isGentle) this.#requireGentle(entry, call)
    return call.unpaced === true || this.#waitMs(entry, call.check) <= 0
  }

  /** A window that has no room for even one request, and a burst beyond its share. */
  #requireGentle(entry: Entry, call: Call): void {
    const { count } = this.#limit(entry.key.bucket, entry.key.operation)
    const isBurst = call.unpaced || (call.meets && call.purchases !== undefined)
    if (count === 0 || (isBurst && this.#waitMs(entry, call.check) > 0))
      throw new Withheld(GENTLE_REASON)
  }

  #waitMs(entry: Entry, check: string): number {
    if (entry.holder === check) return 0
    if (entry.holder !== undefined) return Infinity
    const { count, windowSeconds } = this.#limit(entry.key.bucket, entry.key.operation)
    const nowMs = this.#clock.nowMs()
    const spanMs = windowSeconds * 1000 + EDGE_SLACK_MS
    dropOld(entry, nowMs - spanMs)
    const { recentMs, firstRecent } = entry
    const index = recentMs.length - count
    const oldestThatCounts = index < firstRecent ? undefined : recentMs[index]
    return oldestThatCounts === undefined ? 0 : oldestThatCounts + spanMs - nowMs
  }

  #entry(key: QuotaKey): Entry {
    const text = quotaKeyText(key)
    const known = this.#entries.get(text)
    if (known) return known
    const entry: Entry = { key, recentMs: [], firstRecent: 0, spent: 0, throttled: 0, waitedMs: 0 }
    this.#entries.set(text, entry)
    return entry
  }
}

function windowName({ bucket, operation }: Pick<QuotaKey, 'bucket' | 'operation'>): string {
  return bucket === 'default' ? `${bucket} ${operation ?? ''}` : bucket
}

/** Resolves when the holder lets go; who has waited longest looks first. Rejects with the signal's reason. */
function released(entry: Entry, signal?: AbortSignal): Promise<void> {
  entry.release ??= Promise.withResolvers<void>()
  return abortable(entry.release.promise, signal)
}

function letGo(entry: Entry): void {
  const { release } = entry
  delete entry.holder
  delete entry.release
  release?.resolve()
}

/** Units that no longer count are passed over, and cut off now and then: no request looks at all of them. */
function dropOld(entry: Entry, sinceMs: number): void {
  const { recentMs } = entry
  while ((recentMs[entry.firstRecent] ?? Infinity) <= sinceMs) entry.firstRecent += 1
  if (entry.firstRecent < DROPPED_MIN || entry.firstRecent * 2 < recentMs.length) return
  recentMs.splice(0, entry.firstRecent)
  entry.firstRecent = 0
}
