/**
 * Small stories, each told to a fresh service and reduced to what a client sees. Told to the clean service and to one with a fault,
 * they show what the fault changes, and that it changes nothing else.
 */
import type { FaultName } from '../faults.ts'
import { ACCESS_PROBES } from './probes-access.ts'
import { BUDGET_PROBES } from './probes-budgets.ts'
import { CATALOG_PROBES } from './probes-catalog.ts'
import { CHARGE_PROBES } from './probes-charges.ts'
import { ENDPOINT_PROBES } from './probes-endpoints.ts'
import { FORM_PROBES } from './probes-forms.ts'
import { KIND_PROBES } from './probes-kinds.ts'
import { LIMIT_PROBES } from './probes-limits.ts'
import { ORDER_PROBES } from './probes-orders.ts'
import { REPLAY_PROBES } from './probes-replays.ts'
import { STRANGER_PROBES } from './probes-strangers.ts'
import { bench } from './kit.ts'
import type { Bench } from './kit.ts'

/** Returns something that JSON can hold. */
export type Probe = (bench: Bench) => Promise<unknown>

export const PROBES: Readonly<Record<string, Probe>> = {
  ...CATALOG_PROBES,
  ...ORDER_PROBES,
  ...LIMIT_PROBES,
  ...ACCESS_PROBES,
  ...KIND_PROBES,
  ...BUDGET_PROBES,
  ...STRANGER_PROBES,
  ...REPLAY_PROBES,
  ...ENDPOINT_PROBES,
  ...FORM_PROBES,
  ...CHARGE_PROBES,
}

/** Windows that a story can fill, all of different lengths. */
const LIMITS = {
  default: { count: 6, windowSeconds: 60 },
  'orders.check': { count: 3, windowSeconds: 60 },
  'orders.list': { count: 2, windowSeconds: 60 },
  'orders.filtered': { count: 5, windowSeconds: 60 },
  'orders.unhide.pending': { count: 3, windowSeconds: 90 },
  'orders.unhide.completed': { count: 1, windowSeconds: 60 },
} as const

/** What each probe sees when exactly these faults are on. */
export async function observe(faults: readonly FaultName[]): Promise<Record<string, string>> {
  const seen: Record<string, string> = {}
  for (const [name, probe] of Object.entries(PROBES)) {
    const fresh = bench({ faults, limits: LIMITS, platformGift: 'enabled' })
    seen[name] = JSON.stringify(await probe(fresh))
  }
  return seen
}
