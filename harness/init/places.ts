/** Places in an answer, and the selectors that find them. Pure. */
import { memberOf } from '../target-file/selector-text.ts'

export type Step = string | number
export type Place = { readonly path: readonly Step[]; readonly value: unknown }

const PLACES_MAX = 50_000
const DEPTH_MAX = 16

/** Every value of an answer with where it stands, in document order; bounded. */
export function placesOf(json: unknown): readonly Place[] {
  const places: Place[] = []
  const visit = (value: unknown, path: readonly Step[]): void => {
    if (places.length >= PLACES_MAX || path.length > DEPTH_MAX) return
    places.push({ path, value })
    if (Array.isArray(value)) value.forEach((each, index) => visit(each, [...path, index]))
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) visit(each, [...path, name])
  }
  visit(json, [])
  return places
}

/** A JSON Pointer; where the path leads through arrays, a JSONPath that means every element. */
export function selectorOf(path: readonly Step[]): string {
  if (path.some((step) => typeof step === 'number')) return pathOf(path)
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** A JSONPath, with every element meant where the path leads through an array. */
export function pathOf(path: readonly Step[]): string {
  const parts = path.map((step) => (typeof step === 'number' ? '[*]' : memberOf(step)))
  return `$${parts.join('')}`
}

/** What is found, in few characters. */
export function excerptOf(values: readonly unknown[]): string {
  const shown = values.slice(0, 3).map((value) => {
    const text = JSON.stringify(value) ?? 'nothing'
    return text.length > 50 ? `${text.slice(0, 50)}…` : text
  })
  return shown.join(', ') + (values.length > 3 ? `, … (${values.length})` : '')
}

/** One value that the target file could state, with what speaks for it. */
export type Proposal = {
  /** Where it goes, for example `operations.whoami.selectors.address`. */
  readonly at: readonly string[]
  readonly value: unknown
  /** What stands there in the answer. */
  readonly excerpt: string
  readonly why: string
  /** `sure`: a value that is known was found there. `likely`: only its name or its form speaks for it. */
  readonly certainty: 'sure' | 'likely'
}

export function selectorProposal(
  operation: string,
  name: string,
  value: string,
  more: Pick<Proposal, 'excerpt' | 'why' | 'certainty'>,
): Proposal {
  return { at: ['operations', operation, 'selectors', name], value, ...more }
}
