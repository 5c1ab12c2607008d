import type { Capability } from '../capabilities.ts'
import type { Area } from './areas.ts'

/** must: stated without condition. typical: stated as typical or default. may: permitted, so only its absence of harm is looked at. */
export type Level = 'must' | 'typical' | 'may'

/**
 * One place in a section of the interface:
 * - `row <first cell>`: a table row of the section, without code marks; `row <first cell> #2` is the second row that starts so.
 * - `rule 3`, `rule 2.1`: a numbered rule, by the number printed there, outer number first.
 * - `bullet 2`: the second bullet of the section. `paragraph 1`: its first paragraph that is neither list nor table.
 * A rule, bullet or paragraph of several sentences is cited sentence by sentence: `rule 2 sentence 1`. A row counts as one.
 */
type Place = `row ${string}` | `rule ${string}` | `bullet ${string}` | `paragraph ${string}`

/** A place of the entry's own section, or of another one: `Errors: row 504`. */
type Citation = Place | `${string}: ${Place}`

/** One normative statement of the interface, in our own words. */
export type Requirement = {
  /** Area and two digits, `AUTH-04`. Stable: never renumbered, never used again for another statement. */
  readonly id: string
  /**
   * Heading path in the interface below its title, without trailing parentheses, for example `Resources and their fields > Envelope`.
   * What stands before the first heading is `Introduction`.
   */
  readonly section: string
  readonly source: readonly [Citation, ...Citation[]]
  readonly level: Level
  /** A full sentence for the engineer whose check failed: what must be seen, when. */
  readonly text: string
  readonly capability: Capability
  /** Why no client can see it. Only then has it no check. */
  readonly excluded?: string
}

/** What the interface calls "not shown" or leaves to two readings: answered by the target file, or observed; never asserted. */
export type OpenQuestion = {
  readonly id: `OPEN-${string}`
  /** The requirements that its answer bears on. */
  readonly area: Area
  readonly section: string
  readonly source: readonly [Citation, ...Citation[]]
  readonly question: string
  readonly answeredBy: 'target' | 'observed' | 'target or observed' | 'nothing'
  /** Why no run looks for the answer: only where nothing gives it. */
  readonly unobserved?: string
}
