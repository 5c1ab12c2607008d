import type { Permission } from './permission.ts'
import { sumOfBudgets, type LoadBudget } from '../load/shared/budget.ts'
import { formatSeconds } from '../text.ts'
import type { SuitePlan } from './suite-plan.ts'

/** One load scenario of a plan: what it may spend, or why it does not run. */
export type ScenarioPlan =
  | { readonly scenario: string; readonly budget: LoadBudget }
  | { readonly scenario: string; readonly lacks: string }

/** What a run will send, buy and take, known after the preflight and before anything else is sent. */
export type RunPlan = {
  readonly suite: SuitePlan
  readonly load: readonly ScenarioPlan[]
  /** All load scenarios that run, one after the other. */
  readonly loadTotal: LoadBudget
  /** What other accounts do while the checks run. */
  readonly underLoad?: {
    readonly workload: string
    readonly accounts: number
    readonly budget: LoadBudget
  }
  readonly permission: Permission
  /** Most that the whole run takes: the bound of its checks, then its load. */
  readonly secondsMax: number
}

type Parts = Pick<RunPlan, 'suite' | 'load' | 'permission'> & {
  readonly underLoad?: RunPlan['underLoad'] | undefined
}

export function joinPlan({ suite, load, permission, underLoad }: Parts): RunPlan {
  const loadTotal = sumOfBudgets(load.flatMap((each) => ('budget' in each ? [each.budget] : [])))
  const secondsMax = suite.boundSeconds + loadTotal.wallSecondsMax
  if (!underLoad) return { suite, load, loadTotal, permission, secondsMax }
  const { workload, accounts, budget } = underLoad
  const beside = { workload, accounts, budget }
  return { suite, load, loadTotal, permission, secondsMax, underLoad: beside }
}

/** How long load takes where nobody is kept waiting. */
export function expectedText({ expectedSeconds }: LoadBudget): string {
  return `about ${formatSeconds(Math.ceil(expectedSeconds))}`
}

/** A run of this length or more begins with advice on how to shorten it. */
const LONG_SECONDS = 900

/** What the run takes, in a line to wait by; undefined where nothing is carried out. */
export function outlook({ suite, loadTotal, secondsMax, underLoad }: RunPlan): string | undefined {
  const beside = underLoad ? ` under the load of ${underLoad.workload}` : ''
  const parts = [
    ...(suite.expectedSeconds > 0
      ? [`up to ${formatSeconds(Math.ceil(suite.expectedSeconds))} of checks${beside}`]
      : []),
    ...(loadTotal.wallSecondsMax > 0
      ? [`${expectedText(loadTotal)} of load (at most ${formatSeconds(loadTotal.wallSecondsMax)})`]
      : []),
  ]
  if (parts.length === 0) return undefined
  const advice =
    secondsMax > LONG_SECONDS
      ? '; npm run plan says why, --profile or --only take less of it, --max-seconds refuses it'
      : ''
  return `expects ${parts.join(', then ')}${advice}`
}
