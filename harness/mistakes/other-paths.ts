/** Operations that the service has below /api/v1 alone. The interface can be read so: where the file gives no path, it lacks one. */
import { isAccepted } from '../../contract/answers.ts'
import { OPERATIONS, prefixedPath, UNVERSIONED } from '../../contract/operations.ts'
import type { Exchange } from '../client/exchange.ts'
import type { SystematicCause } from '../judge/causes.ts'
import type { Target } from '../target-file/target.ts'
import { pointerOf, statusOf, targetCause, type Described } from './mistake.ts'

type Unserved = {
  readonly operation: (typeof UNVERSIONED)[number]
  /** What was sent to the path without the prefix, and met no route. */
  readonly exchanges: readonly Exchange[]
}

export function otherPaths({ target, history }: Described): SystematicCause[] {
  return unservedPaths(target, history).map(({ operation, exchanges }) =>
    targetCause(target, {
      pointer: pointerOf('operations', operation, 'path'),
      shows: `no request to ${OPERATIONS[operation].path} was served (HTTP 404 or 405), but ${prefixedPath(operation)} is`,
      fix: `write "${prefixedPath(operation)}".`,
      exchanges,
      dependents: exchanges.map(({ check }) => check),
    }),
  )
}

/** The operations whose path as the interface writes it is not served, while the one with the prefix is. */
export function unservedPaths(target: Target, history: readonly Exchange[]): readonly Unserved[] {
  return UNVERSIONED.flatMap((operation) => {
    if (target.origins[`operations.${operation}.path`] === 'file') return []
    const sentTo = (path: string): Exchange[] => {
      const { pathname } = new URL(target.baseUrl + path)
      return history.filter(
        ({ operation: of, request }) =>
          of === operation && new URL(request.url).pathname === pathname,
      )
    }
    const sent = sentTo(OPERATIONS[operation].path)
    const exchanges = sent.filter(isNoRoute)
    // Whoever asks for the key first refuses a bad one at any path.
    const isUnserved = exchanges.length > 0 && !sent.some(isServed)
    return isUnserved && sentTo(prefixedPath(operation)).some(isServed)
      ? [{ operation, exchanges }]
      : []
  })
}

function isNoRoute(exchange: Exchange): boolean {
  return [404, 405].includes(statusOf(exchange))
}

/** The probe of a POST has an empty body, which is refused by 422. */
function isServed(exchange: Exchange): boolean {
  const status = statusOf(exchange)
  return isAccepted({ status }) || status === 422
}
