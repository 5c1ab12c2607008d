/** What buyers and shoppers are judged by in the scenarios that they come in. */
import { QUOTA_OF } from './quotas.ts'
import { limitOf } from '../../quota/effective-limits.ts'
import type { OpenModelEvidence } from './import.ts'
import { sharedStatements } from './judge.ts'
import type { OpenModelPlan } from './plan.ts'
import type { OpenModelContext } from './context.ts'
import type { Judgement } from '../shared/conclusion.ts'
import { browseStatements } from './browse-judge.ts'
import { slackFor } from '../rate-limits/plan.ts'
import { cartPurchasable, orderPurchasable } from './purchasables.ts'
import type { SessionPurchasable } from './purchasables.ts'
import { judgeSessions } from './sessions-judge.ts'
import type { SessionsFacts } from './sessions-judge.ts'
import type { Lacks } from '../shared/lacks.ts'

/** Pairs of carts on one key at the same time that show contention. */
const PAIRS_MIN = 3

type Judge = (
  evidence: OpenModelEvidence,
  plan: OpenModelPlan,
  context: OpenModelContext,
) => Judgement

/** One order for each client, followed to its end. */
export const judgePolling: Judge = judgeWith(0)

/** Carts that many clients buy at the same moment. */
export const judgeCheckout: Judge = judgeWith(PAIRS_MIN)

/** Buyers and shoppers among many who browse. */
export function judgeMixed(
  evidence: OpenModelEvidence,
  plan: OpenModelPlan,
  context: OpenModelContext,
): Judgement {
  const judgement = judgePolling(evidence, plan, context)
  judgement.statements.add(browseStatements(evidence, plan))
  return judgement
}

function judgeWith(pairsMin: number): Judge {
  return (evidence, plan, context) => {
    const judgement = judgeSessions(evidence, factsOf(plan, context, pairsMin))
    judgement.statements.add(sharedStatements(evidence, plan, context))
    return judgement
  }
}

function factsOf(
  { keys, caps = [] }: OpenModelPlan,
  { target, limits }: OpenModelContext,
  pairsMin: number,
): SessionsFacts {
  const purchasables = {
    order: known(orderPurchasable(target)),
    cart: known(cartPurchasable(target)),
  }
  const readLimit = limits['orders.filtered']
  return {
    keys,
    caps,
    positions: purchasables.cart?.orders ?? 0,
    completesWithinSeconds: (kind) => purchasables[kind]?.product.completesWithinSeconds,
    limitOf: (operation) => {
      const quota = QUOTA_OF[operation]
      return limitOf(limits, quota?.bucket ?? 'default', quota?.endpoint)
    },
    readLimit,
    slackMs: slackFor(target.timing, readLimit.windowSeconds),
    amountOf: (kind) => purchasables[kind]?.price,
    pairsMin,
  }
}

function known(purchasable: SessionPurchasable | Lacks): SessionPurchasable | undefined {
  return 'lacks' in purchasable ? undefined : purchasable
}
