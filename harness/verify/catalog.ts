/** The catalog, and whether the products of the target file stand in it at their prices. Pure. */
import type { ProductAbility } from '../../contract/capabilities.ts'
import { currencyCode, formatMoney, parseMoney } from '../money.ts'
import { KIND_PRODUCTS } from '../target-file/rules.ts'
import { selectOne } from '../target-file/select.ts'
import type { Product, Target } from '../target-file/target.ts'
import { answerText, isAccepted } from './asker.ts'
import { itemsIn, type Item } from './catalog-items.ts'
import { fail, notTried, pass, warn, type Layer } from './layer.ts'
import type { Answers } from './questions.ts'

export function catalogLayer(target: Target, { services, counted, shortOf }: Answers): Layer {
  const name = 'catalog'
  if (!services)
    return notTried(name, shortOf ? `no ${shortOf} was left for it` : 'no key could ask for it')
  if (!isAccepted(services))
    return fail(
      name,
      answerText(services),
      'Give a key the scope product:read, or wait for its window.',
    )
  const items = itemsIn(target, services.json)
  if (items.length === 0)
    return warn(
      name,
      'no item was found in its answer',
      target.operations.listServices.selectors['items'] === undefined
        ? 'Give operations.listServices.selectors.items: npm run try -- listServices shows the answer.'
        : 'Correct operations.listServices.selectors.items, or fill the catalog.',
    )
  const total = selectOne(target.operations.listServices.selectors['total'] ?? '', counted?.json)
  const ofTotal = typeof total === 'number' ? `, total ${total}` : ''
  return pass(name, `${items.length} items${ofTotal}`)
}

/** The price of one unit that the catalog states for what is bought by the piece. */
export type Compared =
  | { readonly is: 'equal' | 'above' | 'not in the catalog' | 'not comparable' }
  | { readonly is: 'other'; readonly expected: string; readonly got: string }

const BY_PIECE: ReadonlySet<ProductAbility> = new Set([
  ...KIND_PRODUCTS.shop,
  ...KIND_PRODUCTS.esim,
])

/** Where several items have an id of the product, as ids that count within one service, the price of one of them is enough. */
export function comparePrice(
  ability: ProductAbility,
  product: Product,
  items: readonly Item[],
): Compared {
  const compared = itemsOf(product, items).map((item) => compareItem(ability, product, item))
  const known = compared.find(({ is }) => is !== 'other') ?? compared[0]
  if (known === undefined) return { is: 'not in the catalog' }
  if (known.is !== 'other') return known
  const got = compared.flatMap((each) => (each.is === 'other' ? [each.got] : []))
  return { ...known, got: [...new Set(got)].join(' or ') }
}

function compareItem(ability: ProductAbility, product: Product, item: Item): Compared {
  const stated = parseMoney(product.unitPrice)
  const shown = ability === 'quantity' ? item['unitPrice'] : item['price']
  const micros = parseMoney(shown)
  const isPriced = BY_PIECE.has(ability) || ability === 'quantity'
  if (!isPriced || stated === undefined || micros === undefined) return { is: 'not comparable' }
  const currency = currencyCode(item['currency'])
  // A unitPrice is in USD. What an item of another currency costs does not follow from it.
  if (ability === 'quantity' && currency !== 'USD' && product.currency === currency)
    return { is: 'not comparable' }
  const currencies = ability === 'quantity' ? ['USD', currency] : [currency]
  // An order may cost more than the catalog says, by a markup, a fee or a tax.
  if (stated >= micros && currencies.includes(product.currency ?? currency))
    return { is: stated === micros || ability === 'quantity' ? 'equal' : 'above' }
  return {
    is: 'other',
    expected: `${product.currency ?? ''} ${formatMoney(stated)}`.trim(),
    got: `${String(currency)} ${formatMoney(micros)}`,
  }
}

/** Items whose id is one of the product's variables. */
function itemsOf({ variables }: Product, items: readonly Item[]): readonly Item[] {
  const values = new Set(Object.values(variables).map(String))
  return items.filter(({ id }) => values.has(id))
}

export function productsLayer(target: Target, { services }: Answers): Layer {
  const name = 'products'
  const products = Object.entries(target.products) as [ProductAbility, Product][]
  if (products.length === 0)
    return notTried(
      name,
      'the target file names none',
      'Give products in a target file: npm run init lists candidates.',
    )
  const items = isAccepted(services) ? itemsIn(target, services?.json) : []
  if (items.length === 0) return notTried(name, 'no item of the catalog could be read')
  const compared = products
    .filter(([ability]) => ability !== 'platform-gift')
    .map(([ability, product]) => [ability, comparePrice(ability, product, items)] as const)
  const of = (is: Compared['is']): string[] =>
    compared.filter(([, each]) => each.is === is).map(([ability]) => ability)
  const others = compared.flatMap(([ability, each]) =>
    each.is === 'other' ? [`${ability} costs ${each.got}, the file says ${each.expected}`] : [],
  )
  const rest = of('not comparable')
  const notCompared = rest.length > 0 ? `; not comparable: ${rest.join(', ')}` : ''
  if (others.length > 0)
    return fail(
      name,
      others.join('; '),
      'Correct unitPrice and currency of these products: --max-spend counts with them.',
    )
  const lost = of('not in the catalog')
  if (lost.length > 0)
    return warn(
      name,
      `not in the catalog by any of their variables: ${lost.join(', ')}${notCompared}`,
      'Correct their variables; npm run init lists what the catalog has.',
    )
  const above = of('above')
  const dearer = above.length > 0 ? `; dearer in the file, as with a fee: ${above.join(', ')}` : ''
  return pass(
    name,
    `${of('equal').length} of ${products.length} stand in the catalog at the price of the file${dearer}${notCompared}`,
  )
}
