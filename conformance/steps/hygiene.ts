/** Security hygiene: warned of where it is seen, never judged. No secret may be shown. */
import type { HygieneId } from '../../contract/requirements/hygiene.ts'
import { headerValues } from '../../harness/client/headers.ts'
import { validateMessage } from '../../harness/schema/validate.ts'
import type { CheckContext, Exchange, InvariantContext } from '../engine/kit.ts'
import { isAccepted, showRequest } from '../engine/kit.ts'

/** Exchanges that one warning names. */
const NAMED_MAX = 3

/** What only the inside of a service writes, in the words of its runtime or its database. */
const INTERNALS: readonly RegExp[] = [
  /(?:\\n|\n)\s*at [^\n\\"]{1,200}[(:][^\n\\"]{1,200}:\d+/,
  /Traceback \(most recent call last\)/,
  /\b(?:java|javax|org|com)\.[\w.]{1,100}(?:Exception|Error)\b/,
  /\bgoroutine \d+ \[/,
  /\bSQLSTATE\[|\bORA-\d{5}\b|syntax error at or near/,
  /\/node_modules\/|\/site-packages\//,
]

const WITHOUT_KEY: readonly Exchange['role'][] = ['none', 'invented']

type Sign = {
  readonly id: HygieneId
  readonly isSeen: (exchange: Exchange) => boolean
  readonly shows: (exchange: Exchange) => string
}

const SIGNS: readonly Sign[] = [
  {
    id: 'HYG-01',
    isSeen: (exchange) =>
      isAccepted(exchange) && !WITHOUT_KEY.includes(exchange.role) && isOpenToPages(exchange),
    shows: (exchange) =>
      `Access-Control-Allow-Origin: ${headerValues(exchange, 'access-control-allow-origin').join(', ')}`,
  },
  {
    id: 'HYG-02',
    isSeen: ({ response }) =>
      response !== undefined &&
      response.status >= 400 &&
      INTERNALS.some((pattern) => pattern.test(response.body)),
    shows: ({ response }) => `HTTP ${response?.status ?? 'none'} with internals in its body`,
  },
]

function isOpenToPages(exchange: Exchange): boolean {
  const allowed = headerValues(exchange, 'access-control-allow-origin')
  const origin = exchange.request.headers.find(([name]) => name.toLowerCase() === 'origin')?.[1]
  const isOther = origin !== undefined && origin !== new URL(exchange.request.url).origin
  return allowed.includes('*') || (isOther && allowed.includes(origin))
}

/** Warns of what the history shows. */
export function observeHygiene({ history, observe }: InvariantContext): void {
  for (const { id, isSeen, shows } of SIGNS) {
    const seen = history.filter(isSeen)
    const [first] = seen
    if (first)
      observe(
        id,
        `${seen.length} answers, first: ${showRequest(first)}: ${shows(first)}`,
        seen.slice(0, NAMED_MAX),
      )
  }
}

/** Paths of the interface as they would be without its version. */
const BARE = ['/services', '/orders'] as const

/** Warns of paths beside those of the interface that answer who has no key, and records how the others answer. */
export async function observeBarePaths({ api, observe }: CheckContext): Promise<void> {
  for (const path of BARE) {
    const exchange = await api.as('none').listServices({}, { path })
    if (isAccepted(exchange) && exchange.json !== undefined)
      observe('HYG-03', `GET ${path} without a key: HTTP ${exchange.response?.status ?? 'none'}`, [
        exchange,
      ])
    else
      observe(
        'OPEN-86',
        `GET ${path}: HTTP ${exchange.response?.status ?? 'none'}, ${isEnvelope(exchange) ? '' : 'not '}in the envelope`,
        [exchange],
      )
  }
}

function isEnvelope({ json }: Exchange): boolean {
  return validateMessage('envelope', json).length === 0
}

/** Warns of a /whoami that shows what the key's allowlist holds. Networks only: an address may be that of the caller. */
export async function observeShownAllowlist({ api, keys, observe }: CheckContext): Promise<void> {
  if (!keys.has('allowed')) return
  const networks = (keys.key('allowed').allowlist ?? []).filter((entry) => /[/*]/.test(entry))
  const exchange = await api.as('allowed').whoami()
  const { body = '' } = exchange.response ?? {}
  const shown = networks.filter((entry) => body.replaceAll('\\/', '/').includes(entry))
  if (isAccepted(exchange) && shown.length > 0)
    observe('HYG-04', `GET /whoami shows ${shown.length} entries`, [exchange])
}
