/** Products that the catalog lists as another type than that of their ability. */
import { SOLD_AS, type ProductAbility } from '../../contract/capabilities.ts'
import type { SERVICE_TYPES } from '../../contract/wire.ts'
import type { Exchange } from '../client/exchange.ts'
import { isAmong, locate } from '../judge/catalog.ts'
import type { SystematicCause } from '../judge/causes.ts'
import { selectEach } from '../target-file/select.ts'
import type { Product } from '../target-file/target.ts'
import { isSuccess, pointerOf, quoted, statusOf, targetCause, type Described } from './mistake.ts'

type ServiceType = (typeof SERVICE_TYPES)[number]

const TYPES = Object.keys(SOLD_AS) as ServiceType[]

/** All answers of one filter, and the products of the first. */
type Listing = { readonly exchanges: readonly Exchange[]; readonly products: readonly unknown[] }

/**
 * A product that the list of its own type lacks, while one narrower list of another type has it. Where a purchase of it was accepted, the
 * service sells it as what the file says, so its lists are to be judged.
 */
export function wrongTypes(described: Described): SystematicCause[] {
  const { target, history } = described
  const whole = listingOf(described, undefined)
  if (whole.products.length === 0) return []
  return TYPES.flatMap((type) =>
    SOLD_AS[type].flatMap((ability) => {
      const product = target.products[ability]
      const isSold = history.some((each) => isPurchaseOf(each, ability) && isSuccess(each))
      return product === undefined || isSold
        ? []
        : wrongType(described, whole, { type, ability, product })
    }),
  )
}

type Stated = {
  readonly type: ServiceType
  readonly ability: ProductAbility
  readonly product: Product
}

function wrongType(described: Described, whole: Listing, stated: Stated): SystematicCause[] {
  const { type, ability, product } = stated
  const values = Object.values(product.variables)
  const located = locate(whole.products, values)
  const own = listingOf(described, type)
  if (located === undefined || own.exchanges.length === 0) return []
  if (isAmong(own.products, values, located)) return []
  const [other, more] = TYPES.filter((each) => {
    const { products } = listingOf(described, each)
    return products.length < whole.products.length && isAmong(products, values, located)
  })
  if (other === undefined || more !== undefined) return []
  const refused = described.history.filter(
    (each) => isPurchaseOf(each, ability) && REFUSED.has(statusOf(each)),
  )
  // The check of the other type meets the product as well.
  const exchanges = [...own.exchanges, ...listingOf(described, other).exchanges, ...refused]
  return [
    targetCause(described.target, {
      pointer: pointerOf('products', ability),
      shows: `the catalog lists this product as ${quoted(other)}, not as ${quoted(type)}`,
      fix: `write the variables of a product that GET /api/v1/services?type=${type} lists.`,
      exchanges,
      dependents: exchanges.map(({ check }) => check),
    }),
  ]
}

const REFUSED: ReadonlySet<number> = new Set([400, 404, 409, 422])

function isPurchaseOf({ operation, products }: Exchange, ability: ProductAbility): boolean {
  return operation === 'createOrder' && products?.includes(ability) === true
}

/** The catalog, or what it has of one type, where no other filter was asked for. */
function listingOf({ target, history }: Described, type: ServiceType | undefined): Listing {
  const asked = type === undefined ? '' : `type=${type}`
  const exchanges = history.filter(
    (each) =>
      each.operation === 'listServices' &&
      isSuccess(each) &&
      new URL(each.request.url).searchParams.toString() === asked,
  )
  const { services = '' } = target.operations.listServices.selectors
  return { exchanges, products: selectEach(services, exchanges[0]?.json) }
}
