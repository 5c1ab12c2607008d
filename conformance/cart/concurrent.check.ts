import { CONTENTION_RULE } from '../../harness/judge/rules/refusals.ts'
import { parseMoney, type Micros } from '../../harness/money.ts'
import { check, isObject, type CheckContext, type Exchange } from '../engine/kit.ts'
import { entriesOf } from '../steps/cart.ts'
import { OTHER_KINDS, type Kind } from '../steps/kinds.ts'
import { buyAtOnce, expectWithinCap, needsAtOnce } from '../steps/races/at-once.ts'
import { atRest, expectEach } from '../steps/rules.ts'

/** By what its orders cost. Whether a cancelled one gives its amount back is not shown: it is left out. */
const CARTS: Kind = { ...OTHER_KINDS.checkout, priceOf: costOfOrders }

function costOfOrders(_: CheckContext, exchange: Exchange): Micros {
  return (entriesOf(exchange) ?? [])
    .filter(isObject)
    .filter(({ status }) => status !== 'CANCELLED')
    .reduce((sum, { price }) => sum + (parseMoney(price) ?? 0n), 0n)
}

export const cartsStayWithinCap = check({
  id: 'cart.concurrent-within-cap',
  title: 'carts that arrive together never take a key beyond its cap',
  requirements: ['BUSY-01', 'CAP-21'],
  needs: needsAtOnce([CARTS], CARTS.needs),
  run: async (context) => {
    const bought = await buyAtOnce(context, { kinds: [CARTS], what: 'carts' })
    const answers = bought.bursts.flatMap(({ purchases }) => purchases)
    expectEach(context, atRest([CONTENTION_RULE]), { answers, what: 'carts' })
    expectWithinCap(context, 'CAP-21', { what: 'carts', ...bought })
  },
})
