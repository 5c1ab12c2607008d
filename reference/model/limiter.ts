import type { Behaviour } from './behaviour.ts'
import { BUCKET_TITLES, type Bucket, type WindowLimit } from '../../contract/limits.ts'
import { HEADER, RETRY_AFTER_SECONDS } from '../../contract/wire.ts'
import type { FaultSet } from '../faults/faults.ts'
import { type Answer, Refusal, refusal } from '../http/answer.ts'
import { CODES } from '../http/status-codes.ts'
import type { ServiceClock, WindowPhase } from '../base/types.ts'
import type { VariantSet } from '../base/variants.ts'
import {
  type Counting,
  altered,
  countedBy,
  enforcedBy,
  isUnlimited,
  opensEarly,
  races,
  toldWaitMs,
} from './bucket-faults.ts'
import {
  type Counter,
  FixedWindows,
  ProlongedWindows,
  RestartedWindows,
  SlidingLog,
  TokenBuckets,
} from './counters.ts'

/** What a request counts in: requests of one group and one partition share a counter. */
export type Counted = {
  readonly bucket: Bucket
  /** The bucket. Each endpoint has a default bucket of its own. */
  readonly group: string
  readonly partition: string
}

/** Undoes one admission: a contended order consumes no quota. */
export type GiveBack = () => void

export type LimiterOptions = {
  readonly clock: ServiceClock
  readonly faults: FaultSet
  readonly variants: VariantSet
  readonly phase: WindowPhase
}

const LEAK_INTERVAL = 10

/** Only faults count otherwise than in fixed windows. */
type Counters = Readonly<Record<Counting, Counter>>

export class Limiter {
  readonly #clock: ServiceClock
  readonly #faults: FaultSet
  readonly #variants: VariantSet
  readonly #phase: WindowPhase
  readonly #originMs: number
  /** By what is counted; each counts per partition. */
  readonly #groups = new Map<string, Counters>()
  #refused = 0

  constructor({ clock, faults, variants, phase }: LimiterOptions) {
    this.#clock = clock
    this.#faults = faults
    this.#variants = variants
    this.#phase = phase
    // Monotonic time is shifted onto the epoch once: a wall clock that is set must not move a window.
    const epochOriginMs = clock.nowMs() - clock.wallMs()
    this.#originMs = phase === 'epoch' ? epochOriginMs : clock.nowMs()
  }

  /** Live counters. */
  get size(): number {
    const counters = this.#groups.values().flatMap((group) => Object.values(group))
    return counters.reduce((sum, counter) => sum + counter.size, 0)
  }

  /** Counts one request, or throws the 429 that refuses it. */
  admit(limit: WindowLimit, counted: Counted, nowMs: number): GiveBack {
    const counter = this.#counter(counted.group)
    const { partition } = counted
    const waitMs = counter.take(partition, this.#enforced(limit, counted), nowMs)
    const isRacing = races(this.#faults, counted, { isAdmitted: waitMs === 0, nowMs })
    if (waitMs > 0 && !isRacing && !this.#leaks(counted, waitMs))
      throw altered(this.#throttled(limit, counted, waitMs), this.#faults, counted.group)
    return () => counter.giveBack(partition, this.#clock.nowMs())
  }

  /** Gives one back that was taken before. */
  giveBack({ group, partition }: Pick<Counted, 'group' | 'partition'>, nowMs: number): void {
    this.#counter(group).giveBack(partition, nowMs)
  }

  /** Only a fault lets a request pass that its window refuses. */
  #leaks({ bucket, group }: Counted, waitMs: number): boolean {
    if (isUnlimited(this.#faults, bucket, group)) return true
    if (opensEarly(this.#faults, group, waitMs)) return true
    return this.#faults.has('window-leaks') && ++this.#refused % LEAK_INTERVAL === 0
  }

  #counter(group: string): Counter {
    const counters = this.#groups.get(group) ?? this.#newGroup(group)
    return counters[countedBy(this.#faults, group)]
  }

  #newGroup(group: string): Counters {
    const counters = {
      fixed: new FixedWindows(this.#phase, this.#originMs),
      sliding: new SlidingLog(),
      restarted: new RestartedWindows(),
      prolonged: new ProlongedWindows(),
      tokens: new TokenBuckets(),
    }
    this.#groups.set(group, counters)
    return counters
  }

  #enforced(limit: WindowLimit, { bucket, group }: Counted): WindowLimit {
    if (this.#faults.isEmpty) return limit
    if (this.#faults.has('window-count-plus-one')) return { ...limit, count: limit.count + 1 }
    if (this.#faults.has('window-count-minus-one'))
      return { ...limit, count: Math.max(0, limit.count - 1) }
    return enforcedBy(limit, this.#faults, [bucket, group])
  }

  #throttled(limit: WindowLimit, { bucket, group }: Counted, waitMs: number): Refusal {
    // The interface gives the check bucket's wait as its whole window, not as what is left of it.
    const { count, windowSeconds } = limit
    const isCheck = bucket === 'orders.check'
    const windows = isCheck && this.#faults.has('check-bucket-long-wait') ? 10 : 1
    const restMs = toldWaitMs(waitMs, this.#faults, group)
    const advisedMs = this.#advisedMs(isCheck, restMs, limit) * windows
    const named = this.#faults.has('check-bucket-unnamed') ? '' : `: ${BUCKET_TITLES[bucket]}`
    const message = this.#faults.has('check-bucket-message-generic')
      ? 'Too many requests. Check the Retry-After header.'
      : `Rate limit reached${named}, ${count} requests in ${windowSeconds} seconds.`
    const retryAfter = retryAfterOf(this.#faults, this.#clock, advisedMs)
    const refused = limitReached(this.#faults, message, retryAfter)
    return isCheck && this.#faults.has('check-bucket-status-code')
      ? new Refusal({ ...refused.answer, statusCode: CODES.apiKeyLimitExceeded })
      : refused
  }

  /** The wait that the service or a variant of it advises. */
  #advisedMs(isCheck: boolean, waitMs: number, { windowSeconds }: WindowLimit): number {
    const variants = this.#variants
    const windowMs = windowSeconds * 1000
    // Never too early, where a longer window is configured.
    if (isCheck && variants.has('check-wait-literal'))
      return Math.max(1000 * RETRY_AFTER_SECONDS.checkBucket, windowMs)
    if (variants.has('retry-after-constant')) return windowMs
    if (isCheck && variants.has('check-wait-rounded-up')) return windowMs + 1000
    // The interface gives the check bucket's wait as its whole window: it may be what is left, and no more than rounding adds.
    if (isCheck) return variants.has('check-wait-is-rest') ? waitMs : windowMs
    return variants.has('retry-after-generous') ? waitMs + 2000 : waitMs
  }
}

/** The text of a Retry-After for a wait: whole seconds, never less than the wait. */
function retryAfterOf(faults: FaultSet, clock: ServiceClock, waitMs: number): string {
  if (faults.has('retry-after-http-date')) return new Date(clock.wallMs() + waitMs).toUTCString()
  if (faults.has('retry-after-always-one')) return '1'
  if (faults.has('retry-after-rounded-down')) return String(Math.floor(waitMs / 1000))
  if (faults.has('retry-after-milliseconds')) return String(Math.ceil(waitMs))
  if (faults.has('retry-after-fractional')) return (waitMs / 1000).toFixed(3)
  return String(Math.max(1, Math.ceil(waitMs / 1000)))
}

/** HTTP 429, LIMIT_REACHED. */
export function limitReached(faults: FaultSet, message: string, retryAfter: string): Refusal {
  const headers: Answer['headers'] = faults.has('retry-after-missing')
    ? []
    : [[HEADER.retryAfter, retryAfter]]
  const statusCode = faults.has('throttle-status-code')
    ? CODES.apiKeyLimitExceeded
    : CODES.limitReached
  const httpStatus = faults.has('throttle-answers-503') ? 503 : 429
  const more = { errorCode: 'limit_reached', headers }
  return refusal(httpStatus, statusCode, message, more)
}

/** The 429 of an order that met another one of its key. */
export function contended({ faults, variants }: Behaviour): Refusal {
  const message =
    'Another order on this key is being created. The order was not created; try again.'
  if (faults.has('contention-bad-gateway'))
    return refusal(502, CODES.upstreamError, message, { errorCode: 'contention' })
  if (faults.has('contention-answers-409'))
    return refusal(409, CODES.limitReached, message, { errorCode: 'contention' })
  const legalSeconds = variants.has('contention-wait-two')
    ? 2
    : RETRY_AFTER_SECONDS.contentionTypical
  const seconds = faults.has('contention-long-wait') ? 5 : legalSeconds
  const headers: Answer['headers'] = faults.has('contention-without-retry-after')
    ? []
    : [[HEADER.retryAfter, String(seconds)]]
  return refusal(429, CODES.limitReached, message, { errorCode: 'contention', headers })
}
