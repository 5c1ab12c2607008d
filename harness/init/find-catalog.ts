/** Where the listing of the catalog holds items, products, names and their number. Pure. */
import { isContainer } from '../objects.ts'
import { selectOne } from '../target-file/select.ts'
import { isProductItem, type Item } from '../verify/catalog-items.ts'
import {
  excerptOf,
  pathOf,
  placesOf,
  selectorOf,
  selectorProposal,
  type Place,
  type Proposal,
  type Step,
} from './places.ts'

export type CatalogShape = {
  readonly proposals: readonly Proposal[]
  readonly items: readonly ListedItem[]
  readonly services: readonly Service[]
  /** Members of a service that could be its name, the likeliest first. */
  readonly nameMembers: readonly string[]
  /** How products are selected, up to the member. */
  readonly servicesPath?: readonly Step[]
}

export type Service = Readonly<Record<string, unknown>>
export type ListedItem = { readonly item: Item; readonly service?: Service }

/** `complete`: without any query parameter. `counted`: with `limit=1`, which carries the total. */
export function findCatalog(complete: unknown, counted: unknown): CatalogShape {
  const places = placesOf(complete)
  const group = largest(groups(places.filter(({ value }) => isProductItem(value))))
  if (!group) return { proposals: [], items: [], services: [], nameMembers: [] }
  const itemsPath = group[0]?.path ?? []
  const items = selectorProposal('listServices', 'items', pathOf(itemsPath), {
    excerpt: excerptOf(group.map(({ value }) => (value as Item).id)),
    why: 'what has id, currency, price and inStock',
    certainty: 'sure',
  })
  const total = totalOf(counted)
  const servicesPath = servicesOf(places, itemsPath, total.count)
  const services = servicesPath
    ? places.filter((each) => isAt(each, servicesPath)).map(({ value }) => value as Service)
    : []
  const members = nameMembers(services)
  return {
    proposals: [
      items,
      ...(servicesPath
        ? [
            selectorProposal('listServices', 'services', pathOf(servicesPath), {
              excerpt: `${services.length} of them, total says ${total.count}`,
              why: 'as many as total counts',
              certainty: 'sure',
            }),
          ]
        : []),
      ...(total.proposal ? [total.proposal] : []),
    ],
    items: group.map((place) => listedItem(place, places, servicesPath)),
    services,
    nameMembers: members,
    ...(servicesPath && { servicesPath }),
  }
}

function listedItem(
  place: Place,
  places: readonly Place[],
  servicesPath: readonly Step[] | undefined,
): ListedItem {
  const item = place.value as Item
  if (!servicesPath) return { item }
  const above = place.path.slice(0, servicesPath.length)
  const service = places.find(({ path }) => isSamePath(path, above))?.value as Service | undefined
  return service ? { item, service } : { item }
}

function groups(places: readonly Place[]): Place[][] {
  return [...Map.groupBy(places, ({ path }) => pathOf(path)).values()]
}

function largest(all: readonly Place[][]): Place[] | undefined {
  return all.toSorted((a, b) => b.length - a.length)[0]
}

/** The interface names the member and not its place: where the default finds none, a number of the whole is looked for. */
function totalOf(counted: unknown): { readonly count?: number; readonly proposal?: Proposal } {
  const byDefault = selectOne('$..total', counted)
  if (typeof byDefault === 'number') return { count: byDefault }
  const found = placesOf(counted).find(
    ({ path, value }) => /total|count/i.test(String(path.at(-1))) && Number.isInteger(value),
  )
  if (!found) return {}
  return {
    count: found.value as number,
    proposal: selectorProposal('listServices', 'total', selectorOf(found.path), {
      excerpt: excerptOf([found.value]),
      why: 'a whole number that is called so',
      certainty: 'likely',
    }),
  }
}

/** The elements, on the way to the items or they themselves, that are as many as the total. */
function servicesOf(
  places: readonly Place[],
  itemsPath: readonly Step[],
  total: number | undefined,
): readonly Step[] | undefined {
  const ends = itemsPath.flatMap((step, index) => (typeof step === 'number' ? [index + 1] : []))
  const ways = ends.map((end) => itemsPath.slice(0, end))
  return ways.find((way) => places.filter((each) => isAt(each, way)).length === total)
}

function isAt({ path }: Place, way: readonly Step[]): boolean {
  return (
    path.length === way.length &&
    path.every((step, index) =>
      typeof step === 'number' ? typeof way[index] === 'number' : step === way[index],
    )
  )
}

function isSamePath(a: readonly Step[], b: readonly Step[]): boolean {
  return a.length === b.length && a.every((step, index) => step === b[index])
}

/** What holds the service of an item, where each item stands alone in the catalog. */
const HOLDER = /^(?:service|product|brand)$/i

/** The members of a service. Those of an object that holds it are named after it, such as `service.id`. */
function membersOf(service: Service): string[] {
  return Object.entries(service).flatMap(([name, value]) =>
    HOLDER.test(name) && isContainer(value) && !Array.isArray(value)
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name],
  )
}

/** The way to a member. */
export function stepsTo(member: string): readonly string[] {
  const [holder = '', ...rest] = member.split('.')
  return HOLDER.test(holder) && rest.length > 0 ? [holder, rest.join('.')] : [member]
}

export function valueAt(service: Service | undefined, member: string): unknown {
  return stepsTo(member).reduce<unknown>(
    (value, step) => (isContainer(value) ? (value as Service)[step] : undefined),
    service,
  )
}

const NAME =
  /^(?:(?:service|product|brand)\.)?(?:name|title|label|displayname|display_name|servicename|service_name)$/i
const NO_NAME = /id$|type|url|image|currency|key$/i

function nameMembers(services: readonly Service[]): string[] {
  const [first] = services
  if (!first) return []
  const texts = membersOf(first).filter((name) =>
    services.every((each) => {
      const text = valueAt(each, name)
      return typeof text === 'string' && text !== ''
    }),
  )
  const likely = texts.filter((name) => NAME.test(name))
  return [...likely, ...texts.filter((name) => !NAME.test(name) && !NO_NAME.test(name))]
}

const SERVICE_ID = /^(?:service|product)[._]?id$/i

/**
 * The member that holds what a lookup by service id wants. Where the catalog lists items without a service around them, only a name says
 * which that is: their own id is another.
 */
export function serviceIdMember(
  { services, items }: Pick<CatalogShape, 'services' | 'items'>,
  nameMember?: string,
): string | undefined {
  const [first] = services
  if (!first) return undefined
  const ids = membersOf(first).filter(
    (name) => name !== nameMember && services.every((each) => isIdentifier(valueAt(each, name))),
  )
  const named = ids.find((name) => SERVICE_ID.test(name))
  if (named !== undefined || items.some(({ item, service }) => item === service)) return named
  const distinct = ids.filter(
    (name) => new Set(services.map((each) => valueAt(each, name))).size === services.length,
  )
  return (
    distinct.find((name) => /^id$/i.test(name)) ??
    distinct.find((name) => /id$|key$|code$|sku$|slug$/i.test(name))
  )
}

function isIdentifier(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || Number.isInteger(value)
}
