/** What the selectors of an operation find in an answer, and where one goes astray. Pure. */
import type { OperationName } from '../../contract/operations.ts'
import type { Exchange } from '../client/exchange.ts'
import { select } from '../target-file/select.ts'
import { SELECTORS, type SelectorFact } from '../target-file/selectors.ts'
import type { Target } from '../target-file/target.ts'
import { endsEmpty, respelt, shownAt, trailOf } from '../target-file/trail.ts'

export type Found = {
  readonly name: string
  readonly meaning: string
  /** Undefined: the file gives none. */
  readonly selector?: string
  readonly values: readonly unknown[]
  /** Why a right answer need not have it. */
  readonly mayLack?: string
  /** Where a selector that finds nothing goes astray. */
  readonly astray?: string
}

export function findAll(
  { operations }: Pick<Target, 'operations'>,
  operation: OperationName,
  { json, request }: Pick<Exchange, 'json' | 'request'>,
  /** It is the check of a top-up: what its answer holds is not shown. */
  isCheck = false,
): Found[] {
  return Object.entries(SELECTORS[operation]).map(([name, fact]) => {
    const { meaning } = fact
    const selector = operations[operation].selectors[name]
    if (selector === undefined) return { name, meaning, values: [] }
    const values = select(selector, json)
    if (values.length > 0) return { name, meaning, selector, values }
    const mayLack = isCheck
      ? 'a check creates no order'
      : reasonToLack(fact, selector, { json, url: request.url })
    if (mayLack !== undefined) return { name, meaning, selector, values, mayLack }
    const astray = whereAstray(selector, json)
    return { name, meaning, selector, values, ...(astray === undefined ? {} : { astray }) }
  })
}

/** Why a right answer may lack what a selector is for; undefined where it may not. */
function reasonToLack(
  { isRare, named, onlyWith }: SelectorFact,
  selector: string,
  { json, url }: { readonly json: unknown; readonly url: string },
): string | undefined {
  const query = new URL(url).searchParams
  if (onlyWith && !onlyWith.some((name) => query.has(name)))
    return `an answer has it only with ${onlyWith.join(' or ')}`
  const trail = trailOf(selector, json)
  if (trail && endsEmpty(trail)) return `${shownAt(trail)}, so there is nothing to find`
  const isElsewhere = named !== undefined && select(named, json).length > 0
  return isRare && !isElsewhere ? 'only some answers have it' : undefined
}

/** How far a selector leads, what stands there instead, and what was probably meant. */
export function whereAstray(selector: string, json: unknown): string | undefined {
  const trail = trailOf(selector, json)
  if (!trail) return undefined
  const meant = respelt(trail, json)
  return meant === undefined ? shownAt(trail) : `${shownAt(trail)}; did you mean ${meant}?`
}
