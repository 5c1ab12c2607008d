import type { PlannedOperation } from '../../../load/protocol/arrivals.ts'
import type { Target } from '../../target/target.ts'
import { renderPath, renderTemplate } from '../../target/template.ts'
import {
  ANSWER_SECONDS,
  MARKS,
  readsOf,
  spend,
  urlOf,
  type Lacks,
  type SessionPart,
} from './session-parts.ts'

/** Few, so that a small catalog too takes several pages. */
export const PAGE_LIMIT = 5
export const PAGES_MAX = 4

/** What a client sends that browses: pages of the services, then a lookup. */
export function browsePart(target: Target): SessionPart | Lacks {
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
