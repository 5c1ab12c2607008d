import type { Scalar } from '../../harness/target/target.ts'
import type { CheckContext } from '../check.ts'

/** What to top up with: `amount` among the variables of the product "dtu", else one unit. */
export function topUpAmount({ target }: Pick<CheckContext, 'target'>): Scalar {
  return target.products.dtu?.variables['amount'] ?? 1
}
