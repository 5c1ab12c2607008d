/** How variants count and limit. */
import { DEFAULT_LIMITS, type WindowLimit } from '../../contract/limits.ts'
import type { Answer } from '../http/answer.ts'
import type { ConfigurableBucket, LimitRules, WindowPhase } from '../base/types.ts'
import type { VariantSet } from '../base/variants.ts'

const CONFIGURABLE = [
  'default',
  'orders.check',
  'orders.list',
  'orders.filtered',
  'orders.unhide.pending',
  'orders.unhide.completed',
] as const satisfies readonly ConfigurableBucket[]

/** The rules of the service as the variants have them. */
export function rulesOf(rules: LimitRules, variants: VariantSet): LimitRules {
  const limit = (bucket: ConfigurableBucket): WindowLimit => rules[bucket] ?? DEFAULT_LIMITS[bucket]
  if (variants.has('limits-larger'))
    return Object.fromEntries(
      CONFIGURABLE.map((bucket) => [bucket, larger(limit(bucket))]),
    ) as LimitRules
  // Without rules these two fall back to the global default (GET /orders, rule 1).
  if (variants.has('listing-rules-absent'))
    return { ...rules, 'orders.list': null, 'orders.filtered': null }
  if (variants.has('services-window-tighter'))
    return { ...rules, 'operations.listServices': tighter(limit('default')) }
  if (variants.has('carts-window-tighter'))
    return { ...rules, 'operations.createCart': { ...limit('default'), count: 6 } }
  if (variants.has('services-window-looser'))
    return { ...rules, 'operations.listServices': looser(limit('default')) }
  if (variants.has('checks-counted-twice-tighter'))
    return { ...rules, 'operations.createOrder': belowChecks(limit('orders.check')) }
  if (variants.has('checks-counted-twice-briefly'))
    return { ...rules, 'operations.createOrder': briefly(limit('orders.check')) }
  if (variants.has('limits-small')) return smaller(rules)
  if (variants.has('windows-all-unequal'))
    return Object.fromEntries(
      CONFIGURABLE.map((bucket, index) => [bucket, stretched(limit(bucket), index)]),
    ) as LimitRules
  if (variants.has('completed-budget-larger'))
    return {
      ...rules,
      'orders.unhide.pending': { ...limit('orders.unhide.pending'), count: 2 },
      'orders.unhide.completed': { ...limit('orders.unhide.completed'), count: 5 },
    }
  if (!variants.has('windows-unequal')) return rules
  const pending = limit('orders.unhide.pending')
  return {
    ...rules,
    'orders.unhide.pending': { ...pending, windowSeconds: pending.windowSeconds * 1.5 },
    'orders.unhide.completed': { ...limit('orders.unhide.completed'), count: 2 },
  }
}

/** One endpoint has a window of its own, of another length too. */
function tighter({ count, windowSeconds }: WindowLimit): WindowLimit {
  return { count: Math.ceil(count * 0.3), windowSeconds: windowSeconds * 1.5 }
}

function looser({ count, windowSeconds }: WindowLimit): WindowLimit {
  return { count: count * 2, windowSeconds: windowSeconds * 0.75 }
}

/** Where the check bucket is small, purchases still have room. */
function belowChecks({ count, windowSeconds }: WindowLimit): WindowLimit {
  return { count: Math.max(20, Math.floor(count * 0.75)), windowSeconds }
}

/** Too few for a burst of checks, and enough that the check bucket is used up too. */
function briefly({ count, windowSeconds }: WindowLimit): WindowLimit {
  return { count: Math.ceil(count * 0.8), windowSeconds: windowSeconds / 2 }
}

function larger({ count, windowSeconds }: WindowLimit): WindowLimit {
  return { count: Math.ceil(count * 1.5), windowSeconds }
}

const SMALL_COUNTS = {
  default: 20,
  'orders.check': 4,
  'orders.list': 1,
  'orders.filtered': 5,
  'orders.unhide.pending': 3,
  'orders.unhide.completed': 1,
} as const satisfies Record<ConfigurableBucket, number>

function smaller(rules: LimitRules): LimitRules {
  const entries = CONFIGURABLE.map((bucket) => {
    const { windowSeconds } = rules[bucket] ?? DEFAULT_LIMITS[bucket]
    return [bucket, { count: SMALL_COUNTS[bucket], windowSeconds }]
  })
  return Object.fromEntries(entries) as LimitRules
}

/** Each bucket has a window of its own length. */
function stretched({ count, windowSeconds }: WindowLimit, index: number): WindowLimit {
  return { count, windowSeconds: (windowSeconds * (2 + index)) / 2 }
}

export function phaseOf(variants: VariantSet): WindowPhase | undefined {
  if (variants.has('windows-by-start')) return 'start'
  if (variants.has('windows-by-counter')) return 'counter'
  return variants.has('windows-by-first-request') ? 'first-request' : undefined
}

/** Whether a refusal after the window gives back what the window counted: a contended order consumes no quota. */
export function isUncounted({ httpStatus, errorCode }: Answer, variants: VariantSet): boolean {
  if (errorCode === 'contention') return !variants.has('contention-counted')
  if (httpStatus === 415 && variants.has('media-type-uncounted')) return true
  return variants.has('refusals-uncounted')
}
