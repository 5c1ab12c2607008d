import type { Exchange } from '../../harness/client/exchange.ts'
import { unservedPaths } from '../../harness/mistakes/other-paths.ts'
import type { Target } from '../../harness/target-file/target.ts'
import { onceFor } from './orders-seen.ts'

/** Whole answers of the service itself: whoever answers at a path that the service does not have need not know the interface. */
export const answersOfOperations = onceFor((history, target: Target) => {
  const elsewhere = new Set(unservedPaths(target, history).flatMap(({ exchanges }) => exchanges))
  return history.filter(
    (exchange) =>
      exchange.response &&
      !exchange.response.truncated &&
      !elsewhere.has(exchange) &&
      isOfOperation(target, exchange),
  )
})

/**
 * Whether an exchange was with an operation that the interface or the target file gives. Other paths and methods are looked at too; what
 * stands before a service may answer them, so nothing of the interface holds there.
 */
export function isOfOperation({ baseUrl, operations }: Target, { request }: Exchange): boolean {
  const path = request.url.slice(baseUrl.length).replace(/[?#].*$/s, '')
  return (
    !request.url.startsWith(baseUrl) ||
    endpointsOf(operations).some(
      ({ method, pattern }) => method === request.method && pattern.test(path),
    )
  )
}

type Endpoint = { readonly method: string; readonly pattern: RegExp }

const known = new WeakMap<Target['operations'], readonly Endpoint[]>()

function endpointsOf(operations: Target['operations']): readonly Endpoint[] {
  const before = known.get(operations)
  if (before) return before
  const patterns = Object.values(operations).flatMap(({ method, path }) =>
    path === undefined ? [] : [{ method, pattern: patternOf(path) }],
  )
  known.set(operations, patterns)
  return patterns
}

/** What means something in a pattern. */
const SIGNS = /[$()*+.?[\\\]^{|}]/g

/** A variable of a path stands for one part of it. */
function patternOf(path: string): RegExp {
  const [bare = ''] = path.split('?', 1)
  const parts = bare
    .split(/\{\{?[^{}]*\}\}?/)
    .map((part) => part.replaceAll(SIGNS, String.raw`\$&`))
  return new RegExp(`^${parts.join('[^/]+')}$`)
}
