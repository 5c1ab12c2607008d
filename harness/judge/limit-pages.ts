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
  const unavailable = pagesBetweenAnswers(history)
  const refusals = history.filter(({ response }) => response?.status === 429)
  const pages = [...refusals.filter(isPage), ...unavailable]
  const [first] = pages
  const sent = new Set(pages.map(({ operation }) => operation))
  if (!first || pages.length < PAGES_MIN || sent.size < 2) return []
  const server = headerValue(first, 'server')
  const author = server === undefined ? '' : ` by ${server.slice(0, NAME_LENGTH_MAX)}`
  const answers = unavailable.length > 0 ? 'refusals (HTTP 429 or 503)' : 'answers HTTP 429'
  return [
    {
      kind: 'no-envelope',
      requirement: 'ERR-01',
      operations: [...sent].filter((operation) => operation !== 'raw'),
      text: `${pages.length} of ${refusals.length + unavailable.length} ${answers} are an HTML page${author}, not an envelope of the service`,
      nextStep:
        'Something before the service limits requests, such as a gateway. Let it pass them on, or let it answer HTTP 429 with the envelope and Retry-After.',
      requests: pages.length,
      exchanges: new Set(pages.map(({ id }) => id)),
    },
  ]
}

/** A service that is away and back so often within seconds is hardly there; a limit refuses between answers all the time. */
const STRETCHES_MIN = 5
const STRETCH_MS_MAX = 2_000

/** What a gateway answers where nothing stands behind it, and does not answer for its own limit. */
const AWAY = [502, 504]

/** From a chosen address there may be no way, which says nothing of the service. */
function isAway({ error, request, response, json }: Exchange): boolean {
  if (error !== undefined) return request.localAddress === undefined
  return AWAY.includes(response?.status ?? 0) && json === undefined
}

/**
 * Pages with HTTP 503 by which a limit refuses. They come in many short stretches, and the service answers before and after each. Another
 * sign that the service was away rules them out.
 */
export function pagesBetweenAnswers(history: readonly Exchange[]): readonly Exchange[] {
  const told = history.filter(({ error }) => error?.code !== 'ABANDONED')
  if (told.some(isAway)) return []
  const stretches: Exchange[][] = []
  let isBetween = true
  for (const exchange of told.toSorted((a, b) => a.receivedAtMs - b.receivedAtMs)) {
    const isUnavailable = exchange.response?.status === 503 && isPage(exchange)
    if (isUnavailable && isBetween) stretches.push([exchange])
    else if (isUnavailable) stretches.at(-1)?.push(exchange)
    isBetween = !isUnavailable
  }
  const areShort = stretches.every(
    (each) => (each.at(-1)?.receivedAtMs ?? 0) - (each[0]?.receivedAtMs ?? 0) < STRETCH_MS_MAX,
  )
  return stretches.length >= STRETCHES_MIN && areShort ? stretches.flat() : []
}

function isPage(exchange: Exchange): boolean {
  const type = headerValue(exchange, 'content-type') ?? ''
  return exchange.json === undefined && /^text\/html\b/i.test(type)
}
