import { BUCKETS, DEFAULT_LIMITS, type Bucket, type WindowLimit } from '../../contract/limits.ts'
import type { Exchange } from '../client/exchange.ts'
import { selectOne } from '../target/select.ts'
import type { Target } from '../target/target.ts'

/** The limit a run reckons with, and where it was learned. */
export type EffectiveLimit = WindowLimit & {
  readonly source: 'rate-limits' | 'target file' | 'default'
  /** GET /rate-limits says that no rule is behind it. */
  readonly isDefault?: true
}
export type EffectiveLimits = Readonly<Record<Bucket, EffectiveLimit>>

/** Effective limits: as GET /rate-limits reports them, else as the target file states, else the interface's defaults. */
export function effectiveLimits(target: Target, reported?: Exchange): EffectiveLimits {
  const entries = BUCKETS.map((bucket): [Bucket, EffectiveLimit] => {
    const read = reported && reportedLimit(target, reported, bucket)
    if (read && isReportedDefault(target, reported, bucket))
      return [bucket, { ...read, source: 'rate-limits', isDefault: true }]
    if (read) return [bucket, { ...read, source: 'rate-limits' }]
    const stated = target.limits[bucket]
    if (stated) return [bucket, { ...stated, source: 'target file' }]
    return [bucket, { ...DEFAULT_LIMITS[bucket], source: 'default' }]
  })
  return Object.fromEntries(entries) as Record<Bucket, EffectiveLimit>
}

/** What GET /rate-limits says of one bucket; undefined where the target file gives no selector or nothing usable is there. */
export function reportedLimit(
  target: Target,
  exchange: Exchange,
  bucket: Bucket,
): WindowLimit | undefined {
  if (exchange.response?.status !== 200) return undefined
  const { selectors } = target.operations.rateLimits
  const count = read(selectors[`${bucket}.count`], exchange.json)
  const windowSeconds = read(selectors[`${bucket}.windowSeconds`], exchange.json)
  if (count === undefined || windowSeconds === undefined) return undefined
  return Number.isInteger(count) && count >= 1 && windowSeconds > 0
    ? { count, windowSeconds }
    : undefined
}

function isReportedDefault(target: Target, { json }: Exchange, bucket: Bucket): boolean {
  const selector = target.operations.rateLimits.selectors[`${bucket}.source`]
  return selector !== undefined && selectOne(selector, json) === 'default'
}

/** A number, or a number as text: which of them /rate-limits gives is not shown. */
function read(selector: string | undefined, json: unknown): number | undefined {
  const value = selector === undefined ? undefined : selectOne(selector, json)
  if (typeof value === 'string' && /^\d{1,9}(\.\d{1,3})?$/.test(value)) return Number(value)
  return typeof value === 'number' ? value : undefined
}

export function isSameLimit(a: WindowLimit, b: WindowLimit): boolean {
  return a.count === b.count && a.windowSeconds === b.windowSeconds
}
