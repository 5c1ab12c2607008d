import { AMOUNT_DEFAULT } from '../../harness/client/bodies.ts'
import type { Scalar } from '../../harness/target-file/target.ts'
import type { CheckContext, Needs } from '../engine/kit.ts'

/** What a check needs to buy top-ups, besides the role that buys. */
export const BUYS_TOP_UPS = {
  capabilities: ['dtu'],
  products: ['dtu'],
  orderKinds: ['dtu'],
} as const satisfies Needs

/** A top-up as it is bought: by `amount` among the variables of the product "dtu", else one unit. */
export function topUpOrder({ target }: Pick<CheckContext, 'target'>): {
  readonly product: 'dtu'
  readonly kind: 'dtu'
  readonly amount: Scalar
} {
  const amount = target.products.dtu?.variables['amount'] ?? AMOUNT_DEFAULT
  return { product: 'dtu', kind: 'dtu', amount }
}
