import { SERVICE_TYPES } from '../../contract/wire.ts'
import type { Call } from '../model/call.ts'
import { type Answer, invalid, notFound, success } from '../http/answer.ts'
import { QueryFields } from '../http/query.ts'
import type { FaultName, FaultSet } from '../faults/faults.ts'
import {
  briefName,
  CATALOG,
  type CatalogService,
  LARGER_CATALOG,
  type ServiceType,
} from '../model/catalog.ts'
import { type Asked, countsEveryType, hasIdWith, otherCut, otherFilter } from './page-faults.ts'
import { presentService } from './present.ts'

const PAGE_SIZE_DEFAULT = 50
const PAGE_SIZE_MAX = 500
const OFFSET_MAX = 1_000_000
/** The service of the voucher in the target file; only a fault looks for it. */
const SOLD_SERVICE = 'svc-arcade'

type Page = {
  readonly limit: number
  readonly offset: number
  readonly isWithoutLimit: boolean
  /** Only a fault minds whether the page is of what a search finds. */
  readonly isSearched: boolean
}
type Filter = {
  readonly type: ServiceType | undefined
  readonly search: string | undefined
  /** Only faults mind whether a page was asked for. */
  readonly isOfPage: boolean
}

function readFilter(query: URLSearchParams, fields: QueryFields): Filter {
  return {
    type: fields.oneOf('type', SERVICE_TYPES),
    search: query.get('search') ?? undefined,
    isOfPage: query.has('limit') || query.has('offset'),
  }
}

/** Undefined without limit and offset: the legacy shape, complete and without a total. */
function readPage(query: URLSearchParams, fields: QueryFields, sizeMax: number): Page | undefined {
  if (!query.has('limit') && !query.has('offset')) return undefined
  const limit = fields.integer('limit', { min: 1, max: sizeMax })
  const offset = fields.integer('offset', { min: 0, max: OFFSET_MAX })
  const isWithoutLimit = limit === undefined
  const isSearched = query.has('search') && !query.has('type')
  return { limit: limit ?? PAGE_SIZE_DEFAULT, offset: offset ?? 0, isWithoutLimit, isSearched }
}

/** Types that faults do not filter by. */
const IGNORED_TYPES: readonly (readonly [FaultName, readonly ServiceType[]])[] = [
  ['services-type-ignored', ['voucher']],
  ['services-esim-type-ignored', ['esim']],
]

function hasType(service: CatalogService, { type, search }: Filter, faults: FaultSet): boolean {
  if (faults.isEmpty) return type === undefined || service.type === type
  if (search !== undefined && type === 'esim' && faults.has('services-search-ignores-esim-type'))
    return true
  const isByQuantity = service.items.some(({ quantityMode }) => quantityMode !== undefined)
  if (type && isByQuantity && faults.has('services-topups-without-quantity')) return false
  if (isOddOne(service, type, faults)) return type === 'direct_topup'
  if (type === undefined || service.type === type) return true
  return IGNORED_TYPES.some(([name, types]) => faults.has(name) && types.includes(type))
}

/** Only faults take one product for one of another type, or leave one out. */
function isOddOne(service: CatalogService, type: Filter['type'], faults: FaultSet): boolean {
  const isLong = service.items.some(({ minQtyToLongOrder }) => minQtyToLongOrder !== undefined)
  if (type === 'direct_topup' && isLong) return faults.has('services-long-vouchers-as-top-ups')
  const isLater = service !== CATALOG.find((other) => other.type === 'esim')
  const isLaterEsim = type === 'esim' && service.type === 'esim' && isLater
  return isLaterEsim && faults.has('services-type-esim-first')
}

/** Faults that fail on a character of what is searched for. */
const FAILING: readonly (readonly [FaultName, string])[] = [
  ['services-search-quote-fails', "'"],
  ['services-search-emoji-fails', '\u{1F381}'],
]

function hasName(
  service: CatalogService,
  { search, isOfPage, type }: Filter,
  faults: FaultSet,
): boolean {
  const { name } = service
  if (search === undefined || faults.has('services-search-ignored')) return true
  if (type === 'esim' && faults.has('services-search-ignored-for-esims')) return true
  if (search.length < 3 && faults.has('services-search-needs-three')) return true
  if (service.id === 'svc-etoile' && faults.has('services-search-index-lags')) return false
  const failing = FAILING.find(([name, sign]) => search.includes(sign) && faults.has(name))
  if (failing) throw new Error(`${failing[0]} is on.`)
  const mindsCase =
    faults.has('services-search-case-sensitive') ||
    (isOfPage && faults.has('services-pages-mind-case'))
  if (mindsCase) return name.includes(search)
  const [lowerName, lowerSearch] = [name.toLowerCase(), search.toLowerCase()]
  if (isLoose(lowerName, lowerSearch, faults) || hasIdWith(service, search, faults)) return true
  if (faults.has('services-search-misses-beginnings')) return lowerName.indexOf(lowerSearch) > 0
  return faults.has('services-search-prefix-only')
    ? lowerName.startsWith(lowerSearch)
    : lowerName.includes(lowerSearch)
}

/** A variant looks at the names of items in place of that of the service. */
function hasItemNamed({ items, name: ofService }: CatalogService, search: string): boolean {
  const names = items.map(({ name }) => briefName(name, ofService).toLowerCase())
  return names.some((name) => name.includes(search.toLowerCase()))
}

/** Only faults take a text for something else than what it says. */
function isLoose(name: string, search: string, faults: FaultSet): boolean {
  if (faults.has('services-search-any-word'))
    return search.split(' ').some((word) => word !== '' && name.includes(word))
  if (faults.has('services-search-words'))
    return search.split(' ').every((word) => name.includes(word))
  if (faults.has('services-search-pattern')) return new RegExp(search, 'u').test(name)
  const pattern = search.replaceAll('_', '.').replaceAll('%', '.*')
  return faults.has('services-search-wildcards') && new RegExp(pattern, 'u').test(name)
}

function matches(service: CatalogService, filter: Filter, faults: FaultSet): boolean {
  if (service.id === SOLD_SERVICE && faults.has('services-omit-sold-product')) return false
  const isOfType = hasType(service, filter, faults)
  const isNamed = hasName(service, filter, faults)
  const isEither = faults.has('services-either-filter') && filter.type && filter.search
  return isEither ? isOfType || isNamed : isOfType && isNamed
}

/** Only a fault shows the catalog in another order each time. */
function ordered(found: readonly CatalogService[], faults: FaultSet): readonly CatalogService[] {
  if (!faults.has('services-order-changes')) return found
  faults.countRead('services')
  const start = faults.reads('services') % Math.max(1, found.length)
  return [...found.slice(start), ...found.slice(0, start)]
}

function paginated(found: readonly CatalogService[], page: Page, faults: FaultSet): object {
  const isIgnored = page.isWithoutLimit && faults.has('services-offset-alone-ignored')
  const shift = faults.has('services-offset-from-one') && page.offset > 0 ? 1 : 0
  const offset = isIgnored ? 0 : page.offset - shift
  const limit = faults.has('services-limit-off-by-one') ? page.limit + 1 : page.limit
  const isUnlimited = page.isSearched && faults.has('services-searched-without-limit')
  const most = isUnlimited ? PAGE_SIZE_MAX : Math.min(limit, pageMost(faults))
  const isCutFirst = page.isSearched && faults.has('services-searched-after-paging')
  const whole = isCutFirst
    ? CATALOG.slice(offset, offset + most).filter((service) => found.includes(service))
    : found.slice(offset, offset + most)
  const isDropped = whole.length < limit && faults.has('services-last-page-empty')
  const window = isDropped ? [] : whole
  const services = window.map((service) => presentService(service, faults, 'page'))
  const lacksTotal =
    faults.has('services-total-missing') ||
    (page.isWithoutLimit && faults.has('services-total-needs-limit')) ||
    (found.length < CATALOG.length && faults.has('services-filtered-total-missing')) ||
    (window.length === 0 && faults.has('services-empty-total-missing')) ||
    (offset > 0 && faults.has('services-total-on-first-page'))
  if (lacksTotal) return { services }
  const isFromOffset = faults.has('services-total-from-offset')
  const total = totalOf(isFromOffset ? found.slice(offset) : found, window, faults)
  return { services, total, limit: page.limit, offset: page.offset }
}

/** Only faults cap what limit asks for. */
function pageMost(faults: FaultSet): number {
  return faults.has('services-limit-capped-late') ? 10 : PAGE_SIZE_MAX
}

function totalOf(found: readonly unknown[], window: readonly unknown[], faults: FaultSet): number {
  if (faults.has('services-total-ignores-filters')) return CATALOG.length
  if (window.length === 0 && faults.has('services-total-zero-beyond')) return 0
  return faults.has('services-total-of-page') ? window.length : found.length
}

/** Products on a page whose size is not asked for. */
const FILTERED_PAGE = 5

/** GET /api/v1/services */
export function listServices({ query, context: { faults, variants } }: Call): Answer {
  const fields = new QueryFields(query)
  const asked = readFilter(query, fields)
  const sizeMax = variants.has('pages-of-five') ? 5 : PAGE_SIZE_MAX
  const page = readPage(query, fields, sizeMax)
  const isUntyped = page !== undefined && faults.has('services-pages-ignore-type')
  const written: Asked = {
    ...asked,
    limit: page && !page.isWithoutLimit ? page.limit : undefined,
    offset: query.has('offset') ? page?.offset : undefined,
  }
  const filter = {
    ...asked,
    ...(page && otherFilter(written, faults)),
    ...(isUntyped && { type: undefined }),
  }
  if (fields.errors.length > 0) throw invalid(fields.errors)
  if ((asked.search ?? '   ').length < 3 && variants.has('short-searches-refused'))
    throw invalid([{ code: 'TOO_SHORT', field: 'search', message: 'Three letters at least.' }])
  const catalog = variants.has('catalog-larger') ? LARGER_CATALOG : CATALOG
  const isWhole = page !== undefined && faults.has('services-pages-ignore-filters')
  const isLater = (page?.offset ?? 0) > 0 && faults.has('services-later-pages-unfiltered')
  // The items of a stranger keep their whole names, which a search for the brief ones would not find.
  const looksAtItems = variants.has('searches-look-at-items') && !variants.has('stranger')
  const byItems = looksAtItems ? asked.search : undefined
  const found = catalog.filter(
    (service) =>
      isWhole ||
      isLater ||
      (byItems === undefined
        ? matches(service, filter, faults)
        : hasType(service, filter, faults) && hasItemNamed(service, byItems)),
  )
  if (found.length === 0 && variants.has('empty-catalog-pages-404'))
    throw notFound('No product passes the filters.', 'nothing_found')
  if (page !== undefined) {
    const shown = paginated(
      ordered(found, faults),
      { ...page, ...otherCut(page, written, faults) },
      faults,
    )
    if (!countsEveryType(written, faults)) return success(shown)
    const ofAnyType = catalog.filter((service) => hasName(service, filter, faults))
    return success({ ...shown, total: ofAnyType.length })
  }
  const isLegacy = query.size === 0
  const place = query.has('search') ? 'search' : 'whole'
  const complete = isLegacy && faults.has('services-legacy-truncated') ? found.slice(0, -1) : found
  const isCut = !isLegacy && variants.has('services-filter-alone-paged')
  const cut = isCut ? complete.slice(0, FILTERED_PAGE) : complete
  return success({ services: cut.map((service) => presentService(service, faults, place)) })
}
