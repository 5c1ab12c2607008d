/** What only faults do to pages of a filtered catalog. */
import type { FaultSet } from '../faults/faults.ts'
import type { CatalogService, ServiceType } from '../model/catalog.ts'

/** What a request filters by, and which page it asks for. */
export type Asked = {
  readonly type: ServiceType | undefined
  readonly search: string | undefined
  /** As it is written; undefined where it is not. */
  readonly limit: number | undefined
  readonly offset: number | undefined
}

type Cut = { readonly limit: number; readonly offset: number }

const WITHOUT_LIMIT = 500

function isFiltered({ type, search }: Asked): boolean {
  return type !== undefined || search !== undefined
}

/** The page that is shown in place of the one that is asked for. */
export function otherCut(cut: Cut, asked: Asked, faults: FaultSet): Cut {
  const { limit, offset } = cut
  if (faults.isEmpty) return cut
  if (asked.limit === undefined) {
    const isIgnored = isFiltered(asked) && faults.has('services-filtered-offset-alone-ignored')
    const most = isIgnored ? 0 : faults.has('services-offset-alone-is-one') ? 1 : offset
    return { limit, offset: Math.min(offset, most) }
  }
  const isOfLimit = asked.offset === undefined && isFiltered(asked)
  if (isOfLimit && faults.has('services-filtered-limit-alone-ignored'))
    return { limit: WITHOUT_LIMIT, offset }
  if (asked.search !== undefined && offset > 0 && faults.has('services-searched-later-pages-empty'))
    return { limit: 0, offset }
  const repeats = asked.type !== undefined && faults.has('services-typed-later-pages-repeat')
  return repeats ? { limit, offset: Math.max(0, offset - 1) } : cut
}

/** How a page is filtered in place of what is asked for. */
export function otherFilter(asked: Asked, faults: FaultSet): Pick<Asked, 'type' | 'search'> {
  const { type, search, offset } = asked
  const isUnsearched = type !== undefined && faults.has('services-typed-pages-ignore-search')
  const isLater = type === 'esim' && offset !== undefined && offset > 0
  const isUntyped = isLater && faults.has('services-later-esims-among-others')
  return { type: isUntyped ? undefined : type, search: isUnsearched ? undefined : search }
}

/** Whether what has the text is counted, whatever its type. */
export function countsEveryType({ search }: Asked, faults: FaultSet): boolean {
  return search !== undefined && faults.has('services-total-of-search-ignores-type')
}

export function hasIdWith({ id }: CatalogService, search: string, faults: FaultSet): boolean {
  return faults.has('services-search-in-ids') && id.includes(search.toLowerCase())
}
