import type { Capability, ProductAbility, Role } from '../capabilities.ts'
import type { Bucket } from '../limits.ts'

/** must: stated without condition. typical: stated as typical or default. may: permitted, so only its absence of harm is looked at. */
export type Level = 'must' | 'typical' | 'may'

/** What deciding a requirement takes. */
export type RequirementNeeds = {
  readonly roles?: readonly Role[]
  readonly products?: readonly ProductAbility[]
  /** Orders that have to be created. */
  readonly purchase?: true
  /** Buckets whose windows have to be spent. */
  readonly windows?: readonly Bucket[]
}

/** One normative statement of the interface, in our own words. */
export type Requirement = {
  /** Stable: never renumbered, never used again for another statement. */
  readonly id: string
  /** Heading path in the interface, for example `Resources and their fields > Envelope`. */
  readonly section: string
  /** The places it comes from, for example `row data`, `rule 3`, `bullet 2`, `paragraph 1`. */
  readonly source: readonly string[]
  readonly level: Level
  readonly text: string
  readonly capability: Capability
  readonly needs?: RequirementNeeds
  /** Why no client can see it. Only then has it no check. */
  readonly excluded?: string
}

/** What the interface calls "not shown" or leaves to two readings: answered by the target file, or observed; never asserted. */
export type OpenQuestion = {
  readonly id: `OPEN-${string}`
  readonly section: string
  readonly source: readonly string[]
  readonly question: string
  readonly answeredBy: 'target' | 'observed' | 'target or observed'
}
