import type { OpenQuestion, Requirement } from './types.ts'

/** What the entries of a file have in common. */
type Common = Pick<Requirement, 'section' | 'capability' | 'level'>

/** A requirement, but for its id and for what it has in common with its file. */
type Entry = Omit<Requirement, keyof Common | 'id'> & Partial<Common>

/** Completes the entries of a file, by id: a must of this section and capability, where an entry says nothing else. Ids keep their literal type. */
export function entries<Id extends string>(
  section: string,
  capability: Requirement['capability'],
  byId: Readonly<Record<Id, Entry>>,
): readonly (Requirement & { readonly id: Id })[] {
  return withIds<Id, Entry>(byId).map((entry) => ({ section, capability, level: 'must', ...entry }))
}

type Question = Omit<OpenQuestion, 'id' | 'answeredBy'> & Partial<Pick<OpenQuestion, 'answeredBy'>>

/** The open questions of a file, by id: what a run observes answers them, where one says nothing else. */
export function questions<Id extends OpenQuestion['id']>(
  byId: Readonly<Record<Id, Question>>,
): readonly (OpenQuestion & { readonly id: Id })[] {
  return withIds<Id, Question>(byId).map((each) => ({ answeredBy: 'observed', ...each }))
}

function withIds<Id extends string, Value extends object>(
  byId: Readonly<Record<Id, Value>>,
): readonly (Value & { readonly id: Id })[] {
  return Object.entries<Value>(byId).map(([id, value]) => ({ id: id as Id, ...value }))
}
