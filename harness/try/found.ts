/** What the selectors of an operation find in an answer, and where one goes astray. Pure. */
import type { OperationName } from '../../contract/operations.ts'
import { nearest } from '../target/nearest.ts'
import { select } from '../target/select.ts'
import { SELECTORS } from '../target/selectors.ts'
import type { Target } from '../target/target.ts'

export type Found = {
  readonly name: string
  readonly meaning: string
  /** Undefined: the file gives none. */
  readonly selector?: string
  readonly values: readonly unknown[]
  /** Where a selector that finds nothing goes astray. */
  readonly astray?: string
}

export function findAll(
  { operations }: Pick<Target, 'operations'>,
  operation: OperationName,
  json: unknown,
): Found[] {
  return Object.entries(SELECTORS[operation]).map(([name, { meaning }]) => {
    const selector = operations[operation].selectors[name]
    if (selector === undefined) return { name, meaning, values: [] }
    const values = select(selector, json)
    if (values.length > 0) return { name, meaning, selector, values }
    const astray = whereAstray(selector, json)
    return { name, meaning, selector, values, ...(astray === undefined ? {} : { astray }) }
  })
}

const NAMES_MAX = 12

/** The longest beginning of a selector that finds something, and what stands there instead. */
export function whereAstray(selector: string, json: unknown): string | undefined {
  const beginnings = selector.startsWith('$')
    ? pathBeginnings(selector)
    : pointerBeginnings(selector)
  for (const [index, beginning] of beginnings.entries()) {
    const [value] = select(beginning, json)
    if (value === undefined) continue
    const sought = nameAfter(beginnings[index - 1] ?? selector, beginning)
    return insteadOf(beginning === '' || beginning === '$' ? 'the body' : beginning, value, sought)
  }
  return undefined
}

function insteadOf(place: string, value: unknown, sought: string): string {
  if (Array.isArray(value)) return `${place} is an array of ${value.length}`
  if (typeof value !== 'object' || value === null)
    return `${place} is ${JSON.stringify(value)?.slice(0, 60)}`
  const names = Object.keys(value)
  const meant = nearest(sought, names)
  const shown = names.slice(0, NAMES_MAX).join(', ') + (names.length > NAMES_MAX ? ', …' : '')
  const hint = meant === undefined || meant === sought ? '' : `; did you mean "${meant}"?`
  return `${place} has ${shown || 'no member'}${hint}`
}

/** `/a/b/c`: `/a/b`, `/a`, and the whole body. */
function pointerBeginnings(pointer: string): string[] {
  const tokens = pointer.split('/').slice(1)
  return tokens
    .map((_, index) => tokens.slice(0, tokens.length - 1 - index))
    .map((rest) => rest.map((token) => `/${token}`).join(''))
}

/** The segments of a query: `$.a[*].b` ends with `.b`, then `[*]`, then `.a`. */
function pathBeginnings(path: string): string[] {
  const segments =
    path.match(/^\$|\.\.?(?:[\w$-]+|\*)|\.?\.?\[(?:[^[\]'"]|'[^']*'|"[^"]*")*\]/g) ?? []
  if (segments.join('') !== path) return []
  return segments
    .slice(1)
    .map((_, index) => segments.slice(0, segments.length - 1 - index).join(''))
}

function nameAfter(longer: string, beginning: string): string {
  return longer.slice(beginning.length).replaceAll(/^[./[\]'"]+|[\]'"]+$/g, '')
}
