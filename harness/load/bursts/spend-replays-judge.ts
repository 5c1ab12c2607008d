import { parseMoney } from '../../money.ts'
import type { Statement } from '../shared/statements.ts'
import { ordersOf } from './spend-orders.ts'
import {
  PURCHASES,
  replayedCapOf,
  replayedPurchasables,
  REPLAYS_SCRIPT,
} from './spend-replays-script.ts'
import type { BurstExchange } from './burst-import.ts'
import type { Purchasable, BurstContext, BurstPlan } from './burst-plan.ts'
import { exchangesOf, type BurstRun } from './burst-result.ts'
import { isCapRefusal } from '../../judge/answers.ts'
import { isNamed } from './burst-proof.ts'

/** A purchase that was sent again is paid for once: the cap has room for two more. */
export function replayedStatements(
  plan: BurstPlan,
  run: BurstRun,
  context: Pick<BurstContext, 'target' | 'accounts'>,
): Statement[] {
  const exchanges = exchangesOf(REPLAYS_SCRIPT, plan, run)
  return replayedPurchasables(context).flatMap((purchasables, key) =>
    statementsOf(
      purchasables,
      exchanges.filter((each) => each.key === key),
    ),
  )
}

function statementsOf(purchasable: Purchasable, exchanges: readonly BurstExchange[]): Statement[] {
  const name = purchasable.lines ? 'checkouts' : `orders of ${purchasable.ability}`
  const [first, ...others] = ordersOf(exchanges)
  const again = first?.attempts.filter(({ phase }) => phase === 'replay-accepted') ?? []
  const ids = new Set(first?.attempts.filter(isNamed).map(({ orderId }) => orderId))
  if (again.length === 0 || !again.every(isNamed) || ids.size !== 1) return []
  // What they cost, not what the target file says: the cap was made for that.
  const price = parseMoney(first?.attempts.find(isNamed)?.price)
  if (price === undefined || BigInt(PURCHASES) * price > replayedCapOf(purchasable)) return []
  const refused = others.filter(({ attempts }) => attempts.some(isCapRefusal)).length
  const bought = others.filter(({ attempts }) => attempts.some(isNamed)).length
  const observed = `${REPLAYS_SCRIPT}: ${name}: after a replay ${bought} of ${others.length} more were bought and ${refused} refused by the cap, which has room for them`
  if (refused > 0) return [{ requirement: 'IDEM-09', verdict: 'fail', observed }]
  return bought === others.length ? [{ requirement: 'IDEM-09', verdict: 'pass', observed }] : []
}
