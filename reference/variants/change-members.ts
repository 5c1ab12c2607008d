/** Ways through an envelope, for what variants change of it. */
import { type JsonObject, isJsonObject } from '../http/body.ts'

export type EnvelopeChange = (envelope: JsonObject) => JsonObject

/** Puts every object, from the innermost out, through `change`. What stays as it is is not copied. */
function everyObject(value: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return everyEntry(value, change)
  if (!isJsonObject(value)) return value
  let copy: Record<string, unknown> | undefined
  for (const [name, given] of Object.entries(value)) {
    const inner = everyObject(given, change)
    if (inner === given) continue
    copy ??= { ...value }
    copy[name] = inner
  }
  return change(copy ?? value)
}

function everyEntry(
  list: readonly unknown[],
  change: (object: JsonObject) => JsonObject,
): readonly unknown[] {
  const entries = list.map((entry) => everyObject(entry, change))
  return entries.some((entry, index) => entry !== list[index]) ? entries : list
}

export const everywhere =
  (change: (object: JsonObject) => JsonObject): EnvelopeChange =>
  (envelope) =>
    everyObject(envelope, change) as JsonObject

/** Changes the objects that have a property, which tells them from all others. */
export const having = (name: string, change: (object: JsonObject) => JsonObject): EnvelopeChange =>
  everywhere((object) => (Object.hasOwn(object, name) ? change(object) : object))

export function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}
