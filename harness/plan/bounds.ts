import { HarnessError } from '../errors.ts'
import { whyNotPermitted } from '../load/shared/budget.ts'
import { formatMoney, moneyText } from '../money.ts'
import { isLoopback } from '../network/loopback.ts'
import { whyFreeToTest } from '../target-file/free-to-test.ts'
import type { RunPlan } from './run-plan.ts'

/** What the command line permits, beside the target's own permission. */
export type Bounds = {
  readonly requestsMax: number
  readonly requestsMaxStated: boolean
  readonly secondsMax?: number
  /** Load scenarios that were asked for by name. */
  readonly scenarios: readonly string[]
}

/** One way in which a plan does not fit. */
type Misfit = { readonly code: 'E_PERMISSION' | 'E_BUDGET'; readonly text: string }

type Where = Parameters<typeof whyFreeToTest>[0]

/** A service of this machine that is not declared production is sent as many requests as a run needs, unless a number was given. */
export function countsRequests(
  { requestsMaxStated }: Pick<Bounds, 'requestsMaxStated'>,
  target: Where,
): boolean {
  return requestsMaxStated || !isLoopback(target.baseUrl) || whyFreeToTest(target) === undefined
}

/** Throws E_PERMISSION or E_BUDGET with every number that does not fit. */
export function requireFit(plan: RunPlan, bounds: Bounds, target: Where): void {
  const misfits = [
    ...permissionMisfits(plan, bounds),
    ...orderMisfits(plan),
    ...loadMisfits(plan, bounds, target),
    ...timeMisfits(plan, bounds),
  ]
  const [first] = misfits
  if (!first) return
  const code = misfits.some((each) => each.code === 'E_PERMISSION') ? 'E_PERMISSION' : 'E_BUDGET'
  throw new HarnessError(
    code,
    `the plan does not fit: ${misfits.map(({ text }) => text).join('; ')}`,
    'Raise what the message names, or select less (--only, --profile, --scenario, --no-load); npm run plan prints what each part takes. Nothing but the preflight was sent.',
  )
}

/** Throws E_BUDGET where the plan takes longer than --max-seconds. */
export function requireTime(plan: RunPlan, bounds: Pick<Bounds, 'secondsMax'>): void {
  const [misfit] = timeMisfits(plan, bounds)
  if (misfit)
    throw new HarnessError(
      misfit.code,
      `the plan does not fit: ${misfit.text}`,
      'Raise --max-seconds, or select less; npm run plan prints what takes how long. Nothing but the preflight was sent.',
    )
}

function timeMisfits(
  { secondsMax, suite, loadTotal }: RunPlan,
  bounds: Pick<Bounds, 'secondsMax'>,
): Misfit[] {
  if (bounds.secondsMax === undefined || secondsMax <= bounds.secondsMax) return []
  const parts = [
    ...(suite.selected > 0 ? [`${Math.ceil(suite.boundSeconds)} s of checks`] : []),
    ...(loadTotal.wallSecondsMax > 0 ? [`${Math.ceil(loadTotal.wallSecondsMax)} s of load`] : []),
  ]
  return [
    {
      code: 'E_BUDGET',
      text: `it takes up to ${Math.ceil(secondsMax)} s (${parts.join(', ')}), ${bounds.secondsMax} s are permitted (--max-seconds)`,
    },
  ]
}

/** What is asked for by name and may not run is refused; what merely belongs to everything is left out and named. */
function permissionMisfits({ permission, load }: RunPlan, { scenarios }: Bounds): Misfit[] {
  if (permission.load || load.length === 0 || scenarios.length === 0) return []
  return [
    {
      code: 'E_PERMISSION',
      text: `load on this target is not permitted (--allow-load): ${scenarios.join(', ')}`,
    },
  ]
}

/** The guard stops a run at what is permitted; a plan that is sure to be stopped is refused. */
function orderMisfits({ suite, permission: { purchases } }: RunPlan): Misfit[] {
  const { orders, money, unpriced } = suite.purchases
  if (!purchases || orders === 0) return []
  const { ordersMax, spendMax } = purchases
  const misfits: Misfit[] = []
  if (ordersMax !== undefined && orders > ordersMax)
    misfits.push({
      code: 'E_BUDGET',
      text: `the checks make ${orders} orders, ${ordersMax} are permitted (--max-orders)`,
    })
  if (!spendMax) return misfits
  const foreign = [...money.keys()].filter((currency) => currency !== spendMax.currency)
  const wanted = money.get(spendMax.currency) ?? 0n
  if (foreign.length > 0)
    misfits.push({
      code: 'E_BUDGET',
      text: `the checks buy in ${foreign.join(', ')}, permitted is ${spendMax.currency} (--max-spend)`,
    })
  if (wanted > spendMax.micros)
    misfits.push({
      code: 'E_BUDGET',
      text: `the checks spend ${moneyText(new Map([[spendMax.currency, wanted]]))}, ${spendMax.currency} ${formatMoney(spendMax.micros)} are permitted (--max-spend)`,
    })
  if (unpriced.length > 0)
    misfits.push({
      code: 'E_BUDGET',
      text: `the target file gives no unitPrice and currency for ${unpriced.join(', ')}, so --max-spend refuses them`,
    })
  return misfits
}

function loadMisfits(
  { load, loadTotal, permission }: RunPlan,
  bounds: Bounds,
  target: Where,
): Misfit[] {
  if (!permission.load || !load.some((each) => 'budget' in each)) return []
  const misfits: Misfit[] = []
  const { requestsMax } = bounds
  if (countsRequests(bounds, target) && loadTotal.requestsMax > requestsMax)
    misfits.push({
      code: 'E_BUDGET',
      text: `the load sends up to ${loadTotal.requestsMax} requests, ${requestsMax} are permitted (--max-requests)`,
    })
  const refused = whyNotPermitted(loadTotal, permission.purchases)
  if (refused !== undefined) {
    const code = permission.purchases ? 'E_BUDGET' : 'E_PERMISSION'
    misfits.push({ code, text: `of the load, ${refused}` })
  }
  return misfits
}
