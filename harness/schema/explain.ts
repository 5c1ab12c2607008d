/** Turns ajv's errors into sentences. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { describeValue } from './describe-value.ts'

/** One place of a value that breaks the schema. */
export type SchemaViolation = {
  /** JSON Pointer into the value; empty for the value itself. */
  readonly pointer: string
  /** What was expected there, as a sentence. */
  readonly message: string
  /** What stands there, shortened; `nothing` where a member is missing. */
  readonly got: string
}

/** Listed at most, so that one bad response does not fill a report. */
const VIOLATIONS_MAX = 50

/** Keywords whose own error only repeats what the errors of their branches say. */
export const WRAPPER_KEYWORDS = new Set(['if', 'allOf', 'anyOf', 'propertyNames'])

const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'an array',
  string: 'a text',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  null: 'null',
}

function escapeToken(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function typeWords(type: unknown): string {
  const types = Array.isArray(type) ? (type as string[]) : [String(type)]
  return types.map((name) => TYPE_WORDS[name] ?? name).join(' or ')
}

function described(error: ErrorObject): string | undefined {
  const text: unknown = (error.parentSchema as { description?: unknown } | undefined)?.description
  if (typeof text !== 'string') return undefined
  return text.replace(/\.$/, '').replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase())
}

function withDescription(error: ErrorObject, expectation: string): string {
  const text = described(error)
  return text === undefined ? expectation : `${expectation} (${text})`
}

function words(value: unknown): string {
  return typeof value === 'string' ? value : describeValue(value)
}

/** What was expected at the place of the error, without the word "expected". */
export function expectation(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required':
      return `a member ${describeValue(params['missingProperty'])}`
    case 'additionalProperties':
      return `no member ${describeValue(params['additionalProperty'])}`
    case 'type':
      return typeWords(params['type'])
    case 'enum':
      return `one of ${(params['allowedValues'] as unknown[]).map((value) => words(value)).join(', ')}`
    case 'const':
      return words(params['allowedValue'])
    case 'pattern':
      return described(error) ?? `a text that matches ${String(params['pattern'])}`
    case 'format':
      return withDescription(error, `a text in the format ${String(params['format'])}`)
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
      return `a number ${String(params['comparison'])} ${String(params['limit'])}`
    case 'not':
      return described(error) ?? 'something else'
    default:
      return withDescription(error, error.message ?? error.keyword)
  }
}

function placeOf(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>
  const name = params['missingProperty'] ?? params['additionalProperty'] ?? error.propertyName
  return typeof name === 'string'
    ? `${error.instancePath}/${escapeToken(name)}`
    : error.instancePath
}

function gotAt(error: ErrorObject): string {
  if (error.keyword === 'required') return 'nothing'
  const name = (error.params as Record<string, unknown>)['additionalProperty']
  if (typeof name !== 'string') return describeValue(error.data)
  return describeValue((error.data as Record<string, unknown>)[name])
}

function isTypeError(error: ErrorObject): boolean {
  return error.keyword === 'type'
}

/**
 * Whether an error is the null branch of a choice whose other branch was meant: something else than its type is wrong at the
 * same place or below it.
 */
function isUnmeantNull(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  if (!isTypeError(error) || (error.params as { type?: unknown }).type !== 'null') return false
  const below = `${error.instancePath}/`
  return errors.some(
    (other) =>
      other.instancePath.startsWith(below) ||
      (other.instancePath === error.instancePath && !isTypeError(other)),
  )
}

function toViolation(error: ErrorObject): SchemaViolation {
  return {
    pointer: placeOf(error),
    message: `expected ${expectation(error)}`,
    got: gotAt(error),
  }
}

/** One violation per place and expectation; branches of one choice at the same place are joined by "or". */
function join(violations: readonly SchemaViolation[]): SchemaViolation[] {
  const byPlace = new Map<string, SchemaViolation>()
  for (const violation of violations) {
    const known = byPlace.get(violation.pointer)
    if (!known) byPlace.set(violation.pointer, violation)
    else if (!known.message.includes(violation.message.replace(/^expected /, '')))
      byPlace.set(violation.pointer, {
        ...known,
        message: `${known.message} or ${violation.message.replace(/^expected /, '')}`,
      })
  }
  return [...byPlace.values()]
}

/** Sentences for ajv's errors (with `verbose`), at most 50; the last one then says how many were left out. */
export function explainErrors(errors: readonly ErrorObject[]): SchemaViolation[] {
  const telling = errors.filter((error) => !WRAPPER_KEYWORDS.has(error.keyword))
  const kept = telling.filter((error) => !isUnmeantNull(error, telling))
  const joined = join(kept.map((error) => toViolation(error)))
  if (joined.length <= VIOLATIONS_MAX) return joined
  const rest = joined.length - VIOLATIONS_MAX
  return [
    ...joined.slice(0, VIOLATIONS_MAX),
    { pointer: '', message: 'expected no further violations', got: `${rest} more` },
  ]
}
