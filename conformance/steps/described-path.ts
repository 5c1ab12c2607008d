import type { Exchange } from '../../harness/client/exchange.ts'
import type { Target } from '../../harness/target-file/target.ts'

/**
 * Whether an exchange was at a path that the interface or the target file gives. Other paths are looked at too; what stands before a
 * service may answer them, so nothing of the interface holds there.
 */
export function isAtDescribedPath({ baseUrl, operations }: Target, { request }: Exchange): boolean {
  const path = request.url.slice(baseUrl.length).replace(/[?#].*$/s, '')
  return (
    !request.url.startsWith(baseUrl) || patternsOf(operations).some((pattern) => pattern.test(path))
  )
}

const known = new WeakMap<Target['operations'], readonly RegExp[]>()

function patternsOf(operations: Target['operations']): readonly RegExp[] {
  const before = known.get(operations)
  if (before) return before
  const patterns = Object.values(operations).flatMap(({ path }) =>
    path === undefined ? [] : [patternOf(path)],
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
