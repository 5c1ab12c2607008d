import { isThrottled } from '../../../contract/answers.ts'
import { slackFor } from '../rate-limits/plan.ts'
import { REFUSAL_RULES } from '../../judge/rules/refusals.ts'
import { answerOf, ruleStatements } from '../shared/rule-tally.ts'
import { unhideBudgets, type UnhideTopic } from './unhide-scripts.ts'
import { traceOf } from './unhide-reads.ts'
import { stateStatements } from './unhide-state-judge.ts'
import type { OrderReads, UnhideScript } from './unhide-reads.ts'
import type { BurstExchange } from './burst-import.ts'
import type { BurstContext, BurstPlan } from './burst-plan.ts'
import { releasesOf } from './burst-proof.ts'
import type { BurstJudgement, BurstRun } from './burst-result.ts'

/** Orders whose readers overlapped for certain that a verdict needs. */
const OVERLAPPING_MIN = 3

/** Holds the reads of every order against its budgets, wherever their windows start. */
export function judgeUnhideBudgets(
  plan: BurstPlan,
  run: BurstRun,
  context: BurstContext,
): BurstJudgement {
  const scripts = plan.file.scripts.map(({ name }, index) =>
    scriptOf(name as UnhideTopic, run.evidence.scripts[index]?.exchanges ?? [], context),
  )
  const orders = scripts.flatMap((script) => script.orders)
  const overlapping = orders.filter(({ isOverlapping }) => isOverlapping).length
  const refusals = orders.flatMap(({ reads }) => reads.filter(isThrottled))
  const silent = scripts.filter(({ orders: each }) => each.length === 0).map(({ topic }) => topic)
  return {
    statements: [
      ...scripts.flatMap(stateStatements),
      ...ruleStatements(REFUSAL_RULES, refusals.map(answerOf), 'refused reads in clear'),
    ],
    ...(overlapping < OVERLAPPING_MIN && {
      undecided: `readers of ${overlapping} orders overlapped for certain, those of ${OVERLAPPING_MIN} are needed`,
    }),
    ...(silent.length > 0 && { undecided: `no order was bought for ${silent.join(', ')}` }),
    passReason: `The budgets of ${orders.length} orders held, ${overlapping} of them with readers side by side.`,
    measurements: { ordersRead: orders.length, ordersMet: overlapping },
    windows: scripts.flatMap((script) => script.orders.map((order) => traceOf(order, script))),
  }
}

function scriptOf(
  topic: UnhideTopic,
  exchanges: readonly BurstExchange[],
  context: BurstContext,
): UnhideScript {
  const budgets = unhideBudgets(context, topic)
  const { windowSeconds } = budgets.completed
  return {
    topic,
    budgets,
    slackMs: slackFor(context.target.timing, windowSeconds),
    filtered: context.limits['orders.filtered'],
    orders: ordersOf(topic, exchanges),
  }
}

/** The orders that were bought and read; both of its names together are a name like others. */
function ordersOf(topic: UnhideTopic, exchanges: readonly BurstExchange[]): OrderReads[] {
  const reads = exchanges.filter(isClear)
  const bought = new Set(
    exchanges
      .filter(({ kind, orderId }) => kind === 'buy' && orderId !== undefined)
      .map(({ reference }) => reference),
  )
  return [...Map.groupBy(reads, ({ reference }) => reference)]
    .filter(([reference]) => bought.has(reference))
    .map(([reference = -1, all]): OrderReads => {
      const shown = all.filter(({ state }) => state !== undefined)
      return {
        name: `${topic} order ${reference + 1}`,
        reads: all,
        shownMs: Math.min(...shown.map(({ receivedMs }) => receivedMs)),
        isOverlapping: releasesOf(all).some(({ overlappingPairs }) => overlappingPairs > 0),
      }
    })
}

/** Reads with unhide=true. */
export function isClear({ kind }: BurstExchange): boolean {
  return kind === 'by-order' || kind === 'by-reference' || kind === 'by-both'
}
