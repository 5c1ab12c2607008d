import {
  BUCKETS,
  DEFAULT_LIMITS,
  OWN_LIMITS,
  type Bucket,
  type LimitName,
  type OwnLimit,
  type WindowLimit,
} from '../../contract/limits.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Exchange } from '../client/exchange.ts'
import { secondsIn } from '../target-file/seconds.ts'
import { selectOne } from '../target-file/select.ts'
import type { Target } from '../target-file/target.ts'

/** The limit a run reckons with, and where it was learned. */
export type EffectiveLimit = WindowLimit & {
  /** `default`: nothing says it, the interface's default is assumed. */
  readonly source: 'rate-limits' | 'target file' | 'default'
  /** GET /rate-limits says that no rule is behind it. */
  readonly isDefault?: true
  /** It is the default of all endpoints, and of this one nothing is known: it may be tighter or looser. */
  readonly isGeneral?: true
}

/** By bucket, and by endpoint where its own limit is reported or stated. */
export type EffectiveLimits = Readonly<Record<Bucket, EffectiveLimit>> &
  Readonly<Partial<Record<OwnLimit, EffectiveLimit>>>

/** Effective limits: as GET /rate-limits reports them, else as the target file states, else the interface's defaults. */
export function effectiveLimits(target: Target, reported?: Exchange): EffectiveLimits {
  const buckets = BUCKETS.map((bucket): [Bucket, EffectiveLimit] => [
    bucket,
    knownLimit(target, bucket, reported) ?? { ...DEFAULT_LIMITS[bucket], source: 'default' },
  ])
  const own = OWN_LIMITS.flatMap((name): [OwnLimit, EffectiveLimit][] => {
    const known = knownLimit(target, name, reported)
    return known ? [[name, known]] : []
  })
  return {
    ...(Object.fromEntries(buckets) as Record<Bucket, EffectiveLimit>),
    ...(Object.fromEntries(own) as Partial<Record<OwnLimit, EffectiveLimit>>),
  }
}

/** The limit of one counter: that of its endpoint where it is known, else that of its bucket. */
export function limitOf<T extends WindowLimit>(
  limits: Readonly<Record<Bucket, T>> & Readonly<Partial<Record<OwnLimit, T>>>,
  bucket: Bucket,
  operation?: OperationName,
): T & { readonly isGeneral?: true } {
  if (bucket !== 'default' || operation === undefined) return limits[bucket]
  const own = limits[`operations.${operation}` as OwnLimit]
  return own ?? { ...limits.default, isGeneral: true }
}

/** Whether a verdict may rest on the size: neither assumed, nor that of other endpoints. */
export function isSizeKnown({
  source,
  isGeneral,
}: Pick<EffectiveLimit, 'source' | 'isGeneral'>): boolean {
  return source !== 'default' && !isGeneral
}

/** Whether nothing at all says it: neither of this counter nor of all endpoints. */
export function isAssumed({ source }: Pick<EffectiveLimit, 'source'>): boolean {
  return source === 'default'
}

/** What the target file can say so that the size of a counter is known. */
export function howToTell(bucket: Bucket, operation?: OperationName): string {
  const name = bucket === 'default' && operation ? `operations.${operation}` : bucket
  const selectors = ['count', 'windowSeconds'].map((value) => `"${name}.${value}"`).join(' and ')
  return `add the selectors ${selectors} to operations.rateLimits.selectors, or state limits["${name}"]`
}

function knownLimit(
  target: Target,
  name: LimitName,
  reported: Exchange | undefined,
): EffectiveLimit | undefined {
  const read = reported && reportedLimit(target, reported, name)
  if (read && isReportedDefault(target, reported, name))
    return { ...read, source: 'rate-limits', isDefault: true }
  if (read) return { ...read, source: 'rate-limits' }
  const stated = target.limits[name]
  return stated && { ...stated, source: 'target file' }
}

/** A week. Whoever believed in longer windows would wait for them without end. */
const WINDOW_SECONDS_MAX = 7 * 24 * 3600

/** What GET /rate-limits says of one limit; undefined where the target file gives no selector or nothing usable is there. */
export function reportedLimit(
  target: Target,
  exchange: Exchange,
  name: LimitName,
): WindowLimit | undefined {
  if (exchange.response?.status !== 200) return undefined
  const { selectors, windowUnit } = target.operations.rateLimits
  const count = numberIn(read(selectors[`${name}.count`], exchange.json))
  const windowSeconds = secondsIn(
    read(selectors[`${name}.windowSeconds`], exchange.json),
    windowUnit,
  )
  if (count === undefined || windowSeconds === undefined) return undefined
  const isUsable = windowSeconds > 0 && windowSeconds <= WINDOW_SECONDS_MAX
  return Number.isInteger(count) && count >= 1 && isUsable ? { count, windowSeconds } : undefined
}

function isReportedDefault(target: Target, { json }: Exchange, name: LimitName): boolean {
  const selector = target.operations.rateLimits.selectors[`${name}.source`]
  return selector !== undefined && selectOne(selector, json) === 'default'
}

function read(selector: string | undefined, json: unknown): unknown {
  return selector === undefined ? undefined : selectOne(selector, json)
}

/** A number, or a number as text: which of them /rate-limits gives is not shown. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{1,9}(\.\d{1,3})?$/.test(value)) return Number(value)
  return typeof value === 'number' ? value : undefined
}

export function isSameLimit(a: WindowLimit, b: WindowLimit): boolean {
  return a.count === b.count && a.windowSeconds === b.windowSeconds
}
