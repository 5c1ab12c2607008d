/** What buyers and shoppers are judged by in the scenarios that they come in. */
import { QUOTA_OF } from './quotas.ts'
import { limitOf } from '../../quota/effective-limits.ts'
import type { ArrivalsEvidence } from './import.ts'
import { sharedStatements } from './judge.ts'
import type { ArrivalsPlan } from './plan.ts'
import type { ArrivalsContext } from './draft.ts'
import type { ArrivalsJudgement } from './result.ts'
import { browseStatements } from './browse-judge.ts'
import { slackFor } from '../rate-limits/plan.ts'
import { cartGoods, orderGoods } from './purchasables.ts'
import type { SessionGoods } from './purchasables.ts'
import { judgeSessions } from './sessions-judge.ts'
import type { SessionsFacts } from './sessions-judge.ts'
import type { Lacks } from '../shared/lacks.ts'

/** Pairs of carts on one key at the same time that show contention. */
const PAIRS_MIN = 3

type Judge = (
  evidence: ArrivalsEvidence,
  plan: ArrivalsPlan,
  context: ArrivalsContext,
) => ArrivalsJudgement

/** One order for each client, followed to its end. */
export const judgePolling: Judge = judgeWith(0)

/** Carts that many clients buy at the same moment. */
export const judgeCheckout: Judge = judgeWith(PAIRS_MIN)

/** Buyers and shoppers among many who browse. */
export function judgeMixed(
  evidence: ArrivalsEvidence,
  plan: ArrivalsPlan,
  context: ArrivalsContext,
): ArrivalsJudgement {
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
  { keys, caps = [] }: ArrivalsPlan,
  { target, limits }: ArrivalsContext,
  pairsMin: number,
): SessionsFacts {
  const goods = { order: known(orderGoods(target)), cart: known(cartGoods(target)) }
  const readLimit = limits['orders.filtered']
  return {
    keys,
    caps,
    positions: goods.cart?.orders ?? 0,
    completesWithinSeconds: (kind) => goods[kind]?.product.completesWithinSeconds,
    replayStatusCode: target.answers.replayStatusCode,
    limitOf: (operation) => {
      const quota = QUOTA_OF[operation]
      return limitOf(limits, quota?.bucket ?? 'default', quota?.endpoint)
    },
    readLimit,
    slackMs: slackFor(target.timing, readLimit.windowSeconds),
    amountOf: (kind) => goods[kind]?.price,
    pairsMin,
  }
}

function known(goods: SessionGoods | Lacks): SessionGoods | undefined {
  return 'lacks' in goods ? undefined : goods
}
