import type { Capability } from '../../contract/capabilities.ts'
import type { CheckFacts } from '../plan/check-plan.ts'
import type { CheckOutcome } from '../judge/check-outcome.ts'
import type { SystematicCause } from '../judge/causes.ts'
import type { Outage } from '../judge/outages.ts'
import type { Requests } from '../load/under-load/traffic.ts'
import type { EffectiveLimits } from '../quota/effective-limits.ts'
import type { QuotaSpent } from '../quota/ledger.ts'
import type { Planned } from '../quota/plan-watch.ts'
import type { CatalogPrice } from '../purchases/price-book.ts'
import type { Purchased, PurchasePermission } from '../purchases/purchase.ts'
import type { Target } from '../target-file/target.ts'

/** What the suite is to do. Plain data. */
export type SuiteSetting = {
  readonly target: Target
  /** Named in every request. */
  readonly runId: string
  readonly limits: EffectiveLimits
  readonly permission?: PurchasePermission
  /** What the catalog asks for the products. */
  readonly prices: readonly CatalogPrice[]
  /** It stays below a quarter of each window. */
  readonly isGentle: boolean
  /** Most requests that the checks send. */
  readonly requestsMax?: number
  readonly planned?: Planned
  /** Ids of the checks and invariants to carry out. */
  readonly selected: readonly string[]
}

type SuiteListeners = {
  readonly signal: AbortSignal
  readonly onProgress: (progress: CheckProgress) => void
  readonly onOutcome: (outcome: CheckOutcome) => void
  /** Hears what could void the verdict, as it happens. */
  readonly onHazard: (text: string) => void
  /** Hears why the checks end before their time. */
  readonly onStopped: (reason: string) => void
  /** Hears that the checks end because the target answers nothing. */
  readonly onLost: () => void
  /** Hears of secrets that the checks come to know, to keep them out of all that is written. */
  readonly onSecret: (value: string, label: string) => void
}

/** The conformance suite as the gate sees it. The gate is handed one; it imports none. */
export type ConformanceRunner = (
  options: SuiteSetting & SuiteListeners,
) => Promise<ConformanceResult>

/** What a run waits for, told while it waits. */
export type CheckProgress = {
  readonly check: string
  readonly state: 'started' | 'waiting' | 'ended'
  readonly text: string
}

export type ConformanceResult = {
  readonly outcomes: readonly CheckOutcome[]
  /** Faults of the harness, outside the checks. */
  readonly faults: readonly string[]
  /** What makes the result worth less, in sentences. */
  readonly hazards?: readonly string[]
  readonly spent: readonly QuotaSpent[]
  readonly purchased: Purchased
  /** What every request of its kind met with. */
  readonly causes?: readonly SystematicCause[]
  /** When the target was not there. */
  readonly outages?: readonly Outage[]
  /** All that the checks sent; left out where they were ended early. */
  readonly traffic?: Requests
}

/** What can be selected: a check, an invariant or a load scenario. */
export type Selectable = {
  readonly id: string
  /** Ids of checks that were merged into it. */
  readonly formerIds?: readonly string[]
  readonly title: string
  readonly requirements: readonly string[]
  /** A load scenario that only the command load carries out unasked. */
  readonly loadOnly?: boolean
}

/** A check with what its plan needs. */
export type SelectableCheck = Selectable & {
  readonly purchases: number
  /** Buckets whose windows it spends to the limit. */
  readonly buckets: readonly string[]
  readonly capabilities: readonly Capability[]
  /** Judges the history of the others and sends nothing. */
  readonly isInvariant: boolean
  /** What a plan reckons with. An invariant takes nothing. */
  readonly facts?: CheckFacts
}
