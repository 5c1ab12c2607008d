import type { LoadResult } from '../../schemas/generated/run-record.ts'
import type { Target } from '../target/target.ts'
import type { LoadBudget } from './budget.ts'
import { importEvidence } from './import.ts'
import { judgeLoad } from './judge.ts'
import { planLoad } from './plan.ts'
import type { K6Plan, LoadStream } from './plan.ts'
import { judgeReplayStorm } from './replay-judge.ts'
import { draftReplay, planReplay } from './replay-plan.ts'
import { runK6 } from './run.ts'
import type { K6Run, RunK6Options } from './run.ts'
import type { ScenarioName } from './scenarios.ts'
import { judgeSpendContention } from './spend-judge.ts'
import { draftSpend, planSpend } from './spend-plan.ts'
import { judgeUnhideBudgets } from './unhide-judge.ts'
import { draftUnhide, planUnhide } from './unhide-plan.ts'
import { importVolleys } from './volley-import.ts'
import { budgetOf } from './volley-plan.ts'
import type { Goods, LaneDraft, VolleyContext, VolleyPlan } from './volley-plan.ts'
import { volleyResult } from './volley-result.ts'
import type { VolleyJudgement, VolleyRun } from './volley-result.ts'

/** A scenario whose cost is known, before anything of it is sent. */
export type ReadyScenario = {
  readonly name: ScenarioName
  readonly budget: LoadBudget
  /** Leases what one run needs. A repeated run needs it anew: caps and windows have been spent. */
  attempt(): Promise<ReadyAttempt>
}

export type ReadyAttempt = {
  readonly plan: K6Plan
  /** Runs k6 and judges. `stopped`: by a signal or for time. */
  carryOut(options: Omit<RunK6Options, 'plan'>): Promise<Carried>
}

export type Carried = {
  readonly result: LoadResult
  readonly stopped: K6Run['stopped'] | undefined
}

/** Windows of streams that are known already. */
export function readyWindows(
  target: Pick<Target, 'baseUrl' | 'timing'>,
  streams: readonly LoadStream[],
): ReadyScenario {
  const plan = planLoad('rate-limit-windows', target, streams)
  const { requestsMax, wallSecondsMax } = plan
  return {
    name: 'rate-limit-windows',
    budget: { requestsMax, ordersMax: 0, wallSecondsMax },
    attempt: () =>
      Promise.resolve({
        plan,
        async carryOut(options) {
          const run = await runK6({ ...options, plan }, (path, interrupted) =>
            importEvidence(path, { streams: plan.streams.length, interrupted }),
          )
          return { result: judgeLoad(plan, run, options.k6.version), stopped: run.stopped }
        },
      }),
  }
}

type VolleyName = Exclude<ScenarioName, 'rate-limit-windows'>

/** What differs between scenarios of volleys. */
type VolleyScenario<D extends Draft> = {
  draft(context: VolleyContext): D | { readonly lacks: string }
  plan(context: VolleyContext, draft: D): Promise<VolleyPlan>
  judge(plan: VolleyPlan, run: VolleyRun, context: VolleyContext): VolleyJudgement
}

type Draft = { readonly lanes: readonly LaneDraft[]; readonly goods: readonly Goods[] }

const VOLLEYS: Readonly<Record<VolleyName, VolleyScenario<Draft>>> = {
  'replay-storm': { draft: draftReplay, plan: planReplay, judge: judgeReplayStorm },
  'spend-contention': { draft: draftSpend, plan: planSpend, judge: judgeSpendContention },
  'unhide-budgets': { draft: draftUnhide, plan: planUnhide, judge: judgeUnhideBudgets },
}

/** The scenario of this name, or why this target cannot carry it out. */
export function readyVolleys(
  name: VolleyName,
  context: VolleyContext,
): ReadyScenario | { readonly lacks: string } {
  const scenario = VOLLEYS[name]
  const draft = scenario.draft(context)
  if ('lacks' in draft) return draft
  return {
    name,
    budget: budgetOf(draft.lanes, draft.goods),
    async attempt() {
      const plan = await scenario.plan(context, draft)
      return {
        plan,
        async carryOut(options) {
          const run = await runK6({ ...options, plan }, (path, interrupted) =>
            importVolleys(path, { lanes: plan.lanes.length, interrupted }),
          )
          const judgement = scenario.judge(plan, run, context)
          return {
            result: volleyResult(plan, run, options.k6.version, judgement),
            stopped: run.stopped,
          }
        },
      }
    },
  }
}
