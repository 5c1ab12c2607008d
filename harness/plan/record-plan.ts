import type { RunRecord, LoadResult } from '../../schemas/generated/run-record.ts'
import type { Purchased } from '../purchases/purchase.ts'
import type { QuotaSpent } from '../quota/ledger.ts'
import { UNDER_LOAD } from '../load/shared/scenarios.ts'
import { formatMoney, moneyText } from '../money.ts'
import { listed } from '../text.ts'
import type { RunPlan, ScenarioPlan } from './run-plan.ts'
import type { SuitePlan } from './suite-plan.ts'

/** What the checks took in the end. */
export type SuiteSpent = {
  readonly spent: readonly QuotaSpent[]
  readonly purchased: Purchased
  readonly seconds: number
}

type Recorded = Pick<
  RunRecord['plan'],
  'expectedSeconds' | 'boundSeconds' | 'actualSeconds' | 'chain' | 'spent' | 'load'
>

/** The plan as the record keeps it, beside what was spent as far as the run came. */
export function recordedPlan(
  { suite, load, underLoad }: RunPlan,
  spent: SuiteSpent | undefined,
  results: readonly LoadResult[],
): Recorded {
  const beside = underLoad ? [{ scenario: UNDER_LOAD, budget: underLoad.budget }] : []
  const scenarios = [...beside, ...load].flatMap((each) => scenarioEntry(each, results))
  return {
    ...(suite.chains.length > 0 ? suiteEntry(suite, spent) : {}),
    ...(scenarios.length > 0 ? { load: scenarios } : {}),
  }
}

function suiteEntry(suite: SuitePlan, spent: SuiteSpent | undefined): Recorded {
  const { expectedSeconds, boundSeconds, requestsTotal, purchases } = suite
  return {
    expectedSeconds: tenths(expectedSeconds),
    boundSeconds: tenths(boundSeconds),
    chain: chainText(suite),
    ...(spent && {
      actualSeconds: tenths(spent.seconds),
      spent: {
        requestsPlanned: requestsTotal,
        requests: spent.spent.reduce((sum, each) => sum + each.spent, 0),
        ordersPlanned: purchases.orders,
        orders: spent.purchased.orders,
        moneyPlanned: moneyText(purchases.money),
        money: moneyText(spent.purchased.charged),
      },
    }),
  }
}

/** What decides the time: the longest chain, or the counter for which most checks queue. */
function chainText({ chains, queue }: SuitePlan): string {
  const bottleneck = queue?.counters[0]
  if (bottleneck && bottleneck.seconds > 0)
    return `the queue for ${bottleneck.counter.replace(/^own /, '')} on one account: ${bottleneck.holders.length} checks hold it alone, the others wait for ${bottleneck.pacedWindows} windows`
  const [longest] = chains
  if (!longest) return ''
  const links = listed(
    longest.links.map(({ text }) => text),
    4,
  )
  return `${longest.check}${links === '' ? '' : `: ${links}`}`
}

function scenarioEntry(
  plan: ScenarioPlan,
  results: readonly LoadResult[],
): NonNullable<RunRecord['plan']['load']> {
  if ('lacks' in plan) return []
  const { requestsMax, ordersMax, money, expectedSeconds, wallSecondsMax } = plan.budget
  const result = results.find(({ scenario }) => scenario === plan.scenario)
  const { ordersMade, moneySpent, durationSeconds } = result?.measurements ?? {}
  return [
    {
      scenario: plan.scenario,
      requestsMax,
      requests: result?.requests.sent ?? 0,
      ordersMax,
      ...(typeof ordersMade === 'number' ? { orders: ordersMade } : {}),
      ...(money ? { moneyMax: `${money.currency} ${formatMoney(money.micros)}` } : {}),
      ...(typeof moneySpent === 'string' ? { money: moneySpent } : {}),
      secondsExpected: tenths(expectedSeconds),
      secondsMax: wallSecondsMax,
      ...(typeof durationSeconds === 'number' ? { seconds: tenths(durationSeconds) } : {}),
    },
  ]
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
