import { type CheckContext, type OrderRequest, asText, untested } from '../../engine/kit.ts'
import type { ProductAbility } from '../../../contract/capabilities.ts'
import type { TransactionStatus } from '../../../contract/wire.ts'
import { pollEsim } from '../esim.ts'
import { buy, dataOf, pollToEnd, readOne, type Bought } from '../orders.ts'
import { UNHIDES, UNHIDES_VOUCHERS, type Filter } from './account.ts'

/** Buys and waits for the end, with masked reads. Untested where the order ends otherwise. */
export async function buyFinished(
  context: CheckContext,
  product: ProductAbility,
  status: Exclude<TransactionStatus, 'IN_PROGRESS'>,
  order: Pick<Partial<OrderRequest>, 'quantity'> = {},
): Promise<Bought> {
  const bought = await buy(context, { product, ...order })
  if (isBoughtAs(bought, status)) return bought
  const end = await finish(context, product, bought)
  if (end !== status)
    untested(`the product "${product}" was to end as ${status}, and is ${asText(end)}`)
  return bought
}

/** Whether the purchase itself was answered with that status, so that no read was needed. */
export function isBoughtAs({ exchange }: Bought, status: TransactionStatus): boolean {
  return dataOf(exchange)['status'] === status
}

/** Waits for the end of an order with masked reads; gives its last status. */
export async function finish(
  context: CheckContext,
  product: ProductAbility,
  bought: Bought,
): Promise<unknown> {
  // An eSIM asks for longer waits than the target file says that it takes.
  const readings = product.startsWith('esim')
    ? await pollEsim(context, bought, { product })
    : await pollToEnd(context, product, { referenceId: bought.referenceId })
  return readings.at(-1)?.item['status']
}

/** The status of one order by a masked read. */
export async function statusNow(context: CheckContext, filter: Filter): Promise<unknown> {
  const { item } = await readOne(context, { ...filter })
  return item['status']
}

/** Orders that stay in a state for as long as its budget is looked at. */
export const LASTING = {
  completed: { product: 'voucher', ends: 'SUCCESS', needs: UNHIDES_VOUCHERS, waits: [] },
  pending: {
    product: 'voucher-partial',
    ends: 'PARTIALLY_COMPLETED',
    needs: { ...UNHIDES, products: ['voucher-partial'] },
    waits: [{ orders: 1, product: 'voucher-partial' }],
  },
} as const
