/** Reading of query parameters. Problems are collected, so that one answer names them all. */
import type { FieldError } from './answer.ts'

export function queryOneOf<T extends string>(
  query: URLSearchParams,
  field: string,
  allowed: readonly T[],
  errors: FieldError[],
): T | undefined {
  const text = query.get(field)
  if (text === null) return undefined
  const value = allowed.find((candidate) => candidate === text)
  if (value === undefined) {
    const message = `Expected one of ${allowed.join(', ')}.`
    errors.push({ code: 'INVALID_VALUE', field, message })
  }
  return value
}

export function queryInteger(
  query: URLSearchParams,
  field: string,
  range: { readonly min: number; readonly max: number },
  errors: FieldError[],
): number | undefined {
  const text = query.get(field)
  if (text === null) return undefined
  if (!/^-?\d{1,15}$/.test(text)) {
    errors.push({ code: 'INVALID_FORMAT', field, message: 'Expected an integer.' })
    return undefined
  }
  const value = Number(text)
  if (value >= range.min && value <= range.max) return value
  const message = `Expected ${range.min} to ${range.max}.`
  errors.push({ code: 'OUT_OF_RANGE', field, message })
  return undefined
}

export function queryBoolean(
  query: URLSearchParams,
  field: string,
  errors: FieldError[],
): boolean | undefined {
  const value = queryOneOf(query, field, ['true', 'false'], errors)
  return value === undefined ? undefined : value === 'true'
}
