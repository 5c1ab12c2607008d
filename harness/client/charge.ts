import type { Clock } from '../clock.ts'
import type { PurchaseGuard } from '../purchases/purchase-guard.ts'
import type { Purchase } from '../purchases/purchase.ts'
import type { Exchange } from './exchange.ts'
import { retryAfterSeconds } from './headers.ts'

/** What it takes to find out what a purchase was charged. */
export type ChargeReading = {
  readonly guard: PurchaseGuard
  readonly purchases: readonly Purchase[]
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
  readonly patienceSeconds: number
  /** Reads the orders of the reference; the guard hears of them. A 429 is given back. */
  look(): Promise<Exchange>
  /** Sends the purchase again under its reference; the guard hears of the answer. */
  replay(): Promise<Exchange>
}

const REPLAYS_MAX = 3
/** As for every other request: a window of more than three minutes is not waited out, nor one that refuses again and again. */
export const REFUSED_SECONDS_MAX = 180
export const REFUSALS_MAX = 6
export const RETRY_MARGIN_MS = 60
/** Pauses between two readings. No promise is waited for longer than a part of the time that there is. */
const PAUSE_SECONDS = { min: 0.25, max: 15, share: 0.05, shareMax: 0.25 } as const

/**
 * Waits until the first purchase of a product has finished and its price was read, while no other purchase may be made. A lost answer is
 * settled by a replay. What cannot be found out closes the product to further purchases. Never rejects.
 */
export async function confirmCharge(given: ChargeReading): Promise<void> {
  const { guard, purchases, clock, signal, patienceSeconds } = given
  const patience = { untilMs: clock.nowMs() + 1000 * patienceSeconds }
  const gaveUp = new AbortController()
  const ending = signal ? AbortSignal.any([signal, gaveUp.signal]) : gaveUp.signal
  try {
    // A counter that another check holds may keep the readings waiting for longer than anybody should.
    await Promise.race([readCharge(given, patience, ending), endOf(patience, clock, ending)])
  } catch (cause) {
    if (!signal?.aborted) closeTo(guard, purchases, (cause as Error).message)
  } finally {
    gaveUp.abort(new Error('the price was read, or waited for long enough'))
  }
  closeTo(
    guard,
    purchases,
    `no final price of its first purchase was read within ${patienceSeconds} s and the waits for windows (how long orders may take: products.NAME.completesWithinSeconds; reads may wait for their window too)`,
  )
}

/**
 * How long the price is waited for. What a 429 asks to wait is added, and what a reading waits for its window before it leaves: an order
 * may finish long before its window has room.
 */
type Patience = { untilMs: number }

async function endOf(patience: Patience, clock: Clock, ending: AbortSignal): Promise<void> {
  while (!ending.aborted && patience.untilMs > clock.nowMs())
    await clock.sleep(patience.untilMs - clock.nowMs(), ending).catch(() => {})
}

async function readCharge(
  given: ChargeReading,
  patience: Patience,
  ending: AbortSignal,
): Promise<void> {
  const { guard, purchases, clock, patienceSeconds } = given
  const pauseSeconds = Math.min(
    PAUSE_SECONDS.max,
    Math.max(PAUSE_SECONDS.min, patienceSeconds * PAUSE_SECONDS.share),
  )
  let replays = 0
  let refusals = 0
  let queueMs = 1000 * REFUSED_SECONDS_MAX
  for (;;) {
    if (isKnown(guard, purchases) || guard.overcharge || ending.aborted) return
    if (clock.nowMs() >= patience.untilMs) return
    const isReplayed = purchases.some((each) => guard.isLost(each) || guard.isFinished(each))
    if (isReplayed && replays === REPLAYS_MAX) return
    if (isReplayed) replays += 1
    const askedAtMs = clock.nowMs()
    patience.untilMs += queueMs
    const exchange = await (isReplayed ? given.replay() : given.look())
    const unusedMs = Math.max(0, queueMs - (exchange.sentAtMs - askedAtMs))
    patience.untilMs -= unusedMs
    queueMs = unusedMs
    if (isKnown(guard, purchases) || guard.overcharge) return
    if (!isReplayed && purchases.every((each) => guard.isFinished(each))) continue
    const told = retryAfterSeconds(exchange) ?? pauseSeconds
    if (exchange.response?.status === 429) {
      refusals += 1
      if (told > REFUSED_SECONDS_MAX || refusals > REFUSALS_MAX) return
      const waitMs = 1000 * told + RETRY_MARGIN_MS
      patience.untilMs += waitMs
      await clock.sleep(waitMs, ending)
      continue
    }
    const longest = Math.min(PAUSE_SECONDS.max, patienceSeconds * PAUSE_SECONDS.shareMax)
    await clock.sleep(1000 * Math.min(told, longest), ending)
  }
}

function isKnown(guard: PurchaseGuard, purchases: readonly Purchase[]): boolean {
  return purchases.every(({ product }) => guard.prices.isConfirmed(product))
}

function closeTo(guard: PurchaseGuard, purchases: readonly Purchase[], why: string): void {
  for (const { product, reference } of purchases)
    if (product !== undefined && !guard.prices.isConfirmed(product))
      guard.prices.cannotTell(
        product,
        `the price of the product ${product} is not confirmed (reference ${reference}): ${why}`,
      )
}
