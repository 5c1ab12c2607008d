import type { OperationName } from '../../../contract/operations.ts'
import type { Target } from '../../target-file/target.ts'
import { renderPath, renderTemplate, type Variables } from '../../target-file/template.ts'

/** What a URL is filled with. */
type Filling = {
  readonly variables?: Variables | undefined
  /** Beside what the target file states. */
  readonly query?: Readonly<Record<string, string>>
}

/**
 * The URL of an operation, below the target's base URL or with it: its path and what the target file states of its query, filled with
 * the variables, then `query`. Undefined where the target file gives no path. Throws E_TARGET_FILE_INVALID on a variable that is not given.
 */
export function operationPath(
  target: Pick<Target, 'operations'>,
  operation: OperationName,
  { variables = {}, query: more }: Filling = {},
): string | undefined {
  const { path, query } = target.operations[operation]
  if (path === undefined) return undefined
  const search = new URLSearchParams()
  const stated = renderTemplate(query, variables) as Readonly<Record<string, unknown>>
  for (const [name, value] of Object.entries({ ...stated, ...more }))
    search.append(name, String(value))
  const rendered = renderPath(path, variables)
  // A space as %20, which every decoder understands; + is one in forms only.
  return search.size === 0 ? rendered : `${rendered}?${search.toString().replaceAll('+', '%20')}`
}

/** The same, absolute. */
export function operationUrl(
  target: Pick<Target, 'baseUrl' | 'operations'>,
  operation: OperationName,
  filling: Filling = {},
): string | undefined {
  const path = operationPath(target, operation, filling)
  return path === undefined ? undefined : `${target.baseUrl}${path}`
}
