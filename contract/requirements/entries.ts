import type { Requirement } from './types.ts'

/** What the entries of a file have in common. */
type Common = Pick<Requirement, 'section' | 'capability' | 'level'>

/** A requirement, but for what it has in common with its file. */
type Entry = Omit<Requirement, keyof Common> & Partial<Common>

/** Completes the entries of a file: a must of this section and capability, where an entry says nothing else. Ids keep their literal type. */
export function entries<const Id extends string>(
  section: string,
  capability: Requirement['capability'],
  all: readonly (Entry & { readonly id: Id })[],
): readonly (Requirement & { readonly id: Id })[] {
  return all.map((entry) => ({ section, capability, level: 'must', ...entry }))
}
