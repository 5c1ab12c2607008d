import type { ReadStep } from '../protocol/open-model.ts'

/** Every value that the steps lead to, in the order of the document. Never throws on a value. */
export function readValues(value: unknown, steps: readonly ReadStep[]): readonly unknown[] {
  let found: readonly unknown[] = [value]
  for (const step of steps) found = found.flatMap((each) => next(each, step))
  return found
}

function next(value: unknown, step: ReadStep): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (typeof step !== 'object') return Object.hasOwn(value, step) ? [member(value, step)] : []
  return 'every' in step ? Object.values(value) : deep(value, step.deep)
}

/** Parents before their children. */
function deep(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) || !Object.hasOwn(value, name) ? [] : [member(value, name)]
  return [...own, ...Object.values(value).flatMap((each) => deep(each, name))]
}

function member(value: object, name: string | number): unknown {
  return (value as Record<string | number, unknown>)[name]
}
