import type { Capability } from '../../contract/capabilities.ts'
import { largest } from '../plan/costs.ts'
import type { SelectableCheck } from './conformance.ts'

/** Named parts of the suite, for callers who cannot or will not do everything. */
export const PROFILES = {
  all: 'every check and load scenario',
  'read-only':
    'what buys nothing, sends no load, and takes fewer than 100 requests (all that buys nothing with --allow-load)',
  core: 'catalog, shop orders, keys, windows and caps; no top-up, eSIM, gift, checkout or funds',
  purchases: 'what creates orders',
  limits: 'rate-limit windows and unhide budgets',
  esim: 'eSIM orders',
  'platform-gift': 'platform gifts',
  funds: 'balances and ledger',
} as const
export type Profile = keyof typeof PROFILES

export function isProfile(text: string): text is Profile {
  return Object.hasOwn(PROFILES, text)
}

/** Capabilities that the core profile leaves out. */
const BEYOND_CORE: readonly Capability[] = [
  'item-lookup',
  'long-orders',
  'quantity-items',
  'dtu',
  'dtu-check',
  'dtu-validation',
  'esim',
  'platform-gift',
  'cart',
  'funds',
]

/** Whether a check belongs to a profile. Invariants judge whatever the profile happened to send, so they belong to all. */
export function belongsTo(profile: Profile, check: SelectableCheck): boolean {
  if (check.isInvariant) return true
  switch (profile) {
    case 'all':
      return true
    case 'read-only':
      return check.purchases === 0
    case 'purchases':
      return check.purchases > 0
    case 'limits':
      return check.buckets.length > 0 || ['limits', 'unhide'].includes(areaOf(check))
    case 'core':
      return !BEYOND_CORE.some((capability) => check.capabilities.includes(capability))
    case 'esim':
    case 'platform-gift':
    case 'funds':
      return check.capabilities.includes(profile)
  }
}

/** Profiles in which load scenarios run. */
export function includesLoad(profile: Profile): boolean {
  return profile === 'all' || profile === 'core' || profile === 'limits'
}

function areaOf({ id }: SelectableCheck): string {
  return id.slice(0, id.indexOf('.'))
}

/** Most requests that the checks of the profile read-only send, and as many as are planned for them: a preflight comes beside. */
export const READ_ONLY_REQUESTS = { max: 90, planned: 75 } as const

/** Checks that take no more than so many requests together: those first that decide most with each. Invariants send nothing. */
export function withinRequests(
  checks: readonly SelectableCheck[],
  requestsMax: number,
): readonly SelectableCheck[] {
  const taken = new Set(checks.filter(({ isInvariant }) => isInvariant))
  const decided = new Set<string>()
  let left = requestsMax
  for (;;) {
    const affordable = checks.flatMap((check) => {
      const requests = requestsOf(check)
      const news = check.requirements.filter((each) => !decided.has(each)).length
      const isOpen = !taken.has(check) && isHarmless(check) && requests <= left
      return isOpen && news > 0 ? [{ check, requests, worth: news / Math.max(1, requests) }] : []
    })
    const [best] = affordable.toSorted((a, b) => b.worth - a.worth)
    if (!best) return checks.filter((check) => taken.has(check))
    taken.add(best.check)
    left -= best.requests
    if (decidesWithAnyKeys(best.check))
      for (const each of best.check.requirements) decided.add(each)
  }
}

/** What sent nothing with shared keys needs keys made for it: most targets make none, and it would leave its requirements open. */
function decidesWithAnyKeys({ facts }: SelectableCheck): boolean {
  return facts?.costs === undefined || facts.costs.shared !== undefined
}

/**
 * It spends no window to its limit, and none so small that a quarter is less than one request. It sends nothing to operations that make
 * orders.
 */
function isHarmless({ buckets, facts }: SelectableCheck): boolean {
  const { fresh, shared } = facts?.costs ?? {}
  const counters = [fresh, shared].flatMap((cost) => Object.keys(cost?.requests ?? {}))
  return buckets.length === 0 && !counters.some((counter) => NOT_READ.test(counter))
}

const NOT_READ = / (?:orders\.list|orders\.check|default create(?:Order|Cart))$/

/** As many as were measured, with accounts of its own or shared. */
function requestsOf({ facts }: SelectableCheck): number {
  const { fresh, shared } = facts?.costs ?? {}
  const sums = [fresh, shared].map((cost) =>
    Object.values(cost?.requests ?? {})
      .map(largest)
      .reduce((sum, each) => sum + each, 0),
  )
  return Math.max(...sums)
}
