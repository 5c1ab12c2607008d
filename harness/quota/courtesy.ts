import { isPurchase } from '../../contract/operations.ts'
import type { Bucket, WindowLimit } from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import { STATUS_CODE } from '../../contract/wire.ts'
import type { Call, Pacer } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'
import { retryAfterSeconds } from '../client/headers.ts'
import type { Clock } from '../clock.ts'

/** Not sent, for the target's sake: the check becomes untested with this reason. */
export class Withheld extends Error {
  override readonly name = 'Withheld'
}

/** Why a run leaves windows alone. */
export const GENTLE_REASON =
  'it would spend a quarter of a window or more; --allow-load permits that on a target that is no sandbox and not on loopback'

/** A run that is not permitted load stays below this part of each window: others of the account need the rest. */
const SHARE = 4

/** The most requests of one window that are below a quarter of it. */
export function shareOf({ count }: WindowLimit): number {
  return Math.max(0, Math.ceil(count / SHARE) - 1)
}

type Limits = (bucket: Bucket, operation?: OperationName) => WindowLimit

/** Limits of a run that stays below a quarter of each window. Of an order of its own it takes one look a window. */
export function gentleLimits(limit: Limits): Limits {
  return (bucket, operation) => {
    const own = limit(bucket, operation)
    if (!bucket.startsWith('orders.unhide')) return { ...own, count: shareOf(own) }
    const { windowSeconds } = limit('orders.unhide.completed')
    return { count: 1, windowSeconds: Math.max(own.windowSeconds, windowSeconds) }
  }
}

/** So many server errors or lost answers in a row are distress; so many pauses that did not help are enough. */
const DISTRESS_MIN = 5
const PAUSES_MAX = 3
const PAUSE_SECONDS = 5
const BACK_OFF_SECONDS_MAX = 180
/** Purchases that overlap may be refused for about a second: nobody else's doing. */
const CONTENTION_SECONDS_MAX = 2

export type CourtesyOptions = {
  readonly clock: Clock
  /** Most requests that the checks send. */
  readonly requestsMax?: number | undefined
  /** Whether 429 and distress are backed off from. */
  readonly isGentle: boolean
  readonly onHazard: (text: string) => void
  /** The run had better end. */
  readonly onStop: (reason: string) => void
}

/** Keeps a run within a number of requests, and lets it wait when the target shows that it has too much to do. */
export class Courtesy implements Pacer {
  readonly #inner: Pacer
  readonly #options: CourtesyOptions
  #sent = 0
  #resumeAtMs = 0
  #failuresInRow = 0
  #pauses = 0
  #isTold = false

  constructor(inner: Pacer, options: CourtesyOptions) {
    this.#inner = inner
    this.#options = options
  }

  admit(call: Call, signal?: AbortSignal): Promise<void> | undefined {
    const { clock, requestsMax = Infinity } = this.#options
    if (this.#sent >= requestsMax)
      throw new Withheld(
        `the profile read-only sends no more than ${requestsMax} requests (--allow-load permits more)`,
      )
    this.#sent += 1
    if (clock.nowMs() >= this.#resumeAtMs) return this.#inner.admit(call, signal)
    return this.#wait(call, signal)
  }

  settle(call: Call, exchange: Exchange, confirmed?: Promise<void>): void {
    this.#inner.settle(call, exchange, confirmed)
    if (!this.#options.isGentle) return
    const status = exchange.response?.status ?? 0
    if (status === 429) this.#refused(call, exchange)
    if (isDistress(exchange)) this.#failed()
    else if (status > 0) this.#failuresInRow = this.#pauses = 0
  }

  async #wait(call: Call, signal?: AbortSignal): Promise<void> {
    const { clock } = this.#options
    while (clock.nowMs() < this.#resumeAtMs)
      await clock.sleep(this.#resumeAtMs - clock.nowMs(), signal)
    await this.#inner.admit(call, signal)
  }

  /** Below a quarter of its windows the run caused no refusal itself. */
  #refused({ operation, products = [] }: Call, exchange: Exchange): void {
    // The target file sells it for the limit of the shop service.
    if (products.includes('voucher-upstream-limited')) return

    const seconds = Math.min(retryAfterSeconds(exchange) ?? 1, BACK_OFF_SECONDS_MAX)
    if (isPurchase(operation) && seconds <= CONTENTION_SECONDS_MAX) return
    this.#pause(seconds)
    if (this.#isTold) return
    this.#isTold = true
    this.#options.onHazard(
      `The target answered 429 to ${operation} although the run stays below a quarter of each window. Others use the account, or its windows are smaller than known. The run waits as long as Retry-After says.`,
    )
  }

  #failed(): void {
    this.#failuresInRow += 1
    if (this.#failuresInRow < DISTRESS_MIN) return
    this.#failuresInRow = 0
    this.#pauses += 1
    const what = `${DISTRESS_MIN} answers in a row were server errors or did not come`
    if (this.#pauses > PAUSES_MAX) {
      this.#options.onStop(`the target seems overloaded: ${what}, ${this.#pauses} times`)
      return
    }
    const seconds = PAUSE_SECONDS * 2 ** (this.#pauses - 1)
    this.#pause(seconds)
    this.#options.onHazard(`The target seems overloaded: ${what}. The run paused for ${seconds} s.`)
  }

  #pause(seconds: number): void {
    this.#resumeAtMs = Math.max(this.#resumeAtMs, this.#options.clock.nowMs() + 1000 * seconds)
  }
}

/** A provider that does not answer a check of a top-up is none of the target's trouble, nor is a client that went away. */
function isDistress({ response, json, error }: Exchange): boolean {
  if (!response) return error !== undefined && error.code !== 'ABANDONED'
  const { statusCode } = (json ?? {}) as { statusCode?: unknown }
  return response.status >= 500 && statusCode !== STATUS_CODE.providerUnavailable
}
