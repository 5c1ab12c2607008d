import type { ProductAbility } from '../../contract/capabilities.ts'
import {
  DEFAULT_LIMITS,
  OWN_LIMITS,
  type Bucket,
  type LimitName,
  type WindowLimit,
} from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import {
  isSizeKnown,
  limitOf,
  type EffectiveLimit,
  type EffectiveLimits,
} from '../quota/effective-limits.ts'
import type { Target } from '../target-file/target.ts'

/**
 * What a check waits for, as it declares it before it runs: the longest that it waits where the target keeps what it states and the
 * first try decides. The waits of one check follow one another.
 */
export type Wait = WindowWait | RoomWait | OrderWait | QuoteWait | PauseWait

/** Windows of the longest of these buckets. */
export type WindowWait = {
  readonly windows: number
  readonly of: readonly Bucket[]
  /** Length of the window where the check makes an account with limits of its own, seconds. */
  readonly ownSeconds?: number
  /** Its own window is made longer where orders of this product take long. */
  readonly ownCovers?: ProductAbility
  /** Only where accounts are shared: what others spent has to leave the window first. */
  readonly onlyShared?: true
  /** Only where the budget is smaller than this. */
  readonly below?: number
  /** Only where nothing says how large the window is: of this endpoint, for the bucket `default`. */
  readonly onlyIfUnknown?: OperationName
  /** Only where the window is no longer than this. */
  readonly upToSeconds?: number
  /** A purchase is sent again after it: not before the time that the target is given for that. */
  readonly beforeReplay?: true
}

/**
 * Requests on POST /orders: more than its budget take more than one window. To be declared where their number does not follow from
 * what was measured.
 */
export type RoomWait = { readonly requests: number }

/** Orders that finish one after the other. */
export type OrderWait = { readonly orders: number; readonly product: ProductAbility }

/** Quotes of gifts that expire one after the other, where the target file says how long they live and that is no longer than this. */
export type QuoteWait = { readonly quotes: number; readonly upToSeconds: number }

export type PauseWait = {
  readonly seconds: number
  readonly reason: string
  /** Only where this bucket has the interface's default. */
  readonly onlyDefault?: Bucket
}

/** What the length of a wait depends on. */
export type Circumstances = {
  readonly target: Pick<Target, 'products' | 'replayAfterSeconds'>
  readonly limits: EffectiveLimits
  readonly slackMs: number
  /** Every check has accounts of its own. */
  readonly isFresh: boolean
  /** Accounts with limits of a check's own choice can be made. */
  readonly makesAccounts: boolean
}

/** One link of a chain: what is waited for, and how long. */
export type Link = {
  readonly text: string
  readonly seconds: number
  /** Windows of the target among it. */
  readonly windows: number
}

/** Added to a window before what it counted is taken to count no more. */
const WINDOW_MARGIN_SECONDS = 0.25
/** Where the target file states no time in which an order is complete; the interface gives eSIMs about ten minutes. What is not listed is complete at once. */
const COMPLETION_SECONDS: Readonly<Partial<Record<ProductAbility, number>>> = {
  'voucher-async': 120,
  'voucher-partial': 120,
  'voucher-cancelled': 120,
  'voucher-long': 120,
  esim: 600,
  'esim-raw': 600,
  'platform-gift': 120,
}
/** An order that has finished is seen a poll later: 15 s at most, as the interface advises, and never rarer than this share of its time. */
const POLL = { secondsMin: 1, secondsMax: 15, share: 0.25 } as const

/** A quarter of the time that an order takes: polls come five times as often. */
const COVERED_SHARE = 0.25

/** The links of declared waits under these circumstances: a chain, each link after the one before. */
export function chainOf(waits: readonly Wait[], given: Circumstances): Link[] {
  return waits.flatMap((wait) => linkOf(wait, given) ?? [])
}

export function secondsOf(chain: readonly Link[]): number {
  return chain.reduce((sum, { seconds }) => sum + seconds, 0)
}

function linkOf(wait: Wait, given: Circumstances): Link | undefined {
  if ('windows' in wait) return windowLink(wait, given)
  if ('requests' in wait)
    return roomLink(wait, given, limitOf(given.limits, 'default', 'createOrder'))
  if ('orders' in wait) return orderLink(wait, given)
  if ('quotes' in wait) return quoteLink(wait, given)
  const { onlyDefault, reason: text, seconds } = wait
  if (onlyDefault !== undefined && !isDefault(onlyDefault, given)) return undefined
  return { text, seconds, windows: 0 }
}

function windowLink(wait: WindowWait, given: Circumstances): Link | undefined {
  const { limits, isFresh, makesAccounts } = given
  const [limit] = wait.of
    .flatMap((bucket) => namedLimits(limits, bucket))
    .toSorted((a, b) => b.windowSeconds - a.windowSeconds)
  if (limit === undefined || (wait.onlyShared && isFresh)) return undefined
  if (limit.count >= (wait.below ?? Infinity)) return undefined
  if (wait.onlyIfUnknown !== undefined && areSizesKnown(wait.of, wait.onlyIfUnknown, limits))
    return undefined
  if (limit.windowSeconds > (wait.upToSeconds ?? Infinity)) return undefined
  if (wait.ownSeconds !== undefined && makesAccounts) {
    const ownSeconds = wait.ownCovers
      ? coveringSeconds(given.target, wait.ownCovers, wait.ownSeconds)
      : wait.ownSeconds
    return {
      text: `${windowsText(wait.windows, ownSeconds)} of an account of its own`,
      seconds: windowsSeconds(wait.windows, ownSeconds, given),
      windows: 0,
    }
  }
  const seconds = windowsSeconds(wait.windows, limit.windowSeconds, given)
  const { replayAfterSeconds = 0 } = wait.beforeReplay ? given.target : {}
  if (replayAfterSeconds > seconds)
    return { text: 'the time before a replay', seconds: replayAfterSeconds, windows: 0 }
  return {
    text: `${windowsText(wait.windows, limit.windowSeconds)} of ${limit.name}`,
    seconds,
    windows: wait.windows,
  }
}

function areSizesKnown(
  buckets: readonly Bucket[],
  operation: OperationName,
  limits: EffectiveLimits,
): boolean {
  return buckets.every((bucket) => isSizeKnown(limitOf(limits, bucket, operation)))
}

/** A bucket's limit; of the default one also those that single endpoints have instead: which of them a check waits for is not told. */
function namedLimits(
  limits: EffectiveLimits,
  bucket: Bucket,
): (EffectiveLimit & { readonly name: string })[] {
  const names: readonly LimitName[] = bucket === 'default' ? [bucket, ...OWN_LIMITS] : [bucket]
  return names.flatMap((name) => {
    const limit = limits[name]
    return limit ? [{ ...limit, name }] : []
  })
}

/** A window long beside the gap between two polls of such an order, as far as the target file says how long it takes. */
export function coveringSeconds(
  { products }: Pick<Target, 'products'>,
  product: ProductAbility,
  secondsMin: number,
): number {
  return Math.max(
    secondsMin,
    Math.ceil((products[product]?.completesWithinSeconds ?? 0) * COVERED_SHARE),
  )
}

/** Requests beyond the budget of a bucket wait for its next windows. */
export function roomLink(
  { requests }: RoomWait,
  given: Circumstances,
  { count, windowSeconds }: WindowLimit,
  name = 'default',
): Link | undefined {
  const windows = Math.floor((requests - 1) / count)
  if (windows === 0) return undefined
  return {
    text: `${windowsText(windows, windowSeconds)} of ${name} for ${requests} requests, ${count} each`,
    seconds: windowsSeconds(windows, windowSeconds, given),
    windows,
  }
}

function windowsSeconds(
  windows: number,
  windowSeconds: number,
  { slackMs }: Circumstances,
): number {
  return windows * (windowSeconds + Math.max(WINDOW_MARGIN_SECONDS, (2 * slackMs) / 1000))
}

function windowsText(windows: number, windowSeconds: number): string {
  return `${windows} ${windows === 1 ? 'window' : 'windows'} of ${windowSeconds} s`
}

function orderLink({ orders, product }: OrderWait, { target }: Circumstances): Link | undefined {
  const seconds = target.products[product]?.completesWithinSeconds ?? COMPLETION_SECONDS[product]
  if (seconds === undefined) return undefined
  const poll = Math.min(POLL.secondsMax, Math.max(POLL.secondsMin, POLL.share * seconds))
  const what = orders === 1 ? 'an order' : `${orders} orders`
  return {
    text: `${what} of the product ${product} to finish`,
    seconds: orders * (seconds + poll),
    windows: 0,
  }
}

/** Added to the life of a quote, because clocks differ. */
export const QUOTE_MARGIN_SECONDS = 1

function quoteLink(
  { quotes, upToSeconds }: QuoteWait,
  { target, slackMs }: Circumstances,
): Link | undefined {
  const { quoteSeconds } = target.products['platform-gift'] ?? {}
  if (quoteSeconds === undefined || quoteSeconds > upToSeconds) return undefined
  const seconds = quotes * (quoteSeconds + QUOTE_MARGIN_SECONDS + slackMs / 1000)
  return { text: `a quoteToken to expire after ${quoteSeconds} s`, seconds, windows: 0 }
}

function isDefault(bucket: Bucket, { limits }: Circumstances): boolean {
  const { count, windowSeconds } = DEFAULT_LIMITS[bucket]
  return limits[bucket].count === count && limits[bucket].windowSeconds === windowSeconds
}
