import type { RequestKind } from '../../../load/protocol/bursts.ts'
import { slackFor } from '../rate-limits/plan.ts'
import { refusalStatements } from './refusals.ts'
import type { Statement } from '../shared/statements.ts'
import { isOfChildren, unhideBudgets, type StateTopic, type UnhideTopic } from './unhide-topics.ts'
import { addressStatements } from './unhide-address-judge.ts'
import { ONE_ADDRESS, OTHER_ADDRESS } from './unhide-address-scripts.ts'
import {
  admissionSpreadStatements,
  admissionStatements,
  admissionWindowStatements,
} from './unhide-admission-judge.ts'
import {
  checkoutStatements,
  childrenFirstStatements,
  childStatements,
  countingStatements,
  countsForOrders,
  pendingCheckoutStatements,
} from './unhide-checkout-judge.ts'
import { promiseStatements } from './unhide-promise-judge.ts'
import { defaultStatements } from './unhide-defaults-judge.ts'
import { outcomeOf, traceOf } from './unhide-reads.ts'
import { maskedStatements } from './unhide-masked-judge.ts'
import { MASKED_SCRIPT } from './unhide-masked-script.ts'
import { finalStatements } from './unhide-final-judge.ts'
import { revealStatements } from './unhide-reveal-judge.ts'
import { spreadStatements } from './unhide-spread-judge.ts'
import { stateStatements } from './unhide-state-judge.ts'
import type { OrderReads, UnhideScript } from './unhide-reads.ts'
import { windowStatements } from './unhide-window-judge.ts'
import type { BurstExchange } from './burst-import.ts'
import type { BurstContext, BurstPlan } from './burst-plan.ts'
import { releasesOf } from './burst-proof.ts'
import { exchangesOf, type BurstJudgement, type BurstRun } from './burst-result.ts'

/** Orders whose readers overlapped for certain that a verdict needs. */
const MET_MIN = 3

/** Those that are not about orders of their own. */
const OTHER_SCRIPTS: ReadonlySet<string> = new Set([MASKED_SCRIPT, OTHER_ADDRESS])

const UNHIDES: ReadonlySet<RequestKind> = new Set(['by-order', 'by-reference', 'child'])

/** Holds the reads of every order against its budgets, wherever their windows start. */
export function judgeUnhideBudgets(
  plan: BurstPlan,
  run: BurstRun,
  context: BurstContext,
): BurstJudgement {
  const scripts = plan.file.scripts.flatMap(({ name }, index) =>
    OTHER_SCRIPTS.has(name)
      ? []
      : [scriptOf(name as UnhideTopic, run.evidence.scripts[index]?.exchanges ?? [], context)],
  )
  const orders = scripts.flatMap((script) => script.orders)
  const met = orders.filter(({ isMet }) => isMet).length
  const refusals = orders.flatMap(({ reads }) => reads.filter(({ status }) => status === 429))
  const isCounting = countsForOrders(scripts)
  const statements = [
    ...scripts.flatMap((script) => {
      if (script.topic === ONE_ADDRESS)
        return addressStatements(script, exchangesOf(OTHER_ADDRESS, plan, run))
      return isCounting && isOfChildren(script.topic)
        ? countingStatements(script)
        : statementsOf(script)
    }),
    ...defaultStatements(scripts, context),
    ...finalStatements(run.evidence),
    ...revealStatements(run.evidence),
    ...maskedStatements(exchangesOf(MASKED_SCRIPT, plan, run), context),
    ...refusalStatements(refusals, 'unhide reads'),
  ]
  const silent = scripts.filter(({ orders: each }) => each.length === 0).map(({ topic }) => topic)
  return {
    statements,
    ...(met < MET_MIN && {
      open: `readers of ${met} orders overlapped for certain, those of ${MET_MIN} are needed`,
    }),
    ...(silent.length > 0 && { open: `no order was bought for ${silent.join(', ')}` }),
    passReason: `The budgets of ${orders.length} orders held, ${met} of them with readers side by side.`,
    measurements: { ordersRead: orders.length, ordersMet: met },
    windows: scripts.flatMap((script) =>
      script.orders.map((order) => traceOf(order, script.topic, script.budgets, script.slackMs)),
    ),
  }
}

/** Orders of other kinds are completed ones as vouchers are, if they came to an end. */
function kindStatements(script: UnhideScript): Statement[] {
  const orders = script.orders.filter(({ isFinished }) => isFinished)
  return orders.length === 0 ? [] : stateStatements({ ...script, orders }, 'completed')
}

const JUDGES: Readonly<Partial<Record<UnhideTopic, (script: UnhideScript) => Statement[]>>> = {
  admission: admissionStatements,
  'admission window': admissionWindowStatements,
  'admission spread': admissionSpreadStatements,
  checkout: checkoutStatements,
  'cancelled checkout': checkoutStatements,
  'pending checkout': pendingCheckoutStatements,
  children: childStatements,
  'children first': childrenFirstStatements,
  'other kinds': kindStatements,
  promise: promiseStatements,
  'pending spread': spreadStatements,
  'completed spread': spreadStatements,
  'completed window': windowStatements,
  'pending window': windowStatements,
}

function statementsOf(script: UnhideScript): Statement[] {
  // The others are about one state each.
  const judge = JUDGES[script.topic] ?? ((each) => stateStatements(each, each.topic as StateTopic))
  return judge(script)
}

function scriptOf(
  topic: UnhideTopic,
  exchanges: readonly BurstExchange[],
  context: BurstContext,
): UnhideScript {
  const budgets = unhideBudgets(context, topic)
  const reads = exchanges.filter(({ kind }) => UNHIDES.has(kind))
  const bought = new Set(
    exchanges
      .filter(({ kind, orderId, orders = 1 }) => {
        const isNamed = kind === 'buy' && orderId !== undefined
        // A checkout of one order is that order: whether it has a counter apart is not shown.
        return isNamed && (!isOfChildren(topic) || orders > 1)
      })
      .map(({ reference }) => reference),
  )
  const orders = [...Map.groupBy(reads, (read) => partitionOf(read, topic)).values()]
    .filter(([first]) => bought.has(first?.reference))
    .map((all): OrderReads => {
      const { reference = -1 } = all[0] ?? {}
      const child = isOfChildren(topic) ? all[0]?.child : undefined
      const releases = releasesOf(all)
      const which = child === undefined ? '' : `, child ${child + 1}`
      const seen = exchanges.filter((each) => each.reference === reference && isRead(each))
      const shown = seen.filter(({ state }) => state !== undefined)
      return {
        name: `${topic} order ${reference + 1}${which}`,
        reference,
        ...(child === undefined ? {} : { child }),
        reads: all,
        shownMs: Math.min(...shown.map(({ receivedMs }) => receivedMs)),
        isMet: releases.some(({ overlappingPairs }) => overlappingPairs > 0),
        isFinished: seen.some((each) => each.kind === 'masked' && outcomeOf(each) === 'completed'),
      }
    })
  const { windowSeconds } = budgets.completed
  return {
    topic,
    budgets,
    slackMs: slackFor(context.target.timing, windowSeconds),
    filtered: context.limits['orders.filtered'],
    orders,
  }
}

function isRead({ kind }: BurstExchange): boolean {
  return kind === 'masked' || UNHIDES.has(kind)
}

/** A checkout has budgets of its own, and each of its orders as well; for a single order both names together are a name like others. */
function partitionOf({ reference, child }: BurstExchange, topic: UnhideTopic): string {
  return `${reference ?? ''} ${isOfChildren(topic) ? (child ?? '') : ''}`
}
