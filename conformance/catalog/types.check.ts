import { SOLD_AS, type Capability, type ProductAbility } from '../../contract/capabilities.ts'
import type { SERVICE_TYPES } from '../../contract/wire.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import {
  identitiesOf,
  identityOf,
  isAmong,
  type Located,
  sharedWith,
} from '../../harness/judge/catalog.ts'
import { type CheckContext, type RequirementId, check, untested } from '../engine/kit.ts'
import {
  firstPage,
  isPaged,
  list,
  LISTS_CATALOG,
  listingOf,
  locateAbility,
  valuesOf,
  type Listing,
  type Query,
  whileUnchanged,
} from '../steps/catalog-listing.ts'

type ServiceType = (typeof SERVICE_TYPES)[number]

const TYPES = Object.keys(SOLD_AS) as ServiceType[]

type Readings = {
  readonly whole: Listing
  readonly byType: Readonly<Record<ServiceType, Listing>>
  readonly pages: Readonly<Record<ServiceType, Listing>>
}

/** Products of a type that the whole listing shows, by ability. */
function soldOf(
  context: CheckContext,
  { whole }: Readings,
  type: ServiceType,
): readonly (readonly [ProductAbility, Located])[] {
  return SOLD_AS[type].flatMap((ability) => {
    const located = locateAbility(context, whole, ability)
    return located ? [[ability, located] as const] : []
  })
}

async function readEachType(
  context: CheckContext,
  read: (context: CheckContext, query: Query) => Promise<Listing>,
): Promise<Readonly<Record<ServiceType, Listing>>> {
  return {
    voucher: await read(context, { type: 'voucher' }),
    direct_topup: await read(context, { type: 'direct_topup' }),
    esim: await read(context, { type: 'esim' }),
  }
}

async function readTypes(context: CheckContext): Promise<Readings> {
  return whileUnchanged(context, {}, async () => ({
    whole: await list(context),
    byType: await readEachType(context, list),
    // A first page is enough to show what does not belong there.
    pages: await readEachType(context, firstPage),
  }))
}

/** Sold products that a type's listing has, though they are of another type. A service may sell both: then it stands in both. */
function intrudersOf(context: CheckContext, readings: Readings, type: ServiceType): string[] {
  const own = soldOf(context, readings, type).map(([, { product }]) => identityOf(product))
  return TYPES.filter((other) => other !== type)
    .flatMap((other) => soldOf(context, readings, other))
    .filter(([, { product }]) => !own.includes(identityOf(product)))
    .filter(([ability, located]) =>
      isAmong(readings.byType[type].products, valuesOf(context, ability), located),
    )
    .map(([ability]) => `the product "${ability}", which is no ${type}`)
}

/** Sold products of a type that its listing leaves out, if it is no page. */
async function missingFrom(
  context: CheckContext,
  readings: Readings,
  type: ServiceType,
): Promise<string[]> {
  const missing = soldOf(context, readings, type)
    .filter(
      ([ability, located]) =>
        !isAmong(readings.byType[type].products, valuesOf(context, ability), located),
    )
    .map(([ability]) => `without the product "${ability}"`)
  const isDoubtful = missing.length > 0 && (await isPaged(context, { type }, readings.byType[type]))
  return isDoubtful ? [] : missing
}

/** Where no product of another type is known: a listing that is the whole catalog, although another type has products too. */
function overlapsOf({ whole, byType }: Readings, type: ServiceType): string[] {
  if (byType[type].products.length < whole.products.length) return []
  return TYPES.filter((other) => {
    const others = byType[other].products
    const isNarrower = others.length < whole.products.length
    return other !== type && isNarrower && sharedWith(others, byType[type].products).length > 0
  }).map((other) => `the whole catalog: type=${other} finds products too`)
}

/** Products on the page of a type that only another type's listing has: the filter holds for pages too. */
function straysOf({ byType, pages }: Readings, type: ServiceType): string[] {
  const page = pages[type].products
  const own = new Set(identitiesOf(byType[type].products))
  return TYPES.flatMap((other) => {
    if (other === type) return []
    const strays = sharedWith(page, byType[other].products).filter(
      (product) => !own.has(identityOf(product)),
    )
    return strays.length === 0 ? [] : [`${strays.length} of type=${other} on its first page`]
  })
}

/** Sold products of other types that a search for them finds all the same: two filters at once both hold. */
async function foundBySearch(
  context: CheckContext,
  { whole }: Readings,
  type: ServiceType,
): Promise<{ wrong: readonly string[]; exchanges: readonly Exchange[] }> {
  const wrong: string[] = []
  const exchanges: Exchange[] = []
  for (const other of TYPES) {
    const [ability] = SOLD_AS[other]
    const search = context.target.products[ability]?.search
    const located = locateAbility(context, whole, ability)
    if (other === type || search === undefined || !located) continue
    const exchange = await context.api.as('full').listServices({ type, search })
    const { products } = listingOf(context, exchange)
    if (!isAmong(products, valuesOf(context, ability), located)) continue
    wrong.push(`the product "${ability}" beside search=${search}`)
    exchanges.push(exchange)
  }
  return { wrong, exchanges }
}

function leavesOnly(
  type: ServiceType,
  requirement: RequirementId,
  capabilities: readonly Capability[] = [],
): ReturnType<typeof check> {
  const [ability] = SOLD_AS[type]
  return check({
    id: `catalog.type-${type.replace('_', '-')}`,
    title: `type=${type} leaves the products of that type and no other`,
    requirements: [requirement],
    needs: {
      ...LISTS_CATALOG,
      capabilities: [...LISTS_CATALOG.capabilities, ...capabilities],
      products: [ability],
    },
    run: async (context) => {
      const readings = await readTypes(context)
      const { exchange, products } = readings.byType[type]
      if (!locateAbility(context, readings.whole, ability))
        untested(`product "${ability}" cannot be recognized in the listing`)
      const searched = await foundBySearch(context, readings, type)
      const wrong = [
        ...searched.wrong,
        ...intrudersOf(context, readings, type),
        ...overlapsOf(readings, type),
        ...straysOf(readings, type),
        ...(await missingFrom(context, readings, type)),
      ]
      context.expect(requirement).that(`type=${type} filters the listing`, {
        holds: wrong.length === 0,
        expected: `product "${ability}", each other that is sold of it, and none of another type`,
        observed: [
          `${products.length} of ${readings.whole.products.length} products`,
          ...wrong,
        ].join('; '),
        exchanges: [
          exchange,
          readings.whole.exchange,
          readings.pages[type].exchange,
          ...searched.exchanges,
        ],
      })
    },
  })
}

export const typeVoucher = leavesOnly('voucher', 'CAT-03')
export const typeDirectTopUp = leavesOnly('direct_topup', 'CAT-04', ['dtu'])
export const typeEsim = leavesOnly('esim', 'CAT-05', ['esim'])
