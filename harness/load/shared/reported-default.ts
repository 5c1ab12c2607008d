import {
  DEFAULT_LIMITS,
  FALLING_BACK,
  type Bucket,
  type WindowLimit,
} from '../../../contract/limits.ts'
import type { RequirementId } from '../../../contract/requirements/index.ts'
import { isSameLimit, type EffectiveLimit } from '../../quota/effective-limits.ts'
import { plural } from '../../text.ts'
import type { Statement } from './statements.ts'

/** What says how large each default is. */
const DEFAULT_OF = {
  default: 'RATE-12',
  'orders.list': 'RATE-13',
  'orders.filtered': 'RATE-14',
  'orders.check': 'RATE-18',
  'orders.unhide.pending': 'UNHIDE-03',
  'orders.unhide.completed': 'UNHIDE-02',
} as const satisfies Partial<Record<Bucket, RequirementId>>

export type DefaultBucket = keyof typeof DEFAULT_OF

type Reported = Pick<EffectiveLimit, 'count' | 'windowSeconds' | 'isDefault'>

/**
 * A limit that was seen in force, although GET /rate-limits says that no rule is behind it: it is the interface's default then. Where
 * the target configures it, or does not say, nothing is stated.
 */
export function reportedDefault(
  bucket: DefaultBucket,
  limit: Reported,
  {
    name,
    globalDefault,
  }: { readonly name: string; readonly globalDefault: WindowLimit | undefined },
): Statement[] {
  if (!limit.isDefault) return []
  const wanted = DEFAULT_LIMITS[bucket]
  const fallback = globalDefault ?? DEFAULT_LIMITS.default
  if (FALLING_BACK.has(bucket) && !isSameLimit(limit, wanted) && isSameLimit(limit, fallback))
    return []
  const observed = `${name}: ${plural(limit.count, 'request')} in ${limit.windowSeconds} s are reported as the default, and so many passed`
  const verdict = isSameLimit(limit, wanted) ? 'pass' : 'warn'
  return [{ requirement: DEFAULT_OF[bucket], verdict, observed }]
}
