/** Counters behind the limits. All answer the same question; only the fixed windows are right. */
import { crc32 } from 'node:zlib'
import type { WindowLimit } from '../../contract/limits.ts'
import type { WindowPhase } from '../base/types.ts'

export interface Counter {
  /** Counts one request. Zero: admitted. Otherwise refused, and the milliseconds until a request passes again. */
  take(partition: string, limit: WindowLimit, nowMs: number): number
  /** Gives one admitted request back, where its window still runs. */
  giveBack(partition: string, nowMs: number): void
  /** Live counters, for the statistics. */
  readonly size: number
}

const windowMsOf = (limit: WindowLimit): number => limit.windowSeconds * 1000

/** New entries between two sweeps, at least; as many as the last sweep kept, at least, so that its share per request is constant. */
const SWEEP_INTERVAL_MIN = 1024

type Cell = { endMs: number; count: number }

/** A part of one, even over partitions and always the same for each. */
function spreadOf(partition: string): number {
  return crc32(partition) / 2 ** 32
}

/** Fixed windows. Ended windows are dropped, so memory follows the live ones. */
export class FixedWindows implements Counter {
  readonly #cells = new Map<string, Cell>()
  readonly #phase: WindowPhase
  readonly #originMs: number
  #newSinceSweep = 0
  #keptBySweep = 0

  /** `originMs` is a moment at which a window starts, on the clock of `take`; not used by the phase first-request. */
  constructor(phase: WindowPhase, originMs: number) {
    this.#phase = phase
    this.#originMs = originMs
  }

  get size(): number {
    return this.#cells.size
  }

  take(partition: string, limit: WindowLimit, nowMs: number): number {
    const cell = this.#liveCell(partition, windowMsOf(limit), nowMs)
    if (cell.count >= limit.count) return cell.endMs - nowMs
    cell.count++
    return 0
  }

  giveBack(partition: string, nowMs: number): void {
    const cell = this.#cells.get(partition)
    if (cell !== undefined && nowMs < cell.endMs && cell.count > 0) cell.count--
  }

  #liveCell(partition: string, windowMs: number, nowMs: number): Cell {
    const cell = this.#cells.get(partition)
    if (cell !== undefined && nowMs < cell.endMs) return cell
    const fresh = { endMs: this.#endOf(partition, nowMs, windowMs), count: 0 }
    this.#cells.set(partition, fresh)
    this.#sweepNowAndThen(nowMs)
    return fresh
  }

  #endOf(partition: string, nowMs: number, windowMs: number): number {
    if (this.#phase === 'first-request') return nowMs + windowMs
    const offsetMs = this.#phase === 'counter' ? spreadOf(partition) * windowMs : 0
    const originMs = this.#originMs + offsetMs
    const windowIndex = Math.floor((nowMs - originMs) / windowMs)
    return originMs + (windowIndex + 1) * windowMs
  }

  #sweepNowAndThen(nowMs: number): void {
    if (++this.#newSinceSweep < Math.max(SWEEP_INTERVAL_MIN, this.#keptBySweep)) return
    this.#newSinceSweep = 0
    for (const [partition, cell] of this.#cells)
      if (cell.endMs <= nowMs) this.#cells.delete(partition)
    this.#keptBySweep = this.#cells.size
  }
}

/** The last `count` admissions must lie within one window length: what a fixed window is not. */
export class SlidingLog implements Counter {
  readonly #admissionsMs = new Map<string, number[]>()

  get size(): number {
    return this.#admissionsMs.size
  }

  take(partition: string, limit: WindowLimit, nowMs: number): number {
    const sinceMs = nowMs - windowMsOf(limit)
    const recent = (this.#admissionsMs.get(partition) ?? []).filter((atMs) => atMs > sinceMs)
    this.#admissionsMs.set(partition, recent)
    const [oldestMs] = recent
    if (oldestMs !== undefined && recent.length >= limit.count) return oldestMs - sinceMs
    recent.push(nowMs)
    return 0
  }

  giveBack(partition: string): void {
    this.#admissionsMs.get(partition)?.pop()
  }
}

/** Each admission begins the window anew: what a fixed window is not. */
export class RestartedWindows implements Counter {
  readonly #cells = new Map<string, Cell>()

  get size(): number {
    return this.#cells.size
  }

  take(partition: string, limit: WindowLimit, nowMs: number): number {
    const { endMs, count } = this.#cells.get(partition) ?? { endMs: nowMs, count: 0 }
    const counted = nowMs < endMs ? count : 0
    if (counted >= limit.count) return endMs - nowMs
    this.#cells.set(partition, { endMs: nowMs + windowMsOf(limit), count: counted + 1 })
    return 0
  }

  giveBack(partition: string): void {
    const cell = this.#cells.get(partition)
    if (cell !== undefined && cell.count > 0) cell.count--
  }
}

/** Each refusal begins the window anew: what a fixed window is not. */
export class ProlongedWindows implements Counter {
  readonly #cells = new Map<string, Cell>()

  get size(): number {
    return this.#cells.size
  }

  take(partition: string, limit: WindowLimit, nowMs: number): number {
    const windowMs = windowMsOf(limit)
    const known = this.#cells.get(partition)
    const cell = known && nowMs < known.endMs ? known : { endMs: nowMs + windowMs, count: 0 }
    this.#cells.set(partition, cell)
    if (cell.count < limit.count) {
      cell.count++
      return 0
    }
    cell.endMs = nowMs + windowMs
    return windowMs
  }

  giveBack(partition: string): void {
    const cell = this.#cells.get(partition)
    if (cell !== undefined && cell.count > 0) cell.count--
  }
}

/** Tokens drip in evenly and never exceed `count`: what a fixed window is not. */
export class TokenBuckets implements Counter {
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>()

  get size(): number {
    return this.#buckets.size
  }

  take(partition: string, limit: WindowLimit, nowMs: number): number {
    const msPerToken = windowMsOf(limit) / limit.count
    const bucket = this.#buckets.get(partition) ?? { tokens: limit.count, atMs: nowMs }
    this.#buckets.set(partition, bucket)
    bucket.tokens = Math.min(limit.count, bucket.tokens + (nowMs - bucket.atMs) / msPerToken)
    bucket.atMs = nowMs
    if (bucket.tokens < 1) return (1 - bucket.tokens) * msPerToken
    bucket.tokens--
    return 0
  }

  giveBack(partition: string): void {
    const bucket = this.#buckets.get(partition)
    if (bucket !== undefined) bucket.tokens++
  }
}
