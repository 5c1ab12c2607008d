/** How far a selector leads into an answer, and what stands where it ends: that is what its correction takes. */
import { select } from './select.ts'
import { nearest } from '../nearest.ts'
import { isObject } from '../objects.ts'

/** A dot with a name or a star, or brackets: one step of a JSONPath. */
const LAST_STEP = /(?:\.\.?(?:[\w$-]+|\*)|\.{0,2}\[(?:[^\][]|\[[^\]]*\])*\])$/
const NAMES_MAX = 8

/** The steps of a selector from the whole answer to itself. */
function prefixesOf(selector: string): string[] {
  if (selector.startsWith('/')) {
    const tokens = selector.slice(1).split('/')
    return tokens.map((_, index) =>
      tokens
        .slice(0, index)
        .map((token) => `/${token}`)
        .join(''),
    )
  }
  const prefixes: string[] = []
  for (let rest = selector.replace(LAST_STEP, ''); ; rest = rest.replace(LAST_STEP, '')) {
    prefixes.unshift(rest)
    if (rest === '$' || !LAST_STEP.test(rest)) return prefixes.filter((each) => each !== '')
  }
}

export type Trail = {
  /** The longest beginning of the selector that finds something. */
  readonly found: string
  /** The values that it finds. */
  readonly values: readonly unknown[]
  /** What follows it, and is not there. */
  readonly lost: string
}

/** Undefined where not even its beginning is there. */
export function trailOf(selector: string, json: unknown): Trail | undefined {
  for (const found of prefixesOf(selector).toReversed()) {
    const values = select(found, json)
    if (values.length > 0) return { found, values, lost: selector.slice(found.length) }
  }
  return undefined
}

/** An empty list, or nothing: what would stand below says nothing. */
export function endsEmpty({ values }: Trail): boolean {
  return values.every(
    (value) =>
      value === null || (typeof value === 'object' && value !== null && !Object.keys(value).length),
  )
}

/** What stands where the selector ends: `"/data" has items, total`. */
export function shownAt({ found, values }: Trail): string {
  const names = namesOf(values)
  const place = found === '' || found === '$' ? 'the answer' : `"${found}"`
  if (names.length === 0) return `${place} holds ${kindOf(values[0])}`
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : ''
  return `${place} has ${names.slice(0, NAMES_MAX).join(', ')}${more}`
}

/** The selector with the misspelt name corrected; undefined where none is near, or it would find nothing either. */
export function respelt(trail: Trail, json: unknown): string | undefined {
  const name = /[A-Za-z_$][\w$-]*/.exec(trail.lost.replace(/^[.[/'"]+/, ''))?.[0]
  const meant = name === undefined ? undefined : nearest(name, namesOf(trail.values))
  if (name === undefined || meant === undefined) return undefined
  const corrected = trail.found + trail.lost.replace(name, meant)
  return select(corrected, json).length > 0 ? corrected : undefined
}

function namesOf(values: readonly unknown[]): string[] {
  const names = values.flatMap((value) => (isObject(value) ? Object.keys(value) : []))
  return [...new Set(names)]
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  return value === null ? 'null' : `a ${typeof value}`
}
