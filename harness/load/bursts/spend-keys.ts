import type { RequirementId } from '../../../contract/requirements/index.ts'
import type { Micros } from '../../money.ts'
import { KINDS_SCRIPT } from './spend-kinds-script.ts'
import { ordersOf, unitOf, type Order } from './spend-orders.ts'
import { say, type Statement } from '../shared/statements.ts'
import type { BurstExchange } from './burst-import.ts'
import type { BurstPlan } from './burst-plan.ts'
import { releasesOf, type Release } from './burst-proof.ts'
import type { BurstRun } from './burst-result.ts'

/** One key of a script, with all that was sent on it. */
export type KeyRun = {
  readonly name: string
  /** Units of its cap; null for none. */
  readonly headroomUnits: number | null
  /** Nobody else uses the key: what is left of its cap is what the plan says. */
  readonly isExact: boolean
  readonly orders: readonly Order[]
  /** Account of its script, which has it alone. */
  readonly script: number
  /** Its orders that were released together. */
  readonly bursts: readonly Release[]
  /** Those in which two orders overlapped for certain. */
  readonly overlapping: readonly Release[]
  readonly looks: readonly BurstExchange[]
  readonly unit: Micros
}

export type Say = (
  requirement: RequirementId,
  verdict: Statement['verdict'],
  observed: string,
) => Statement

/** The keys of all scripts of vouchers, or why nothing can be said of them. */
export function keyRunsOf(plan: BurstPlan, run: BurstRun, isExact: boolean): KeyRun[] | string {
  const isVouchers = (script: number): boolean => plan.file.scripts[script]?.name !== KINDS_SCRIPT
  const allOrders = run.evidence.scripts.flatMap(({ exchanges }, script) =>
    isVouchers(script) ? ordersOf(exchanges) : [],
  )
  const unit = unitOf(allOrders)
  if (unit === undefined) return 'accepted orders state no common price of a unit'
  return plan.file.scripts.flatMap(({ name, headroomUnits }, script) => {
    if (!isVouchers(script)) return []
    const exchanges = run.evidence.scripts[script]?.exchanges ?? []
    const orders = ordersOf(exchanges)
    return headroomUnits.map((units, key): KeyRun => {
      const own = exchanges.filter((each) => each.key === key)
      const bursts = releasesOf(own.filter(({ phase }) => phase === 'burst'))
      return {
        name: headroomUnits.length > 1 ? `${name}, key ${key + 1}` : name,
        headroomUnits: units,
        isExact,
        orders: orders.filter((order) => order.key === key),
        script,
        bursts,
        overlapping: bursts.filter(({ overlappingPairs }) => overlappingPairs > 0),
        looks: own.filter(({ phase }) => phase === 'read-contended'),
        unit,
      }
    })
  })
}

export function sayFor({ name }: Pick<KeyRun, 'name'>): Say {
  return (requirement, verdict, observed) => say(requirement, verdict, { name }, observed)
}

export function attemptsOf(orders: readonly Order[]): BurstExchange[] {
  return orders.flatMap(({ attempts }) => attempts)
}

export function boundaryAnswer(
  { orders }: KeyRun,
  phase: BurstExchange['phase'],
): BurstExchange | undefined {
  return attemptsOf(orders).find((each) => each.phase === phase)
}
