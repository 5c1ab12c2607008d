import type { Bucket } from '../../../contract/limits.ts'
import type { OperationName } from '../../../contract/operations.ts'
import {
  howToTell,
  isAssumed,
  limitOf,
  type EffectiveLimits,
} from '../../quota/effective-limits.ts'

/** A counter that load spends. */
export type SpentCounter = { readonly bucket: Bucket; readonly endpoint: OperationName }

/** Why load cannot be planned or judged: nothing says how large these windows are, and what is assumed is never asserted. */
export function unknownWindows(
  limits: EffectiveLimits,
  counters: readonly SpentCounter[],
): string | undefined {
  const unknown = counters.filter(({ bucket, endpoint }) =>
    isAssumed(limitOf(limits, bucket, endpoint)),
  )
  if (unknown.length === 0) return undefined
  const buckets = [...new Set(unknown.map(({ bucket }) => bucket))]
  const hints = buckets.map((bucket) => howToTell(bucket))
  return `how large the windows of ${buckets.join(' and ')} are is not known; ${hints.join('; ')}`
}
