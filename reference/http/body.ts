/** Reading of JSON bodies by hand-written rules. Problems are collected, so that one answer names them all. */
import type { FieldErrorCode } from '../../contract/wire.ts'
import { type FieldError, invalid } from './answer.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Leaves the mark of byte order out, which some clients send. */
const UTF8 = new TextDecoder('utf-8', { fatal: true })

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The JSON object in a body; undefined when there is none (wrong encoding, not JSON, nested too deep, not an object). */
export function peekJson(body: string | Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(typeof body === 'string' ? body : UTF8.decode(body))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The body of a request. It is parsed once, when it is first asked for. */
export class Body {
  readonly #content: string | Uint8Array
  #parsed: { readonly json: JsonObject | undefined } | undefined

  constructor(content: string | Uint8Array) {
    this.#content = content
  }

  get isEmpty(): boolean {
    return this.#content.length === 0
  }

  /** The JSON object in it; undefined when there is none. */
  get json(): JsonObject | undefined {
    this.#parsed ??= { json: this.isEmpty ? undefined : peekJson(this.#content) }
    return this.#parsed.json
  }
}

/** The JSON object in a body. Throws the 422 that says what is wrong. */
export function requireJson({ isEmpty, json }: Body): JsonObject {
  if (json !== undefined) return json
  const code = isEmpty ? 'MISSING' : 'INVALID_FORMAT'
  throw invalid([{ code, field: 'body', message: 'Expected a JSON object.' }])
}

export type TextRule = { readonly min?: number; readonly max: number; readonly pattern?: RegExp }
type IntegerRule = { readonly min: number; readonly max: number }

/** Reads the properties of one object and remembers what was wrong with them. */
export class Fields {
  readonly #object: JsonObject
  readonly #prefix: string
  readonly errors: FieldError[]

  constructor(object: JsonObject, prefix = '', errors: FieldError[] = []) {
    this.#object = object
    this.#prefix = prefix
    this.errors = errors
  }

  /** Whether it reads an object within the body. */
  get isNested(): boolean {
    return this.#prefix !== ''
  }

  /** The raw value; undefined for absent and null. No field that is asked for has the name of a method of every object. */
  value(field: string): unknown {
    return this.#object[field] ?? undefined
  }

  fail(code: FieldErrorCode, field: string, message: string): undefined {
    this.errors.push({ code, field: this.#prefix + field, message })
    return undefined
  }

  missing(field: string): undefined {
    return this.fail('MISSING', field, `${this.#prefix}${field} is required.`)
  }

  text(field: string, rule: TextRule): string | undefined {
    const value = this.value(field)
    return value === undefined ? undefined : this.#textOf(field, value, rule)
  }

  requiredText(field: string, rule: TextRule): string | undefined {
    const value = this.value(field)
    return value === undefined ? this.missing(field) : this.#textOf(field, value, rule)
  }

  #textOf(field: string, value: unknown, rule: TextRule): string | undefined {
    if (typeof value !== 'string') return this.fail('INVALID_FORMAT', field, 'Expected a text.')
    if (value.length < (rule.min ?? 1))
      return this.fail('TOO_SHORT', field, `Expected ${rule.min ?? 1} characters at least.`)
    if (value.length > rule.max)
      return this.fail('TOO_LONG', field, `Expected ${rule.max} characters at most.`)
    if (rule.pattern !== undefined && !rule.pattern.test(value))
      return this.fail('INVALID_FORMAT', field, `Expected the pattern ${rule.pattern.source}.`)
    return value
  }

  integer(field: string, rule: IntegerRule): number | undefined {
    const value = this.value(field)
    if (value === undefined) return undefined
    if (typeof value !== 'number' || !Number.isInteger(value))
      return this.fail('INVALID_FORMAT', field, 'Expected an integer.')
    if (value < rule.min || value > rule.max)
      return this.fail('OUT_OF_RANGE', field, `Expected ${rule.min} to ${rule.max}.`)
    return value
  }

  boolean(field: string): boolean | undefined {
    const value = this.value(field)
    if (value === undefined || typeof value === 'boolean') return value
    return this.fail('INVALID_FORMAT', field, 'Expected true or false.')
  }

  forbid(fields: readonly string[], why: string): void {
    for (const field of fields)
      if (this.value(field) !== undefined) this.fail('NOT_ALLOWED', field, why)
  }

  oneOf<T extends string>(field: string, allowed: readonly T[]): T | undefined {
    const value = this.value(field)
    if (value === undefined) return this.missing(field)
    if ((allowed as readonly unknown[]).includes(value)) return value as T
    return this.fail('INVALID_VALUE', field, `Expected one of ${allowed.join(', ')}.`)
  }
}
