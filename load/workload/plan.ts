import { PLAN_ENV, PLAN_VERSION } from '../protocol/plan.ts'
import type { PlanFile } from '../protocol/plan.ts'

/** What every plan file says of itself. */
type Versioned = { readonly version: number; readonly scenario: string }

/**
 * Reads the plan; only in k6's init context. Throws, so that k6 ends with an error, if there is none of this version: each format of plans
 * has numbers of its own.
 */
export function readPlanFile<P extends Versioned>(version: P['version']): P {
  const path = __ENV[PLAN_ENV.plan]
  if (!path) throw new Error(`${PLAN_ENV.plan} must name the plan of this script.`)
  const plan = JSON.parse(open(path)) as P
  if (plan.version !== version)
    throw new Error(`The plan ${path} has version ${plan.version}, expected ${version}.`)
  return plan
}

export function readPlan(scenario: string): PlanFile {
  const plan = readPlanFile<PlanFile>(PLAN_VERSION)
  if (plan.scenario !== scenario)
    throw new Error(`The plan is one of ${plan.scenario}, expected ${scenario}.`)
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
