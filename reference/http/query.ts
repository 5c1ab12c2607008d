import type { FieldError } from './answer.ts'

/** Reads query parameters and remembers what was wrong with them, so that one answer names it all. */
export class QueryFields {
  readonly #query: URLSearchParams
  readonly errors: FieldError[] = []

  constructor(query: URLSearchParams) {
    this.#query = query
  }

  #fail(code: FieldError['code'], field: string, message: string): undefined {
    this.errors.push({ code, field, message })
    return undefined
  }

  oneOf<T extends string>(field: string, allowed: readonly T[]): T | undefined {
    const text = this.#query.get(field)
    if (text === null) return undefined
    const value = allowed.find((candidate) => candidate === text)
    return value ?? this.#fail('INVALID_VALUE', field, `Expected one of ${allowed.join(', ')}.`)
  }

  integer(
    field: string,
    { min, max }: { readonly min: number; readonly max: number },
  ): number | undefined {
    const text = this.#query.get(field)
    if (text === null) return undefined
    if (!/^-?\d{1,15}$/.test(text))
      return this.#fail('INVALID_FORMAT', field, 'Expected an integer.')
    const value = Number(text)
    if (value >= min && value <= max) return value
    return this.#fail('OUT_OF_RANGE', field, `Expected ${min} to ${max}.`)
  }

  boolean(field: string): boolean | undefined {
    const value = this.oneOf(field, ['true', 'false'])
    return value === undefined ? undefined : value === 'true'
  }
}
