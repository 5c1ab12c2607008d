/** Reads values out of responses by the selectors of a target file: JSON Pointer (RFC 6901) or JSONPath (RFC 9535). */
import {
  JSONPathEnvironment,
  JSONPathError,
  JSONPathRecursionLimitError,
  JSONPointer,
  type JSONValue,
} from 'json-p3'
import { HarnessError } from '../errors.ts'
import { PATTERN_FILTERS } from './patterns.ts'

/** `..` looks no deeper; no response of the interface comes near it. */
const DEPTH_MAX = 1000

const jsonPath = new JSONPathEnvironment({ maxRecursionDepth: DEPTH_MAX })
for (const [name, filter] of PATTERN_FILTERS) jsonPath.functionRegister.set(name, filter)

const POINTER = /^(\/([^~]|~[01])*)?$/

/** Why a text is no selector, or undefined when it is one. */
export function selectorProblem(selector: string): string | undefined {
  if (POINTER.test(selector)) return undefined
  if (selector.startsWith('/'))
    return 'a "~" in a JSON Pointer must be written "~0", and a "/" inside a name "~1"'
  if (!selector.startsWith('$'))
    return 'a selector starts with "/" (JSON Pointer) or "$" (JSONPath), or is empty for the whole body'
  try {
    jsonPath.compile(selector)
    return undefined
  } catch (error) {
    if (error instanceof JSONPathError)
      return `not a JSONPath query: ${error.message.slice(0, 200)}`
    throw error
  }
}

type Reader = (value: unknown) => unknown[]

const NOTHING = Symbol('nothing')

function readerByPointer(selector: string): Reader {
  const pointer = new JSONPointer(selector)
  return (value) => {
    const found: unknown = pointer.resolve(value as JSONValue, NOTHING as unknown as JSONValue)
    return found === NOTHING ? [] : [found]
  }
}

function readerByPath(selector: string): Reader {
  const query = jsonPath.compile(selector)
  return (value) => {
    try {
      return query.query(value as JSONValue).values()
    } catch (error) {
      // Nobody can mean a place that deep: what is not found there is not there.
      if (error instanceof JSONPathRecursionLimitError) return []
      throw error
    }
  }
}

/** A target file has few selectors, and each is held against thousands of answers. */
const readers = new Map<string, Reader>()

function readerOf(selector: string): Reader {
  const known = readers.get(selector)
  if (known) return known
  const problem = selectorProblem(selector)
  if (problem !== undefined)
    throw new HarnessError(
      'E_TARGET_FILE_INVALID',
      `"${selector}" is no selector: ${problem}.`,
      'Write it as a JSON Pointer such as /data/orderId or as a JSONPath query such as $.data.items[*].id.',
    )
  const reader = selector.startsWith('$') ? readerByPath(selector) : readerByPointer(selector)
  readers.set(selector, reader)
  return reader
}

/**
 * Every value that the selector finds, in document order; empty when it finds none. Never throws on a value. Throws
 * E_TARGET_FILE_INVALID on a text that is no selector; resolved targets hold none.
 */
export function select(selector: string, value: unknown): unknown[] {
  const reader = readerOf(selector)
  return value === undefined ? [] : reader(value)
}

/** Every value of a selector that means several: where it finds an array, the elements are meant. */
export function selectEach(selector: string, value: unknown): unknown[] {
  return select(selector, value).flatMap((found): unknown[] =>
    Array.isArray(found) ? found : [found],
  )
}

/** The first value that the selector finds, or undefined. */
export function selectOne(selector: string, value: unknown): unknown {
  return select(selector, value)[0]
}
