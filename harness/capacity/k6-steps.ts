import type { Lacks } from '../load/shared/lacks.ts'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { importOpenModel } from '../load/open-model/import.ts'
import { planOpenModel, type OpenModelPlan, type clientPlansOf } from '../load/open-model/plan.ts'
import { leaseKeys } from '../load/open-model/draft.ts'
import type { OpenModelContext } from '../load/open-model/context.ts'
import { openModelResult } from '../load/open-model/result.ts'
import { OPEN_MODELS } from '../load/open-model/scenarios.ts'
import { CLOCK_STEP_MS_MAX } from '../load/shared/conclusion.ts'
import { sessionOrders, underWayMax } from '../load/load-orders.ts'
import type { Micros } from '../money.ts'
import type { OrderMade } from '../purchases/purchase.ts'
import { liveViewOf } from '../load/live-views.ts'
import type { LoadOvercharge } from '../../load/protocol/plan.ts'
import type { K6Outcome } from '../load/evidence/k6-run.ts'
import { runK6, type RunK6Options } from '../load/k6/run.ts'
import type { StepRunner } from './conduct.ts'
import { MachineWatch } from './machine.ts'
import { measureStep } from './measure.ts'
import type { CapacityScenario } from './page.ts'
import {
  accountsFor,
  sessionsFor,
  thinkSecondsFor,
  tightestSeconds,
  type CapacityPlan,
} from './plan.ts'
import type { Step } from './search.ts'
import type { StepEvidence } from './verdict.ts'

export type K6Steps = {
  readonly scenario: CapacityScenario
  readonly plan: CapacityPlan
  readonly context: OpenModelContext
  readonly parts: Exclude<ReturnType<typeof clientPlansOf>, Lacks>
  readonly k6: Omit<RunK6Options, 'plan' | 'live' | 'onProgress' | 'onStarted'>
  onProgress(text: string): void
  /** Hears of every step in which a requirement was broken. */
  onBroken(result: LoadResult): void
  onAccounts(count: number): void
  /** Hears of the orders of each step. */
  onOrders(orders: Iterable<OrderMade>): void
  /** Hears of an order that cost more than was confirmed: the search ends there. */
  onOvercharge(overcharge: LoadOvercharge, underWay: Micros): void
}

/** What waits in the service after a step beyond its capacity is gone after as long again; it is given a part of that. */
const REST_MS = 500
const USERS_MIN = 8
const USERS_MAX = 1000
/** A pool that is used up by a service that keeps its goals would hold so many times as many. */
const USERS_FACTOR = 1.25

/** Carries steps out with k6, each in a process of its own. */
export function k6Runner(given: K6Steps): StepRunner {
  let { cost } = given.plan
  return async (step, number) => {
    const steps = { ...given, plan: { ...given.plan, cost } }
    const { k6 } = steps
    if (k6.signal?.aborted) return undefined
    if (number > 1) await k6.clock.sleep(REST_MS)
    const plan = await planStep(steps, step)
    using watch = new MachineWatch()
    const outcome = await runK6({
      ...k6,
      plan,
      // Scenario, purpose and rate were printed when the step began: a narrow terminal has no room for them again.
      live: {
        ...liveViewOf({ kind: 'open-model', plan, context: steps.context }),
        name: `step ${number}`,
      },
      onProgress: (text) => steps.onProgress(text),
      onStarted: (pid) => watch.watch(pid),
    })
    if (outcome.stopped === 'aborted') return undefined
    const { zeroUnixMs, ...read } = await readStep(steps, step, plan, outcome)
    if (outcome.overcharge) {
      steps.onOvercharge(outcome.overcharge, underWayMax(plan))
      return undefined
    }
    const machine = watch.use(zeroUnixMs, zeroUnixMs + 1000 * step.seconds)
    const { requestsPerSession } = read.measured
    // The next step knows better how many sessions make its rate.
    cost = { ...cost, requestsPerSession }
    return { ...read, machine }
  }
}

async function planStep(steps: K6Steps, step: Step): Promise<OpenModelPlan> {
  const { context, parts, plan, scenario } = steps
  const { cost } = plan
  const keys = await leaseKeys(context.accounts, accountsFor(step, cost))
  const thinkSeconds = thinkSecondsFor(plan.goals)
  steps.onAccounts(keys.length)
  const sessions = sessionsFor(step, cost.requestsPerSession)
  const perSecond = sessions / step.seconds
  const planned = planOpenModel(
    context,
    {
      scenario,
      workload: 'capacity',
      stages: [{ seconds: step.seconds, fromPerSecond: perSecond, toPerSecond: perSecond }],
      mix: OPEN_MODELS[scenario].mix,
      keys,
      virtualUsers: usersFor(step, plan),
      ...(thinkSeconds !== undefined && { thinkSeconds }),
      retriesMax: 0,
    },
    parts,
  )
  // What a key of the target file has left is not known: others may have used it.
  return context.accounts.make
    ? { ...planned, caps: keys.map(() => ({ headroom: 'none' as const })) }
    : planned
}

/** As many sessions as are under way where each request is answered before the next is due, and some more: if they do not suffice, the goals are missed. */
function usersFor({ ratePerSecond }: Step, { goals, cost }: CapacityPlan): number {
  const seconds = thinkSecondsFor(goals) ?? tightestSeconds(goals)
  const waiting = (ratePerSecond / cost.requestsPerSession) * cost.waitSeconds
  const users = USERS_FACTOR * (ratePerSecond * seconds + waiting)
  return Math.min(USERS_MAX, USERS_MIN + Math.ceil(users))
}

async function readStep(
  steps: K6Steps,
  step: Step,
  plan: OpenModelPlan,
  outcome: K6Outcome,
): Promise<Omit<StepEvidence, 'machine'> & { readonly zeroUnixMs: number }> {
  const { context, k6, scenario } = steps
  const { sessions, keyEnvs } = plan.file
  const evidence = await importOpenModel(outcome.evidencePath, {
    sessions,
    keys: keyEnvs.length,
    interrupted: outcome.stopped !== undefined,
  })
  steps.onOrders(sessionOrders(plan, evidence.sessions))
  const judgement = OPEN_MODELS[scenario].judge(evidence, plan, context)
  const result = openModelResult(
    plan,
    { ...outcome, evidence },
    { k6Version: k6.k6.version, judgement },
  )
  if (result.verdict === 'fail') steps.onBroken(result)
  const why = whyVoid(outcome)
  return {
    zeroUnixMs: evidence.zeroUnixMs,
    measured: measureStep(evidence, {
      seconds: step.seconds,
      sessions,
      requestsPerSession: steps.plan.cost.requestsPerSession,
      waits: steps.plan.cost.waitSeconds > 0,
    }),
    ...(why !== undefined && { void: why }),
  }
}

function whyVoid({ stopped, clockStepMs, doubt }: K6Outcome): string | undefined {
  if (stopped === 'timed out') return 'k6 took longer than planned and was stopped'
  if (clockStepMs > CLOCK_STEP_MS_MAX)
    return `the machine's clock was set by ${Math.round(clockStepMs)} ms`
  return doubt?.replace(/\.$/, '')
}
