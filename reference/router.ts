import { ROUTES } from './routes.ts'
import type { Route } from './model/call.ts'

export type Match = {
  /** Undefined: the path exists, but not with this method. */
  readonly route: Route | undefined
  readonly parameters: Readonly<Record<string, string>>
  /** Methods that the path has. */
  readonly allow: readonly string[]
}

type Candidate = {
  readonly path: string
  readonly byMethod: ReadonlyMap<string, Route>
  readonly allow: readonly string[]
}

function candidates(paths: Iterable<string>): Candidate[] {
  return [...paths].map((path) => {
    const routes = ROUTES.filter((route) => route.path === path)
    const allow = routes.map((route) => route.method)
    return { path, byMethod: new Map(routes.map((route) => [route.method, route])), allow }
  })
}

const PATHS = new Set(ROUTES.map((route) => route.path))
const EXACT = new Map(
  candidates([...PATHS].filter((path) => !path.includes('{'))).map((one) => [one.path, one]),
)
const PATTERNS = candidates([...PATHS].filter((path) => path.includes('{')))

/** Finds the route of a request; undefined when no route has this path. */
export function matchRoute(method: string, path: string): Match | undefined {
  const exact = EXACT.get(path)
  if (exact !== undefined) return matched(exact, method, {})
  for (const candidate of PATTERNS) {
    const parameters = parametersOf(candidate.path, path)
    if (parameters !== undefined) return matched(candidate, method, parameters)
  }
  return undefined
}

function matched(
  { byMethod, allow }: Candidate,
  method: string,
  parameters: Readonly<Record<string, string>>,
): Match {
  return { route: byMethod.get(method), parameters, allow }
}

function parametersOf(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const got = path.split('/')
  if (wanted.length !== got.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const value = got[index] ?? ''
    if (!segment.startsWith('{')) {
      if (segment !== value) return undefined
      continue
    }
    const decoded = decodeSegment(value)
    if (decoded === undefined) return undefined
    parameters[segment.slice(1, -1)] = decoded
  }
  return parameters
}

function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
