import { SERVICE_TYPES } from '../../contract/wire.ts'
import type { Call } from '../http/call.ts'
import { invalid, success } from '../http/answer.ts'
import type { Answer, FieldError } from '../http/answer.ts'
import { queryInteger, queryOneOf } from '../http/query.ts'
import type { FaultSet } from '../faults.ts'
import { CATALOG } from './catalog.ts'
import type { CatalogService, ServiceType } from './catalog.ts'
import { presentService } from './present.ts'

const PAGE_SIZE_DEFAULT = 50
const PAGE_SIZE_MAX = 500
const OFFSET_MAX = 1_000_000

type Page = { readonly limit: number; readonly offset: number; readonly isWithoutLimit: boolean }
type Filter = { readonly type: ServiceType | undefined; readonly search: string | undefined }

function readFilter(query: URLSearchParams, errors: FieldError[]): Filter {
  return {
    type: queryOneOf(query, 'type', SERVICE_TYPES, errors),
    search: query.get('search') ?? undefined,
  }
}

/** Undefined without limit and offset: the legacy shape, complete and without a total. */
function readPage(query: URLSearchParams, errors: FieldError[]): Page | undefined {
  if (!query.has('limit') && !query.has('offset')) return undefined
  const limit = queryInteger(query, 'limit', { min: 1, max: PAGE_SIZE_MAX }, errors)
  const offset = queryInteger(query, 'offset', { min: 0, max: OFFSET_MAX }, errors)
  const isWithoutLimit = limit === undefined
  return { limit: limit ?? PAGE_SIZE_DEFAULT, offset: offset ?? 0, isWithoutLimit }
}

function matches(service: CatalogService, filter: Filter, faults: FaultSet): boolean {
  const { type, search } = filter
  if (type !== undefined && service.type !== type && !faults.has('services-type-ignored'))
    return false
  if (search === undefined) return true
  if (faults.has('services-search-prefix-only'))
    return service.name.toLowerCase().startsWith(search.toLowerCase())
  return faults.has('services-search-case-sensitive')
    ? service.name.includes(search)
    : service.name.toLowerCase().includes(search.toLowerCase())
}

function paginated(found: readonly CatalogService[], page: Page, faults: FaultSet): object {
  const offset = faults.has('services-offset-ignored') ? 0 : page.offset
  const limit = faults.has('services-limit-off-by-one') ? page.limit + 1 : page.limit
  const window = found.slice(offset, offset + limit)
  const lacksTotal =
    faults.has('services-total-missing') ||
    (page.isWithoutLimit && faults.has('services-total-needs-limit'))
  if (lacksTotal) return { services: window.map(presentService) }
  const total = faults.has('services-total-of-page') ? window.length : found.length
  return { services: window.map(presentService), total, limit: page.limit, offset: page.offset }
}

/** GET /api/v1/services */
export function listServices({ query, context: { faults } }: Call): Answer {
  const errors: FieldError[] = []
  const filter = readFilter(query, errors)
  const page = readPage(query, errors)
  if (errors.length > 0) throw invalid(errors)
  const found = CATALOG.filter((service) => matches(service, filter, faults))
  if (page !== undefined) return success(paginated(found, page, faults))
  const complete = faults.has('services-legacy-truncated') ? found.slice(0, -1) : found
  return success({ services: complete.map(presentService) })
}
