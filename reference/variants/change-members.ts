/** Ways through an envelope, for what variants change of it. */
import { type JsonObject, isJsonObject } from '../http/body.ts'

export type EnvelopeChange = (envelope: JsonObject) => JsonObject

/** A copy in which every object, from the innermost out, was put through `change`. */
function everyObject(value: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((entry: unknown) => everyObject(entry, change))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, everyObject(inner, change)])
  return change(Object.fromEntries(entries) as JsonObject)
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
