/** What the selectors of an operation find in an answer, and where one goes astray. Pure. */
import type { OperationName } from '../../contract/operations.ts'
import { select } from '../target-file/select.ts'
import { SELECTORS } from '../target-file/selectors.ts'
import type { Target } from '../target-file/target.ts'
import { respelt, shownAt, trailOf } from '../target-file/trail.ts'

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

/** How far a selector leads, what stands there instead, and what was probably meant. */
export function whereAstray(selector: string, json: unknown): string | undefined {
  const trail = trailOf(selector, json)
  if (!trail) return undefined
  const meant = respelt(trail, json)
  return meant === undefined ? shownAt(trail) : `${shownAt(trail)}; did you mean ${meant}?`
}
