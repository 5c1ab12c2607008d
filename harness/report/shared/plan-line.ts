import type { RunRecord } from '../../../schemas/generated/run-record.ts'
import { formatNumber, formatSeconds, listed, oneLine, plural } from '../../text.ts'

type Plan = RunRecord['plan']
type ScenarioPlan = NonNullable<Plan['load']>[number]

/** Of all orders. A smaller share is reported elsewhere: checks of lost answers give up some answers on purpose. */
const UNANSWERED_SHARE = 0.05

/** What the checks were to take and took, in a line; undefined where nothing was planned. */
export function suitePlanLine({
  plan,
  purchases,
}: Pick<RunRecord, 'plan' | 'purchases'>): string | undefined {
  const { boundSeconds, actualSeconds, spent } = plan
  if (boundSeconds === undefined) return undefined
  const took = actualSeconds === undefined ? '' : `${formatSeconds(actualSeconds)} of `
  const { unanswered = 0 } = purchases ?? {}
  // What got no answer counts as spent, though it may have bought nothing.
  const [most, open] =
    unanswered <= UNANSWERED_SHARE * (spent?.orders ?? 0)
      ? ['', '']
      : ['at most ', `, with ${plural(unanswered, 'order')} unanswered`]
  return [
    `${took}up to ${formatSeconds(boundSeconds)}`,
    ...(spent
      ? [
          besideExpected('requests', spent.requests, spent.requestsPlanned),
          besideExpected('orders', spent.orders, spent.ordersPlanned),
          `${most}${oneLine(spent.money, 60)}${open} (${oneLine(spent.moneyPlanned, 60)} expected)`,
        ]
      : []),
  ].join(' · ')
}

/** What checks cost was measured once: a run may need some more, within what is permitted. */
function besideExpected(what: string, spent: number, expected: number): string {
  return `${formatNumber(spent)} ${what} (${formatNumber(expected)} expected)`
}

/** The same of one load scenario, whose plan is a bound. */
export function scenarioPlanLine(each: ScenarioPlan): string {
  const { scenario, requests, requestsMax, orders, ordersMax, money, moneyMax, seconds } = each
  const expected =
    each.secondsExpected === undefined ? '' : ` (${formatSeconds(each.secondsExpected)} expected)`
  const took = seconds === undefined ? '' : `${formatSeconds(seconds)} of `
  return [
    `${oneLine(scenario, 60)}: ${took}at most ${formatSeconds(each.secondsMax)}${expected}`,
    `${ofPlanned(requests, requestsMax)} requests`,
    ...(ordersMax > 0 ? [`${ofPlanned(orders, ordersMax)} orders`] : []),
    ...(moneyMax === undefined
      ? []
      : [`${money === undefined ? '' : `${oneLine(money, 60)} of `}${oneLine(moneyMax, 60)}`]),
  ].join(' · ')
}

/** All load scenarios together, for where there is room for one line alone. */
export function loadPlanLine({ plan }: Pick<RunRecord, 'plan'>): string | undefined {
  const { load = [] } = plan
  if (load.length === 0) return undefined
  const sum = (of: (each: ScenarioPlan) => number | undefined): number =>
    load.reduce((total, each) => total + (of(each) ?? 0), 0)
  const ofAtMost = (
    of: (each: ScenarioPlan) => number | undefined,
    most: (each: ScenarioPlan) => number,
  ): string => `${formatNumber(sum(of))} of at most ${formatNumber(sum(most))}`
  const requests = ofAtMost(
    (each) => each.requests,
    (each) => each.requestsMax,
  )
  const orders = ofAtMost(
    (each) => each.orders,
    (each) => each.ordersMax,
  )
  return `${formatSeconds(sum((each) => each.seconds))} of at most ${formatSeconds(sum((each) => each.secondsMax))} · ${requests} requests · ${orders} orders`
}

const OPEN_ORDERS_MAX = 10

/** What the run bought, and which orders are not done; undefined where nothing was bought. */
export function purchasesLine({ purchases }: Pick<RunRecord, 'purchases'>): string | undefined {
  if (purchases === undefined) return undefined
  const { made, money, reserved, permitted, pending, unanswered, orders, ordersFile } = purchases
  const named = (state: string): string => {
    const those = orders.filter((each) => each.state === state)
    const names = those.map(({ orderId, reference }) => orderId ?? reference ?? 'unknown')
    return listed(names, OPEN_ORDERS_MAX)
  }
  return [
    `${plural(made, 'order')} for ${money}${permitted === undefined ? '' : ` of ${permitted} permitted`}`,
    ...(reserved === undefined ? [] : [`${reserved} were reserved`]),
    ...(pending > 0 ? [`${formatNumber(pending)} still in progress: ${named('IN_PROGRESS')}`] : []),
    ...(unanswered > 0
      ? [`${formatNumber(unanswered)} without an answer: ${named('unanswered')}`]
      : []),
    ...(ordersFile === undefined ? [] : [`each of them in ${ordersFile}`]),
  ].join(' · ')
}

/** Every line of the plan: the checks, what they bought, then each load scenario. */
export function planLines(record: Pick<RunRecord, 'plan' | 'purchases'>): string[] {
  const suite = suitePlanLine(record)
  const bought = purchasesLine(record)
  return [
    ...(suite === undefined ? [] : [`checks: ${suite}`]),
    ...(bought === undefined ? [] : [`bought: ${bought}`]),
    ...(record.plan.load ?? []).map(scenarioPlanLine),
  ]
}

function ofPlanned(spent: number | undefined, planned: number): string {
  return spent === undefined
    ? formatNumber(planned)
    : `${formatNumber(spent)} of ${formatNumber(planned)}`
}
