import { headerValue } from '../client/headers.ts'
import type { Exchange } from '../client/exchange.ts'
import type { OperationName } from '../../contract/operations.ts'

export type LimitPages = {
  readonly kind: 'no-envelope'
  readonly requirement: 'ERR-01'
  readonly operations: readonly OperationName[]
  readonly text: string
  readonly nextStep: string
  readonly requests: number
  readonly exchanges: ReadonlySet<string>
}

/** Fewer pages may be one handler's. */
const PAGES_MIN = 3
/** Of the name of a server. */
const NAME_LENGTH_MAX = 40

/** Refusals by a window that are pages, beside others in the envelope: something before the service has limits of its own. */
export function pagesForLimits(history: readonly Exchange[]): LimitPages[] {
  const refusals = history.filter(({ response }) => response?.status === 429)
  const pages = refusals.filter(isPage)
  const [first] = pages
  const sent = new Set(pages.map(({ operation }) => operation))
  if (!first || pages.length < PAGES_MIN || sent.size < 2) return []
  const server = headerValue(first, 'server')
  const author = server === undefined ? '' : ` by ${server.slice(0, NAME_LENGTH_MAX)}`
  return [
    {
      kind: 'no-envelope',
      requirement: 'ERR-01',
      operations: [...sent].filter((operation) => operation !== 'raw'),
      text: `${pages.length} of ${refusals.length} answers HTTP 429 are an HTML page${author}, not an envelope of the service`,
      nextStep:
        'Something before the service limits requests, such as a gateway. Let it pass them on, or let it write the envelope and Retry-After.',
      requests: pages.length,
      exchanges: new Set(pages.map(({ id }) => id)),
    },
  ]
}

function isPage(exchange: Exchange): boolean {
  const type = headerValue(exchange, 'content-type') ?? ''
  return exchange.json === undefined && /^text\/html\b/i.test(type)
}
