/** Each message of an answer is held against its schema once, however many invariants ask for another member of it. */
import { validateMessage, type MessageName } from '../../harness/schema/validate.ts'
import type { SchemaViolation } from '../../harness/schema/explain.ts'

type Known = Map<MessageName, readonly SchemaViolation[]>

const known = new WeakMap<object, Known>()

/** `value` is of an answer of the run, which nobody changes. */
export function violationsOf(name: MessageName, value: unknown): readonly SchemaViolation[] {
  if (typeof value !== 'object' || value === null) return validateMessage(name, value)
  const before: Known = known.get(value) ?? new Map()
  known.set(value, before)
  const violations = before.get(name) ?? validateMessage(name, value)
  before.set(name, violations)
  return violations
}

/** The first violation of a message's schema at exactly this place. */
export function violationAt(
  name: MessageName,
  value: unknown,
  pointer: string,
): string | undefined {
  const found = violationsOf(name, value).find((each) => each.pointer === pointer)
  return found && `${found.pointer}: ${found.message}, got ${found.got}`
}
