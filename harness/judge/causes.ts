/** What one cause does to many exchanges: a route that is not there, a key that nobody takes. Facts over a whole history; no requirement is judged. */
import { ROLE_SCOPES } from '../../contract/capabilities.ts'
import {
  OPERATIONS,
  partOf,
  type Operation,
  type OperationName,
} from '../../contract/operations.ts'
import type { RequirementId } from '../../contract/requirements/index.ts'
import { STATUS_CODE, type Scope } from '../../contract/wire.ts'
import type { Exchange } from '../client/exchange.ts'
import { pagesForLimits } from './limit-pages.ts'

/** In the order in which they explain each other: what is not answered has no envelope either. */
export const CAUSE_KINDS = [
  'no-answer',
  'server-error',
  'no-route',
  'key-refused',
  'no-envelope',
] as const
type SymptomKind = (typeof CAUSE_KINDS)[number]
export type CauseKind = SymptomKind | 'target-file' | 'throttled'

/** Something that every request of its kind met with, without exception. */
export type SystematicCause = {
  readonly kind: CauseKind
  readonly operations: readonly OperationName[]
  /** A sentence: what is answered, to what, how often. */
  readonly text: string
  readonly nextStep: string
  readonly requests: number
  /** Ids of all exchanges that show it. */
  readonly exchanges: ReadonlySet<string>
  /** What it breaks most plainly, where that does not depend on the kind alone. */
  readonly requirement?: RequirementId
  /** Where the target file is to be corrected, for that kind. */
  readonly place?: string
  /** Checks that build on what the target file says there, for that kind. */
  readonly dependents?: ReadonlySet<string>
}

/** Paths as the target has them, with `{name}` for what varies; relative to `baseUrl`. */
export type Routes = {
  readonly baseUrl: string
  readonly paths: Readonly<Partial<Record<OperationName, string>>>
}

/** Fewer requests make no system. */
const REQUESTS_MIN = 3

/** Keys that are to be refused; what they get says nothing of a route or of a key. */
const TO_BE_REFUSED =
  /^(?:none|invented|unscoped|blocked|blocked-unscoped|revoked|expired|revoked-unscoped|expired-unscoped)$/

const SYMPTOMS: Readonly<Record<SymptomKind, (exchange: Exchange) => boolean>> = {
  'no-answer': ({ error }) => error !== undefined,
  'server-error': (exchange) => statusOf(exchange) >= 500 && !isProviderTimeout(exchange),
  'no-route': (exchange) => [404, 405].includes(statusOf(exchange)),
  'key-refused': (exchange) => [401, 403].includes(statusOf(exchange)),
  'no-envelope': ({ response, json }) => response?.truncated === false && !isEnvelope(json),
}

/** What causes are sought for, the widest first: one that holds for all operations is not told operation by operation. */
const SCOPES: readonly {
  readonly name: string
  readonly covers: (path: string) => boolean
  readonly kinds: readonly SymptomKind[]
}[] = [
  { name: 'Every operation', covers: () => true, kinds: CAUSE_KINDS },
  {
    name: 'Every operation below /api/v1',
    covers: (path) => path.startsWith('/api/v1/'),
    kinds: CAUSE_KINDS.filter((kind) => kind !== 'key-refused'),
  },
]

/** Every cause without exception in the history, the one with most requests first. No two share an exchange. */
export function causesIn(history: readonly Exchange[], routes: Routes): SystematicCause[] {
  const told = history.filter(({ error }) => error?.code !== 'ABANDONED')
  const byOperation = new Map<OperationName, readonly Exchange[]>()
  for (const [operation, exchanges] of Map.groupBy(told, (each) => operationOf(each, routes)))
    if (operation !== undefined) byOperation.set(operation, exchanges)
  const wide = wideCause(byOperation, routes)
  for (const operation of wide?.operations ?? []) byOperation.delete(operation)
  const single = [...byOperation].flatMap(([operation, exchanges]) =>
    causeOf(
      `${OPERATIONS[operation].method} ${routes.paths[operation]}`,
      new Map([[operation, exchanges]]),
      CAUSE_KINDS.filter((kind) => kind !== 'key-refused'),
    ),
  )
  const causes = wide ? [wide, ...single] : single
  const explained = new Set(causes.flatMap(({ exchanges }) => [...exchanges]))
  const others = told.filter(({ id }) => !explained.has(id))
  const all = bareRefusals(others)
  const bare = all.length > 0 ? all : pagesForLimits(others)
  return [...causes, ...bare, ...refusedKeys(told, explained)].toSorted(
    (a, b) => b.requests - a.requests,
  )
}

type ByOperation = ReadonlyMap<OperationName, readonly Exchange[]>

function wideCause(byOperation: ByOperation, { paths }: Routes): SystematicCause | undefined {
  for (const { name, covers, kinds } of SCOPES) {
    const covered = new Map(
      [...byOperation].filter(([operation]) => covers(paths[operation] ?? '')),
    )
    const [cause] = covered.size > 1 ? causeOf(name, covered, kinds) : []
    if (cause) return cause
  }
  return undefined
}

/** The first kind that every request to these operations met with; none where there is an exception. */
function causeOf(
  name: string,
  byOperation: ByOperation,
  kinds: readonly SymptomKind[],
): SystematicCause[] {
  const exchanges = [...byOperation.values()].flat()
  const asked = exchanges.filter(({ role }) => !TO_BE_REFUSED.test(role))
  const meant = asked.filter((exchange) => statusOf(exchange) !== 429)
  if (meant.length === 0 && asked.length >= REQUESTS_MIN)
    return [throttled(name, [...byOperation.keys()], asked)]
  const kind = kinds.find((each) => meant.every(SYMPTOMS[each]))
  if (kind === undefined || meant.length < REQUESTS_MIN) return []
  const operations = [...byOperation.keys()]
  return [
    {
      kind,
      operations,
      text: `${name} ${whatIsAnswered(kind, meant)} to all ${meant.length} requests`,
      nextStep: nextStepOf(kind, operations),
      requests: meant.length,
      exchanges: idsOf(exchanges.filter(SYMPTOMS[kind])),
    },
  ]
}

/** A window that never opens says nothing of what is behind it. */
function throttled(
  name: string,
  operations: readonly OperationName[],
  exchanges: readonly Exchange[],
): SystematicCause {
  return {
    kind: 'throttled',
    operations,
    text: `${name} answers HTTP 429 to all ${exchanges.length} requests`,
    nextStep:
      'Let the windows of these accounts pass, ask who else spends them, or raise their limits; then run again.',
    requests: exchanges.length,
    exchanges: idsOf(exchanges),
  }
}

/** The operation whose own path a request was sent to: one that tries another path or method proves nothing about it. */
function operationOf(
  { operation, request }: Exchange,
  { baseUrl, paths }: Routes,
): OperationName | undefined {
  if (operation === 'raw' || request.method !== OPERATIONS[operation].method) return undefined
  const template = paths[operation]
  if (template === undefined) return undefined
  const wanted = new URL(baseUrl + template.replaceAll(/\{\w+\}/g, 'x')).pathname.split('/')
  const names = template.split('/').slice(-wanted.length)
  const given = new URL(request.url).pathname.split('/')
  const offset = wanted.length - names.length
  const isSame = wanted.every(
    (part, index) => names[index - offset]?.includes('{') || given[index] === part,
  )
  return given.length === wanted.length && isSame ? operation : undefined
}

/** Refusals without an envelope, whatever is refused: one defect, though each of their codes is missed by a check of its own. */
function bareRefusals(history: readonly Exchange[]): SystematicCause[] {
  const refusals = history.filter((exchange) => statusOf(exchange) >= 400)
  const sent = new Set(refusals.map(({ operation }) => operation))
  const operations = [...sent].filter((operation) => operation !== 'raw')
  if (refusals.length < REQUESTS_MIN || operations.length < 2) return []
  if (!refusals.every(SYMPTOMS['no-envelope'])) return []
  return [
    {
      kind: 'no-envelope',
      requirement: 'ERR-01',
      operations,
      text: `Every refusal is answered without an envelope (${statusesOf(refusals)}), all ${refusals.length} of them`,
      nextStep:
        'Let whatever refuses write the envelope: handlers, middleware, and a gateway before them.',
      requests: refusals.length,
      exchanges: idsOf(refusals),
    },
  ]
}

/** Roles whose key every operation refuses. */
function refusedKeys(
  history: readonly Exchange[],
  explained: ReadonlySet<string>,
): SystematicCause[] {
  const byRole = Map.groupBy(
    history.filter((exchange) => !TO_BE_REFUSED.test(exchange.role)),
    ({ role }) => role,
  )
  return [...byRole].flatMap(([role, exchanges]) => {
    const sent = new Set(exchanges.map(({ operation }) => operation))
    const operations = [...sent].filter((operation) => operation !== 'raw')
    const isRefused = exchanges.every(SYMPTOMS['key-refused'])
    const showing = exchanges.filter(({ id }) => !explained.has(id))
    if (!isRefused || showing.length < REQUESTS_MIN || operations.length < 2) return []
    // A key that was only sent where its scope does not reach has to be refused.
    if (!operations.some((operation) => isOpenTo(role, operation))) return []
    return [
      {
        kind: 'key-refused' as const,
        operations,
        text: `The key of role ${role} is refused (${statusesOf(exchanges)}) by all ${operations.length} operations that it was sent to, in ${exchanges.length} requests`,
        nextStep: KEY_STEP,
        requests: exchanges.length,
        exchanges: idsOf(showing),
      },
    ]
  })
}

const SCOPES_OF: Readonly<Record<string, readonly Scope[] | undefined>> = ROLE_SCOPES

/** Without a scope of its own, an operation is open to every key. */
function isOpenTo(role: string, name: OperationName): boolean {
  const { scope }: Operation = OPERATIONS[name]
  return scope === undefined || (SCOPES_OF[role]?.includes(scope) ?? true)
}

const KEY_STEP =
  'Check that the variable holds the key of this environment, that it is neither revoked nor expired, and that its allowlist includes this machine.'

function whatIsAnswered(kind: SymptomKind, exchanges: readonly Exchange[]): string {
  if (kind === 'no-answer') {
    const codes = new Set(exchanges.map(({ error }) => error?.code ?? ''))
    return `gives no answer (${[...codes].toSorted().join(', ')})`
  }
  if (kind === 'no-envelope') return `answers without an envelope (${statusesOf(exchanges)})`
  return `answers ${statusesOf(exchanges)}`
}

function nextStepOf(kind: SymptomKind, operations: readonly OperationName[]): string {
  switch (kind) {
    case 'no-answer':
      return 'Look at the log of the service and at what stands before it: proxy, TLS, connection limits.'
    case 'server-error':
      return 'Look at the log of the service.'
    case 'no-envelope':
      return 'Look at what answers there: a proxy or a login page in its place, or a service that does not write the envelope.'
    case 'key-refused':
      return KEY_STEP
    case 'no-route':
      return operations.length > 1
        ? 'Check the base URL: it ends before /api/v1, and after any prefix of a gateway.'
        : routeStep(operations[0])
  }
}

function routeStep(operation: OperationName | undefined): string {
  const part = operation && partOf(operation)
  const steps = ['Serve it', `correct operations.${operation}.path in the target file`]
  return part === undefined
    ? `${steps.join(', or ')}.`
    : `${steps.join(', ')}, or leave "${part}" out of capabilities.`
}

function statusesOf(exchanges: readonly Exchange[]): string {
  const statuses = [...new Set(exchanges.map(statusOf))].toSorted((a, b) => a - b)
  return `HTTP ${statuses.join(' or ')}`
}

function statusOf({ response }: Exchange): number {
  return response?.status ?? 0
}

/** A check of a top-up whose provider keeps silent: the interface's own 504. */
function isProviderTimeout(exchange: Exchange): boolean {
  const { statusCode } = (exchange.json ?? {}) as { statusCode?: unknown }
  return statusOf(exchange) === 504 && statusCode === STATUS_CODE.providerUnavailable
}

function isEnvelope(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'statusCode' in json && 'traceId' in json
}

function idsOf(exchanges: readonly Exchange[]): ReadonlySet<string> {
  return new Set(exchanges.map(({ id }) => id))
}
