/** A target file that extends another one: what both say together, and where each value stands. */
import type { JsonDocument, JsonFlaw } from './json-document.ts'
import { isObject } from '../objects.ts'

/** A document that knows its file. */
export type PlacedDocument = {
  readonly value: unknown
  /** With the file in their places. */
  readonly flaws: readonly JsonFlaw[]
  /** `staging.json:4:18` */
  place(pointer: string, what?: 'value' | 'name'): string
  has(pointer: string): boolean
  /** Lines of what the last file says itself. */
  readonly lines: Readonly<Record<string, number>>
}

export function placed(name: string, document: JsonDocument): PlacedDocument {
  const lines = document.lines()
  return {
    value: document.value,
    flaws: document.flaws.map((flaw) => ({ ...flaw, place: `${name}:${flaw.place}` })),
    place: (pointer, what) => `${name}:${document.locate(pointer, what)}`,
    has: (pointer) => Object.hasOwn(lines, pointer),
    lines,
  }
}

/** `own` over `base`: objects are joined, everything else replaces, null takes away. */
export function extended(base: PlacedDocument, own: PlacedDocument): PlacedDocument {
  return {
    value: joined(base.value, own.value, ''),
    flaws: [...base.flaws, ...own.flaws],
    place: (pointer, what) =>
      (base.has(pointer) && !own.has(pointer) ? base : own).place(pointer, what),
    has: (pointer) => own.has(pointer) || base.has(pointer),
    lines: own.lines,
  }
}

/** Two templates joined would be one that nobody wrote. */
const WHOLE = /^\/operations\/[^/]+\/(?:body|query|windows|bodies\/[^/]+)$/
/** Here null is a value. */
const VARIABLES = /^\/products\/[^/]+\/variables$/

function joined(base: unknown, own: unknown, pointer: string): unknown {
  if (!isObject(base) || !isObject(own) || WHOLE.test(pointer)) return own
  const all: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(own)) {
    const token = name.replaceAll('~', '~0').replaceAll('/', '~1')
    if (value === null && !VARIABLES.test(pointer)) delete all[name]
    else all[name] = joined(all[name], value, `${pointer}/${token}`)
  }
  return all
}
