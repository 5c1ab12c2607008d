import { PLAN_ENV, PLAN_VERSION } from '../protocol/plan.ts'
import type { PlanFile } from '../protocol/plan.ts'

/** Reads the plan; only in k6's init context. Throws, so that k6 ends with an error, if there is none for this scenario. */
export function readPlan(scenario: string): PlanFile {
  const path = __ENV[PLAN_ENV.plan]
  if (!path) throw new Error(`${PLAN_ENV.plan} must name the plan of scenario ${scenario}.`)
  const plan = JSON.parse(open(path)) as PlanFile
  const version: number = plan.version
  if (version !== PLAN_VERSION)
    throw new Error(`The plan ${path} has version ${version}, expected ${PLAN_VERSION}.`)
  if (plan.scenario !== scenario)
    throw new Error(`The plan ${path} is for ${plan.scenario}, expected ${scenario}.`)
  if (plan.streams.length === 0) throw new Error(`The plan ${path} has no stream.`)
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
