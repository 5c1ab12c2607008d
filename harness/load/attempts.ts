import type { Lacks } from './shared/lacks.ts'
import type { Bucket } from '../../contract/limits.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import type { ProductAbility } from '../../contract/capabilities.ts'
import type { OrderKind, Target } from '../target-file/target.ts'
import { importOpenModel } from './open-model/import.ts'
import { draftOpenModel } from './open-model/draft.ts'
import type { OpenModelContext } from './open-model/context.ts'
import { openModelResult } from './open-model/result.ts'
import { OPEN_MODELS, type OpenModelName } from './open-model/scenarios.ts'
import type { LoadBudget } from './shared/budget.ts'
import { scriptCounters } from './bursts/script-counters.ts'
import { judgeWithSkew } from './clock-skew.ts'
import type { PlannedAttempt } from './planned-attempt.ts'
import { unknownWindows, type SpentCounter } from './shared/known-windows.ts'
import { sessionOrders, burstOrders } from './load-orders.ts'
import type { OrderMade } from '../purchases/purchase.ts'
import { importEvidence } from './rate-limits/import.ts'
import { judgeLoad } from './rate-limits/judge.ts'
import { planLoad } from './rate-limits/plan.ts'
import type { LoadStream } from './rate-limits/plan.ts'
import { judgeReplayStorm } from './bursts/replay-judge.ts'
import { draftReplay, planReplay } from './bursts/replay-plan.ts'
import type { K6Outcome } from './evidence/k6-run.ts'
import type { ScenarioName } from './shared/scenarios.ts'
import { judgeSpendContention } from './bursts/spend-judge.ts'
import { draftSpend, planSpend } from './bursts/spend-plan.ts'
import { judgeUnhideBudgets } from './bursts/unhide-judge.ts'
import { draftUnhide, planUnhide } from './bursts/unhide-plan.ts'
import { importBursts } from './bursts/burst-import.ts'
import { budgetOf } from './bursts/burst-plan.ts'
import type { Purchasable, BurstDraft, BurstContext, BurstPlan } from './bursts/burst-plan.ts'
import { burstResult } from './bursts/burst-result.ts'
import type { BurstJudgement, BurstRun } from './bursts/burst-result.ts'
import type { WorkloadChoice } from './open-model/workloads.ts'

/** A product that is bought, and how. */
export type BoughtProduct = { readonly ability: ProductAbility; readonly kind: OrderKind }

/** A scenario whose cost is known before it sends anything. */
export type PricedScenario = {
  readonly name: ScenarioName
  readonly budget: LoadBudget
  /** What it buys. */
  readonly buys?: readonly BoughtProduct[]
  /** Leases what one run needs. A repeated run needs it anew: caps and windows have been spent. */
  attempt(): Promise<PlannedAttempt>
}

/** Windows of streams that are known already. */
export function rateLimitScenario(
  target: Pick<Target, 'baseUrl' | 'timing'>,
  streams: readonly LoadStream[],
): PricedScenario {
  const plan = planLoad('rate-limit-windows', target, streams)
  const { requestsMax, expectedSeconds, wallSecondsMax, counters } = plan
  return {
    name: 'rate-limit-windows',
    budget: { requestsMax, ordersMax: 0, expectedSeconds, wallSecondsMax, counters },
    attempt: () => Promise.resolve({ kind: 'windows', plan }),
  }
}

export type BurstName = Exclude<ScenarioName, 'rate-limit-windows' | OpenModelName>

/** What differs between scenarios of bursts. */
type BurstScenario<D extends BurstDraft> = {
  draft(context: BurstContext): D | Lacks
  plan(context: BurstContext, draft: D): Promise<BurstPlan>
  judge(plan: BurstPlan, run: BurstRun, context: BurstContext): BurstJudgement
}

/** How each scenario of bursts is laid out, planned and judged; who carries it out is another matter. */
export const BURSTS: Readonly<Record<BurstName, BurstScenario<BurstDraft>>> = {
  'replay-storm': { draft: draftReplay, plan: planReplay, judge: judgeReplayStorm },
  'spend-contention': { draft: draftSpend, plan: planSpend, judge: judgeSpendContention },
  'unhide-budgets': { draft: draftUnhide, plan: planUnhide, judge: judgeUnhideBudgets },
}

/** The scenario of this name, or why this target cannot carry it out. */
export function burstScenario(name: BurstName, context: BurstContext): PricedScenario | Lacks {
  const scenario = BURSTS[name]
  const unknown = unknownWindows(context.limits, countersOf(name, context))
  if (unknown !== undefined) return { lacks: unknown }
  const draft = scenario.draft(context)
  if ('lacks' in draft) return draft
  return {
    name,
    budget: {
      ...budgetOf(draft.scripts, draft.purchasables),
      ...scriptCounters(draft.scripts, draft.purchasables),
    },
    buys: boughtOf(draft.purchasables),
    async attempt() {
      return { kind: 'bursts', plan: await scenario.plan(context, draft), context }
    },
  }
}

/** Counters whose size a scenario of bursts builds on, where its accounts have none made to order. */
function countersOf(name: BurstName, { accounts }: BurstContext): SpentCounter[] {
  const bought = { bucket: 'default', endpoint: 'createOrder' } as const
  const reads = ['orders.filtered'] as Bucket[]
  if (name === 'unhide-budgets' && !accounts.make)
    reads.push('orders.unhide.pending', 'orders.unhide.completed')
  return [bought, ...reads.map((bucket) => ({ bucket, endpoint: 'getOrders' }) as const)]
}

/** Each purchasable, and what checkouts consist of. */
function boughtOf(purchasables: readonly Purchasable[]): BoughtProduct[] {
  return purchasables.flatMap(({ ability, kind, lines }): BoughtProduct[] =>
    lines ? lines.map(({ product }) => ({ ability: product, kind: 'shop' })) : [{ ability, kind }],
  )
}

/** Sessions buy vouchers: those that come later where the target has them, and both in carts. */
export function sessionBuys({ products }: Pick<Target, 'products'>): BoughtProduct[] {
  const abilities = ['voucher', 'voucher-async'] as const
  return abilities.flatMap((ability) => (products[ability] ? [{ ability, kind: 'shop' }] : []))
}

/** The open-model scenario of this name for a workload, or why this target cannot carry it out. */
export function openModelScenario(
  name: OpenModelName,
  context: OpenModelContext,
  choice: WorkloadChoice,
): PricedScenario | Lacks {
  const draft = draftOpenModel(name, context, choice)
  if ('lacks' in draft) return draft
  return {
    name,
    budget: draft.budget,
    buys: draft.budget.ordersMax > 0 ? sessionBuys(context.target) : [],
    attempt: async () => ({ kind: 'open-model', plan: await draft.plan(), context }),
  }
}

type JudgedWith = {
  readonly k6Version: string
  readonly onOrders?: (orders: Iterable<OrderMade>) => void
}

/** Reads what k6 left behind and judges it. Throws E_K6_FAILED where the evidence cannot be trusted. */
export async function judgeAttempt(
  attempt: PlannedAttempt,
  outcome: K6Outcome,
  { k6Version, onOrders = () => {} }: JudgedWith,
): Promise<LoadResult> {
  const interrupted = outcome.stopped !== undefined
  const path = outcome.evidencePath
  switch (attempt.kind) {
    case 'windows': {
      const { plan } = attempt
      const evidence = await importEvidence(path, { streams: plan.streams.length, interrupted })
      return judgeLoad(plan, { ...outcome, evidence }, k6Version)
    }
    case 'bursts': {
      const { plan, context } = attempt
      const evidence = await importBursts(path, { scripts: plan.scripts.length, interrupted })
      onOrders(burstOrders(plan, evidence))
      const run = { ...outcome, evidence }
      const judgement = BURSTS[plan.scenario as BurstName].judge(plan, run, context)
      return burstResult(plan, run, { k6Version, judgement })
    }
    case 'open-model': {
      const { plan, context } = attempt
      const { sessions, keyEnvs } = plan.file
      const evidence = await importOpenModel(path, { sessions, keys: keyEnvs.length, interrupted })
      onOrders(sessionOrders(plan, evidence.sessions))
      const run = { ...outcome, evidence }
      const scenario = OPEN_MODELS[plan.scenario as OpenModelName]
      const judgement = judgeWithSkew(evidence, plan.clockSkewMs ?? 0, (each) =>
        scenario.judge(each, plan, context),
      )
      return openModelResult(plan, run, { k6Version, judgement })
    }
  }
}
