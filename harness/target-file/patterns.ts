/** `match` and `search` of JSONPath (RFC 9535, 2.4.6 and 2.4.7), in time that grows with the length of the text alone. */
import { FunctionExpressionType, type FilterFunction } from 'json-p3'
import { RE2JS } from 're2js'

/** Compiled patterns. A pattern may come out of an answer. */
const compiled = new Map<string, RE2JS | undefined>()
const COMPILED_MAX = 100

/** What is no pattern matches nothing, as RFC 9535 wants it. */
function patternOf(pattern: string): RE2JS | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern)
  if (compiled.size >= COMPILED_MAX) compiled.clear()
  let made: RE2JS | undefined
  try {
    made = RE2JS.compile(withDots(pattern))
  } catch {
    made = undefined
  }
  compiled.set(pattern, made)
  return made
}

/** A dot stands for anything but the end of a line, which has two signs (RFC 9485, 5.3); RE2 knows one. */
function withDots(pattern: string): string {
  let result = ''
  let isInClass = false
  for (let at = 0; at < pattern.length; at++) {
    const sign = pattern.charAt(at)
    if (sign === '\\') {
      result += pattern.slice(at, at + 2)
      at += 1
      continue
    }
    if (sign === '[' || sign === ']') isInClass = sign === '['
    result += sign === '.' && !isInClass ? String.raw`[^\n\r]` : sign
  }
  return result
}

function filter(holds: (pattern: RE2JS, text: string) => boolean): FilterFunction {
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call(text: unknown, pattern: unknown): boolean {
      if (typeof text !== 'string' || typeof pattern !== 'string') return false
      const made = patternOf(pattern)
      return made !== undefined && holds(made, text)
    },
  }
}

/** By the names that queries call them. */
export const PATTERN_FILTERS: ReadonlyMap<string, FilterFunction> = new Map([
  ['match', filter((pattern, text) => pattern.matcher(text).matches())],
  ['search', filter((pattern, text) => pattern.matcher(text).find())],
])
