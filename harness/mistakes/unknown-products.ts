/** Products of the target file that the catalog does not have. */
import type { ProductAbility } from '../../contract/capabilities.ts'
import type { Exchange } from '../client/exchange.ts'
import { sentReference } from '../client/sent-body.ts'
import { nearest } from '../nearest.ts'
import { selectEach } from '../target-file/select.ts'
import type { Product, Scalar, Target } from '../target-file/target.ts'
import { scalarsOf } from '../judge/catalog.ts'
import type { SystematicCause } from '../judge/causes.ts'
import {
  fieldErrorsOf,
  isSuccess,
  lastNameOf,
  pointerOf,
  productsOf,
  quoted,
  statusOf,
  targetCause,
  type Described,
} from './mistake.ts'

export function unknownProducts(described: Described): SystematicCause[] {
  const { target, history } = described
  const catalog = catalogOf(history)
  return productsOf(target).flatMap((each) => {
    const asked = history.filter(({ products }) => products?.includes(each[0]))
    return isKnown(history, asked) ? [] : unknownProduct(described, each, { asked, catalog })
  })
}

/** Every text of the catalog, where all of it was read. */
function catalogOf(history: readonly Exchange[]): ReadonlySet<string> | undefined {
  const texts = new Set(history.filter(isWholeListing).flatMap(({ json }) => scalarsOf(json)))
  return texts.size === 0 ? undefined : texts
}

function isWholeListing(each: Exchange): boolean {
  return each.operation === 'listServices' && isSuccess(each) && !each.request.url.includes('?')
}

/** Under a reference that stands for another product: its success is a replay, and shows nothing of this one. */
function isForOther(history: readonly Exchange[], asked: Exchange): boolean {
  const reference = sentReference(asked)
  if (reference === undefined) return false
  const first = history.find((each) => isSuccess(each) && sentReference(each) === reference)
  return first !== undefined && !asked.products?.every((each) => first.products?.includes(each))
}

/** One success is enough: the target has it, whatever becomes of it elsewhere. */
function isKnown(history: readonly Exchange[], asked: readonly Exchange[]): boolean {
  return asked.some(
    (each) =>
      isSuccess(each) &&
      (each.operation !== 'lookupItems' || hasFound(each)) &&
      !isForOther(history, each),
  )
}

function hasFound({ json }: Exchange): boolean {
  return (JSON.stringify(json) ?? '').includes('"found":true')
}

type Seen = {
  readonly asked: readonly Exchange[]
  readonly catalog: ReadonlySet<string> | undefined
}

function unknownProduct(
  described: Described,
  [ability, product]: readonly [ProductAbility, Product],
  { asked, catalog }: Seen,
): SystematicCause[] {
  const refused = asked.filter(isRefusedAsUnknown)
  const [first] = refused
  if (!first) return asked.length === 0 ? unlistedProduct(described, ability, product) : []
  const cause = (name: string, shows: string, fix: string): SystematicCause =>
    targetCause(described.target, {
      pointer: pointerOf('products', ability, 'variables', name),
      shows,
      fix,
      exchanges: refused,
      dependents: refused.map(({ check }) => check),
    })
  const absent = catalog === undefined ? undefined : absentFrom(catalog, described.target, ability)
  if (absent !== undefined && catalog !== undefined) {
    const value = String(product.variables[absent])
    const meant = nearest(value, [...catalog])
    return [
      cause(
        absent,
        `the catalog has no ${quoted(value)}, and all ${refused.length} requests for it were refused (${answerOf(first)})`,
        meant === undefined
          ? `write an identifier that GET /api/v1/services lists.`
          : `write ${quoted(meant)}, which the catalog has, or another identifier that it lists.`,
      ),
    ]
  }
  const named = catalog === undefined ? refusedFor(refused, product) : undefined
  if (named === undefined) return []
  return [
    cause(
      named,
      `all ${refused.length} requests with ${quoted(product.variables[named])} were refused for it (${answerOf(first)})`,
      'write an identifier that the catalog has.',
    ),
  ]
}

/** Products that are bought by what their ProductItem says: without it nothing is sent. */
const BOUGHT_BY_ITEM: readonly ProductAbility[] = ['quantity', 'voucher-long']

/** The variable that names the items of other products, and no item for this one. */
function unlistedProduct(
  { target, history, readers }: Described,
  ability: ProductAbility,
  product: Product,
): SystematicCause[] {
  const { items = '' } = target.operations.listServices.selectors
  const whole = history.filter(isWholeListing)
  const listed = whole.flatMap(({ json }) => selectEach(items, json).map(idOf))
  const absent = absentFrom(new Set(listed), target, ability)
  if (absent === undefined || !BOUGHT_BY_ITEM.includes(ability)) return []
  const value = String(product.variables[absent])
  const meant = nearest(value, listed)
  return [
    targetCause(target, {
      pointer: pointerOf('products', ability, 'variables', absent),
      shows: `the catalog has no item ${quoted(value)}, and nothing else says how it is bought`,
      fix:
        meant === undefined
          ? 'write the id of an item that GET /api/v1/services lists.'
          : `write ${quoted(meant)}, which the catalog has, or another id that it lists.`,
      exchanges: whole,
      dependents: readers.get(`products.${ability}.variables`) ?? [],
    }),
  ]
}

function idOf(item: unknown): string {
  return String(((item ?? {}) as { id?: unknown }).id)
}

const UNKNOWN = new Set([400, 404, 422])

function isRefusedAsUnknown(exchange: Exchange): boolean {
  return exchange.operation === 'lookupItems' && isSuccess(exchange)
    ? !hasFound(exchange)
    : UNKNOWN.has(statusOf(exchange))
}

/** The variable whose value the catalog lacks, of those by which it has other products. */
function absentFrom(
  catalog: ReadonlySet<string>,
  target: Target,
  ability: ProductAbility,
): string | undefined {
  const others = productsOf(target).filter(([other]) => other !== ability)
  const isListed = (value: Scalar | undefined): boolean =>
    value !== undefined && catalog.has(String(value))
  return Object.entries(target.products[ability]?.variables ?? {}).find(
    ([name, value]) =>
      typeof value === 'string' &&
      !isListed(value) &&
      others.some(([, { variables }]) => isListed(variables[name])),
  )?.[0]
}

/** The variable that every refusal names as the offending field. */
function refusedFor(refused: readonly Exchange[], { variables }: Product): string | undefined {
  const named = refused.map(({ json }) => fieldErrorsOf(json).map(({ field }) => field))
  return Object.keys(variables).find((name) =>
    named.every((fields) =>
      fields.some((field) => lastNameOf(field).toLowerCase() === name.toLowerCase()),
    ),
  )
}

/** The refusal, short: its status and the fields that it names. */
function answerOf(exchange: Exchange): string {
  const fields = fieldErrorsOf(exchange.json).map(({ field }) => field)
  const named = fields.length === 0 ? '' : `, field ${fields.slice(0, 3).join(', ')}`
  return isSuccess(exchange) ? 'found: false' : `HTTP ${statusOf(exchange)}${named}`
}
