/** Prices of what completes later, read before checks begin that share accounts. */
import type { ProductAbility } from '../../contract/capabilities.ts'
import { Api } from '../../harness/client/api.ts'
import type { Target } from '../../harness/target-file/target.ts'
import type { CheckDefinition } from './check.ts'
import type { Session } from './session.ts'

/**
 * Where a sum is permitted, buys one of each such product that the checks buy, and reads what it was charged. Later a check may hold the
 * counter of these readings, and wait for its own turn to buy: neither would go on. Never rejects.
 */
export async function confirmLaterPrices(
  session: Session,
  checks: readonly CheckDefinition[],
): Promise<void> {
  const { guard, client, options } = session
  const { accounts, isGentle, target, clock, signal } = options
  const isHeld = checks.some(({ needs: { windows = [] } }) => windows.length > 0)
  const isFree = !guard.isStrict || isGentle || accounts.fresh || !isHeld
  if (isFree || !accounts.roles.includes('full')) return
  const keyring = await accounts.open({ roles: ['full'] })
  const context = { client, target, clock, guard, keyring, signal, check: 'prices' }
  const api = new Api(context, 'full')
  for (const product of laterProducts(target, checks)) {
    const kind = product.startsWith('esim') ? 'esim' : 'shop'
    // Whatever keeps it from being bought, the checks that need it meet it too, and say so.
    await api.createOrder({ product, kind, referenceId: session.reference() }).catch(() => {})
    await guard.idle()
  }
}

function laterProducts(
  { products }: Pick<Target, 'products'>,
  checks: readonly CheckDefinition[],
): Set<ProductAbility> {
  const bought = checks.flatMap(({ needs }) => (needs.purchases ? (needs.products ?? []) : []))
  return new Set(bought.filter((each) => products[each]?.completesWithinSeconds !== undefined))
}
