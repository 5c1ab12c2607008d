import type { Capability } from '../../contract/capabilities.ts'
import type { SelectableCheck } from './conformance.ts'

/** Named parts of the suite, for callers who cannot or will not do everything. */
export const PROFILES = {
  all: 'every check and load scenario',
  'read-only': 'what buys nothing and sends no load',
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
