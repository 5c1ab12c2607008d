import { PLAN_ENV, PLAN_VERSION } from '../protocol/plan.ts'
import type { PlanFile } from '../protocol/plan.ts'

/** What every plan file says of itself. */
type Versioned = { readonly version: number; readonly scenario: string }

/** Reads the plan; only in k6's init context. Throws, so that k6 ends with an error, if there is none for this scenario. */
export function readPlanFile<P extends Versioned>(scenario: string, version: P['version']): P {
  const path = __ENV[PLAN_ENV.plan]
  if (!path) throw new Error(`${PLAN_ENV.plan} must name the plan of scenario ${scenario}.`)
  const plan = JSON.parse(open(path)) as P
  if (plan.version !== version || plan.scenario !== scenario)
    throw new Error(
      `The plan ${path} is version ${plan.version} of ${plan.scenario}, expected ${version} of ${scenario}.`,
    )
  return plan
}

export function readPlan(scenario: string): PlanFile {
  const plan = readPlanFile<PlanFile>(scenario, PLAN_VERSION)
  if (plan.streams.length === 0) throw new Error(`The plan of ${scenario} has no stream.`)
  return plan
}

/** Keys come through the process environment only: a file or an archive would keep them. */
export function readKeys(envNames: readonly string[]): string[] {
  return envNames.map((name) => {
    const key = __ENV[name]
    if (!key) throw new Error(`The environment variable ${name} must hold an API key.`)
    return key
  })
}
