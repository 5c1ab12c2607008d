/** From configured rules to the limits in force (interface, Limits). */
import { BUCKET_TITLES, DEFAULT_LIMITS, LIMIT_NAMES, OWN_LIMITS } from '../../contract/limits.ts'
import type { LimitName, OwnLimit, WindowLimit } from '../../contract/limits.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
import type { ConfigurableBucket, LimitRules } from '../base/types.ts'

export type EffectiveLimit = WindowLimit & { readonly source: 'rule' | 'default' }
export type EffectiveLimits = Readonly<Record<LimitName, EffectiveLimit>>

/** Rules that a service has from the start: the two tables call them seeded. */
const SEEDED: ReadonlySet<ConfigurableBucket> = new Set(['orders.list', 'orders.filtered'])

function greatestCommonDivisor(a: number, b: number): number {
  let [large, small] = [a, b]
  while (small > 0) [large, small] = [small, large % small]
  return large
}

function leastCommonMultiple(a: number, b: number): number {
  return (a / greatestCommonDivisor(a, b)) * b
}

function requireLimit(bucket: string, limit: WindowLimit): WindowLimit {
  const windowMs = limit.windowSeconds * 1000
  if (!Number.isSafeInteger(limit.count) || limit.count < 1)
    throw new RangeError(`Got count ${limit.count} for ${bucket}; expected an integer from 1.`)
  if (!(windowMs >= 1) || Math.abs(windowMs - Math.round(windowMs)) > 1e-6)
    throw new RangeError(
      `Got windowSeconds ${limit.windowSeconds} for ${bucket}; expected a positive number of whole milliseconds.`,
    )
  return limit
}

function ruleOf(rules: LimitRules, bucket: ConfigurableBucket): WindowLimit | undefined {
  const rule = rules[bucket]
  if (rule === null) return undefined
  if (rule !== undefined) return requireLimit(bucket, rule)
  return SEEDED.has(bucket) ? DEFAULT_LIMITS[bucket] : undefined
}

/** The admission quota: as many requests as pending and completed allow together, per common divisor of their windows. */
function admissionOf(
  pending: EffectiveLimit,
  completed: EffectiveLimit,
  faults: FaultSet,
): EffectiveLimit {
  const windowsMs = [pending, completed].map((limit) => Math.round(limit.windowSeconds * 1000))
  const [pendingMs = 0, completedMs = 0] = windowsMs
  const windowMs = faults.has('admission-window-lcm')
    ? leastCommonMultiple(pendingMs, completedMs)
    : greatestCommonDivisor(pendingMs, completedMs)
  const count = faults.has('admission-count-maximum')
    ? Math.max(pending.count, completed.count)
    : pending.count + completed.count
  const sources = [pending.source, completed.source]
  const suffices = faults.has('admission-source-of-both')
    ? sources.every((source) => source === 'rule')
    : sources.includes('rule')
  const configured = suffices && !faults.has('admission-source-default')
  const missing = !configured && faults.has('admission-one-less') ? 1 : 0
  return {
    count: count - missing,
    windowSeconds: windowMs / 1000,
    source: configured ? 'rule' : 'default',
  }
}

/** Faults that have another default than the interface: half of it. */
const HALVED: Partial<Record<ConfigurableBucket, FaultName>> = {
  default: 'default-window-halved',
  'orders.list': 'listing-halved',
  'orders.filtered': 'filtered-halved',
  'orders.check': 'check-bucket-halved',
  'orders.unhide.pending': 'unhide-pending-halved',
}

/** The default of a bucket, where no rule of the caller's takes its place; only faults have another one. */
function otherDefault(
  bucket: ConfigurableBucket,
  rules: LimitRules,
  faults: FaultSet,
): EffectiveLimit | undefined {
  if (faults.isEmpty || rules[bucket] !== undefined) return undefined
  const { count, windowSeconds } = DEFAULT_LIMITS[bucket]
  const halving = HALVED[bucket]
  if (halving !== undefined && faults.has(halving))
    return { count: Math.floor(count / 2), windowSeconds, source: 'default' }
  if (bucket === 'orders.unhide.completed' && faults.has('unhide-completed-window-double'))
    return { count, windowSeconds: windowSeconds * 2, source: 'default' }
  return undefined
}

/** Throws RangeError for a rule that cannot be enforced. */
export function effectiveLimits(rules: LimitRules, faults: FaultSet): EffectiveLimits {
  const defaultRule = ruleOf(rules, 'default')
  const effective = (bucket: ConfigurableBucket): EffectiveLimit => {
    const other = otherDefault(bucket, rules, faults)
    if (other !== undefined) return other
    const rule = ruleOf(rules, bucket)
    if (rule !== undefined) return { ...rule, source: 'rule' }
    const fallback = SEEDED.has(bucket)
      ? (defaultRule ?? DEFAULT_LIMITS.default)
      : DEFAULT_LIMITS[bucket]
    return { ...fallback, source: 'default' }
  }
  const pending = effective('orders.unhide.pending')
  const completed = effective('orders.unhide.completed')
  const general = effective('default')
  return {
    ...ownLimits(rules, general),
    default: general,
    'orders.check': effective('orders.check'),
    'orders.list': effective('orders.list'),
    'orders.filtered': effective('orders.filtered'),
    'orders.unhide.pending': pending,
    'orders.unhide.completed': completed,
    'orders.unhide.admission': admissionOf(pending, completed, faults),
  }
}

/** Each endpoint that the default covers has it, unless a rule of its own says otherwise. */
function ownLimits(rules: LimitRules, general: EffectiveLimit): Record<OwnLimit, EffectiveLimit> {
  const entries = OWN_LIMITS.map((name) => {
    const rule = rules[name]
    return [name, rule ? { ...requireLimit(name, rule), source: 'rule' } : general]
  })
  return Object.fromEntries(entries) as Record<OwnLimit, EffectiveLimit>
}

/** How answers name what is limited: a bucket, or one endpoint. */
export function titleOf(name: LimitName): string {
  return isOwn(name) ? name.replace('operations.', '') : BUCKET_TITLES[name]
}

function isOwn(name: LimitName): name is OwnLimit {
  return name.startsWith('operations.')
}

/** Every bucket and endpoint with what is in force, for GET /rate-limits. */
export function reportOf(limits: EffectiveLimits, faults: FaultSet): object[] {
  const reported = faults.has('rate-limits-omits-admission')
    ? LIMIT_NAMES.filter((name) => name !== 'orders.unhide.admission')
    : LIMIT_NAMES
  return reported.map((name) => ({
    bucket: titleOf(name),
    ...said(name, limits, faults),
  }))
}

const MISCOUNTED: readonly (readonly [FaultName, LimitName])[] = [
  ['rate-limits-pending-count', 'orders.unhide.pending'],
  ['rate-limits-completed-count', 'orders.unhide.completed'],
]

/** Only faults report otherwise than what is enforced. */
function said(bucket: LimitName, limits: EffectiveLimits, faults: FaultSet): EffectiveLimit {
  const limit = limits[bucket]
  if (faults.has('rate-limits-in-milliseconds'))
    return { ...limit, windowSeconds: limit.windowSeconds * 1000 }
  const miscounted = MISCOUNTED.find(([name, counted]) => counted === bucket && faults.has(name))
  if (miscounted) return { ...limit, count: limit.count + 1 }
  if (bucket === 'orders.list' && faults.has('rate-limits-listing-by-default'))
    return { ...limit, count: DEFAULT_LIMITS[bucket].count }
  if (bucket !== 'orders.unhide.admission') return limit
  if (faults.has('rate-limits-admission-longer-window')) return { ...limit, ...longer(limits) }
  if (faults.has('rate-limits-admission-count')) return { ...limit, count: limit.count - 1 }
  return faults.has('rate-limits-admission-window')
    ? { ...limit, windowSeconds: limit.windowSeconds * 2 }
    : limit
}

/** The longer of both windows: only where they differ is it not their divisor. */
function longer(limits: EffectiveLimits): Pick<EffectiveLimit, 'windowSeconds'> {
  const { windowSeconds } = limits['orders.unhide.pending']
  return { windowSeconds: Math.max(windowSeconds, limits['orders.unhide.completed'].windowSeconds) }
}
