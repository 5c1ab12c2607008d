import type {
  ArrivalOperation,
  PlannedOperation,
  ReadName,
  ReadStep,
  SessionKind,
} from '../../load/protocol/arrivals.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { Micros } from '../money.ts'
import type { Target } from '../target/target.ts'
import { renderPath, renderTemplate } from '../target/template.ts'
import { QUOTA_OF, type Spend } from './arrivals-quotas.ts'
import { readSteps } from './read-steps.ts'

/** What sessions of one kind send on a target, and what one of them costs. */
export type SessionPart = {
  readonly operations: Readonly<Partial<Record<ArrivalOperation, PlannedOperation>>>
  /** Without repeats after a 429. */
  readonly requestsMin: number
  readonly requestsMax: number
  readonly spends: readonly Spend[]
  readonly ordersMax: number
  /** Of all its orders. */
  readonly money?: { readonly currency: string; readonly micros: Micros }
  /** How long one keeps its virtual user busy where nothing is refused; an estimate, to plan how many there are. */
  readonly busySeconds: number
  /** Waits of its own, besides those after a 429, last no longer. */
  readonly waitSecondsMax: number
}

export type Lacks = { readonly lacks: string }

/** Stand in urls and bodies for what a session fills in. */
export const MARKS = {
  reference: 'harness-load-reference',
  orderId: 'harness-load-order-id',
  itemId: 'harness-load-item-id',
  offset: 'harness-load-offset',
} as const

export const PAGE_LIMIT = 10
export const PAGES_MAX = 4

/** A client's answers rarely take longer. */
const ANSWER_SECONDS = 0.1

type PartOf = (target: Target) => SessionPart | Lacks

const PARTS: Readonly<Partial<Record<SessionKind, PartOf>>> = { browse: browsePart }

/** The part of a kind, or what the target lacks for it. */
export function partOf(kind: SessionKind, target: Target): SessionPart | Lacks {
  return PARTS[kind]?.(target) ?? { lacks: `sessions of kind ${kind} are not there` }
}

function browsePart(target: Target): SessionPart | Lacks {
  const { path, query } = target.operations.listServices
  if (path === undefined) return { lacks: 'the target file gives no path for listServices' }
  const paged = { ...query, limit: String(PAGE_LIMIT) }
  const services: PlannedOperation = {
    method: 'GET',
    // The mark stays as it is: a number takes its place.
    url: `${urlOf(target, path, paged)}&offset=${MARKS.offset}`,
    reads: readsOf(target, 'listServices', { items: 'services', total: 'total' }),
  }
  const looked = lookupOf(target)
  const requestsMax = PAGES_MAX + (looked === undefined ? 0 : 1)
  return {
    operations: { services, ...looked?.operations },
    requestsMin: 1 + (looked === undefined ? 0 : 1),
    requestsMax,
    spends: [...spend('services', PAGES_MAX), ...(looked ? spend(looked.operation, 1) : [])],
    ordersMax: 0,
    busySeconds: requestsMax * ANSWER_SECONDS,
    waitSecondsMax: 0,
  }
}

/** Requests against the account's quota of an operation; none where it has none. */
export function spend(operation: ArrivalOperation, requests: number): Spend[] {
  const quota = QUOTA_OF[operation]
  return quota === undefined ? [] : [{ quota, requests }]
}

/** The bulk lookup of a product of the target, else the reading of its item; undefined where the target describes neither. */
function lookupOf(target: Target):
  | {
      readonly operation: 'lookup' | 'item'
      readonly operations: SessionPart['operations']
    }
  | undefined {
  const { lookupItems, getItem } = target.operations
  const variables = target.products.voucher?.variables
  if (variables === undefined) return undefined
  if (lookupItems.path !== undefined && lookupItems.body !== undefined) {
    const body = JSON.stringify(renderTemplate(lookupItems.body, variables))
    const url = urlOf(target, renderPath(lookupItems.path, variables), lookupItems.query)
    const reads = readsOf(target, 'lookupItems', { items: 'items' })
    return {
      operation: 'lookup',
      operations: { lookup: { method: 'POST', url, bodies: [body], reads } },
    }
  }
  if (getItem.path === undefined) return undefined
  const url = urlOf(target, renderPath(getItem.path, variables), getItem.query)
  return { operation: 'item', operations: { item: { method: 'GET', url, reads: {} } } }
}

export function urlOf(
  { baseUrl }: Target,
  path: string,
  query: Readonly<Record<string, string>>,
): string {
  const url = new URL(baseUrl + path)
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value)
  return url.href
}

/** Where the values of an answer stand, by the names of the target's selectors. What cannot be said in steps is not read. */
export function readsOf(
  target: Target,
  operation: OperationName,
  names: Readonly<Partial<Record<ReadName, string>>>,
): Partial<Record<ReadName, readonly ReadStep[]>> {
  const { selectors } = target.operations[operation]
  return Object.fromEntries(
    Object.entries(names).flatMap(([read, name]) => {
      const selector = selectors[name]
      const steps = selector === undefined ? undefined : readSteps(selector)
      return steps === undefined ? [] : [[read, steps]]
    }),
  )
}
