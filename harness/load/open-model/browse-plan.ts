import type { PlannedOperation } from '../../../load/protocol/open-model.ts'
import type { Target } from '../../target-file/target.ts'
import { renderTemplate } from '../../target-file/template.ts'
import { operationUrl } from '../shared/operation-url.ts'
import { lacksPath, type Lacks } from '../shared/lacks.ts'
import { ANSWER_SECONDS, MARKS, spend, type ClientPlan } from './client-plan.ts'
import { readsOf } from '../bursts/read-steps.ts'

/** Few, so that a small catalog too takes several pages. */
export const PAGE_LIMIT = 5
export const PAGES_MAX = 4

/** What a client sends that browses: pages of the services, then a lookup. */
export function browsePlan(target: Target): ClientPlan | Lacks {
  const paged = operationUrl(target, 'listServices', {
    variables: target.products.voucher?.variables,
    query: { limit: String(PAGE_LIMIT) },
  })
  if (paged === undefined) return lacksPath('listServices')
  const services: PlannedOperation = {
    method: 'GET',
    // The mark stays as it is: a number takes its place.
    url: `${paged}&offset=${MARKS.offset}`,
    reads: readsOf(target, 'listServices', { items: 'services', total: 'total' }),
  }
  const looked = lookupOf(target)
  const requestsMax = PAGES_MAX + (looked === undefined ? 0 : 1)
  return {
    operations: { services, ...looked?.operations },
    requestsMin: 1 + (looked === undefined ? 0 : 1),
    requestsMax,
    requestsUsual: requestsMax,
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
      readonly operations: ClientPlan['operations']
    }
  | undefined {
  const { lookupItems } = target.operations
  const variables = target.products.voucher?.variables
  if (variables === undefined) return undefined
  const { method, body: template } = lookupItems
  const lookup = operationUrl(target, 'lookupItems', { variables })
  if (lookup !== undefined && (method === 'GET' || template !== undefined)) {
    const body =
      template === undefined ? {} : { body: JSON.stringify(renderTemplate(template, variables)) }
    const reads = readsOf(target, 'lookupItems', { items: 'items' })
    return {
      operation: 'lookup',
      operations: { lookup: { method, url: lookup, ...body, reads } },
    }
  }
  const item = operationUrl(target, 'getItem', { variables })
  return item === undefined
    ? undefined
    : { operation: 'item', operations: { item: { method: 'GET', url: item, reads: {} } } }
}
