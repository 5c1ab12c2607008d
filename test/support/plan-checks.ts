/** What the tests share: checks and reckonings of their own. */
import { BUCKETS, DEFAULT_LIMITS, type Bucket } from '../../contract/limits.ts'
import type { EffectiveLimits } from '../../harness/quota/effective-limits.ts'
import type { CostTable } from '../../harness/plan/costs.ts'
import type { ChosenCheck, Reckoning } from '../../harness/plan/chains.ts'

function counts(share: number): Record<Bucket, number> {
  return Object.fromEntries(
    BUCKETS.map((bucket) => [bucket, Math.ceil(DEFAULT_LIMITS[bucket].count * share)]),
  ) as Record<Bucket, number>
}

export const BUDGETS: CostTable['budgets'] = { short: counts(0.1), full: counts(1) }

export const LIMITS = Object.fromEntries(
  BUCKETS.map((bucket) => [bucket, { ...DEFAULT_LIMITS[bucket], source: 'default' }]),
) as EffectiveLimits

export const SHARED: Reckoning = {
  target: { products: {} },
  limits: LIMITS,
  slackMs: 50,
  isFresh: false,
  makesAccounts: false,
  budgets: BUDGETS,
  latencySeconds: 0,
}

/** A check that needs nothing, unless told. */
export function checkWith(id: string, facts: Partial<ChosenCheck> = {}): ChosenCheck {
  return {
    id,
    lackOf: () => undefined,
    roles: ['full'],
    windows: [],
    waits: [],
    tries: 1,
    isLast: false,
    purchases: 0,
    costs: {},
    ...facts,
  }
}
