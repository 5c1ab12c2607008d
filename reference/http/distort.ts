import { isJsonObject } from './body.ts'
import type { Change, ShapeFault } from '../faults/shape.ts'

/** A copy of an envelope with the change of one fault of shape. */
export function distorted(envelope: object, { path, change }: ShapeFault): object {
  const copy = JSON.parse(JSON.stringify(envelope)) as object
  distort(copy, path, change)
  return copy
}

function distort(value: unknown, path: readonly string[], change: Change): void {
  const [name, ...rest] = path
  if (name === undefined) return
  if (name === '*') {
    if (Array.isArray(value)) for (const entry of value) distort(entry, rest, change)
    return
  }
  if (!isJsonObject(value)) return
  if (rest.length > 0) distort(value[name], rest, change)
  else apply(value, name, change)
}

function apply(object: Record<string, unknown>, name: string, change: Change): void {
  const isThere = Object.hasOwn(object, name) && object[name] !== null
  if (change.kind === 'remove') delete object[name]
  else if (change.kind === (isThere ? 'replace' : 'add')) object[name] = change.value
}
