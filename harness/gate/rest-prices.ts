import type { ProductAbility } from '../../contract/capabilities.ts'
import { referenceIdOf } from '../../contract/reference-id.ts'
import { Api, type OrderRequest } from '../client/api.ts'
import { amountOf } from '../client/bodies.ts'
import { Client } from '../client/client.ts'
import { newReferences } from '../client/references.ts'
import { History } from '../client/history.ts'
import type { BoughtProduct } from '../load/attempts.ts'
import { formatMoney, parseMoney } from '../money.ts'
import type { Target } from '../target-file/target.ts'
import type { CatalogPrice } from '../purchases/price-book.ts'
import { PurchaseGuard } from '../purchases/purchase-guard.ts'
import { PurchaseRefused, type Purchased, type PurchasePermission } from '../purchases/purchase.ts'
import { SpendingTurns } from '../quota/spending-turns.ts'
import { NO_QUOTA } from '../quota/turn-first.ts'
import type { Introducing } from './introduce.ts'

/** The group of their references: they are told apart from those of load. */
const AT_REST = 999

export type RestPrices = {
  readonly purchased: Purchased
  /** Why a product may not be bought by load. */
  readonly unconfirmed: ReadonlyMap<ProductAbility, string>
}

/**
 * Buys one of each product alone and reads what it was charged, before load buys many at once. Ends at the first order that costs more
 * than was reckoned with.
 */
export async function confirmAtRest(
  { target, accounts, transport, clock, signal }: Introducing,
  purchasables: readonly BoughtProduct[],
  permission: PurchasePermission,
  catalog: readonly CatalogPrice[],
): Promise<RestPrices> {
  const guard = new PurchaseGuard(permission, { catalog })
  const client = new Client({
    transport,
    clock,
    history: new History(),
    pacer: new SpendingTurns(NO_QUOTA, guard),
    ...(signal ? { signal } : {}),
  })
  const keyring = await accounts.open({ roles: ['full'] })
  const context = { client, target, clock, guard, keyring, check: 'prices at rest' }
  const api = new Api({ ...context, ...(signal ? { signal } : {}) }, 'full')
  const unconfirmed = new Map<ProductAbility, string>()
  const references = newReferences(target.referenceForm)
  for (const [index, { ability, kind }] of purchasables.entries()) {
    if (guard.prices.isConfirmed(ability)) continue
    const amount = kind === 'dtu' ? amountOf(target, ability) : {}
    const referenceId = referenceIdOf(references, AT_REST, index)
    const order = { product: ability, kind, referenceId, ...amount }
    const why = (await buyAlone(api, guard, order)) ?? whyDearer(target, guard, ability)
    if (why !== undefined) unconfirmed.set(ability, why)
  }
  return { purchased: guard.purchased({ isNamed: true }), unconfirmed }
}

/** Why the price is not confirmed afterwards. */
async function buyAlone(
  api: Api,
  guard: PurchaseGuard,
  order: Pick<OrderRequest, 'product' | 'kind' | 'referenceId' | 'amount'>,
): Promise<string | undefined> {
  const { product, kind } = order
  if (kind === 'platform-gift') return 'the price of a gift is confirmed by its quote alone'
  try {
    const exchange = await api.createOrder(order)
    await guard.idle()
    if (guard.overcharge) return 'an order was charged more than was reckoned with'
    if (guard.prices.isConfirmed(product)) return undefined
    const status = exchange.response?.status
    return guard.prices.whyUnknown(product) ?? `its first purchase was answered HTTP ${status}`
  } catch (cause) {
    if (cause instanceof PurchaseRefused) return cause.message
    throw cause
  }
}

/** What load buys is planned at the price of the target file, so no order may cost more. */
function whyDearer(
  { products }: Target,
  { made }: PurchaseGuard,
  ability: ProductAbility,
): string | undefined {
  const { currency = '', unitPrice } = products[ability] ?? {}
  const stated = parseMoney(unitPrice) ?? 0n
  const charged = made.find(({ product }) => product === ability)?.charged ?? 0n
  return charged > stated
    ? `it was charged ${currency} ${formatMoney(charged)}, the target file states ${formatMoney(stated)}; correct products.${ability}.unitPrice`
    : undefined
}

/** What is left of a permission. */
export function restOf(
  { ordersMax, spendMax }: PurchasePermission,
  { orders, money }: Pick<Purchased, 'orders' | 'money'>,
): PurchasePermission {
  return {
    ...(ordersMax === undefined ? {} : { ordersMax: ordersMax - orders }),
    ...(spendMax && {
      spendMax: { ...spendMax, micros: spendMax.micros - (money.get(spendMax.currency) ?? 0n) },
    }),
  }
}
