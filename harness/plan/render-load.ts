import {
  setAsideFor,
  type CounterBudget,
  type LoadBudget,
  type UnhideTokens,
} from '../load/shared/budget.ts'
import { formatMoney } from '../money.ts'
import { formatNumber, formatSeconds, oneLine, plural } from '../text.ts'
import { expectedText, type RunPlan, type ScenarioPlan } from './run-plan.ts'

/** What other accounts do while the checks run; it ends with them, so this is the most. */
export function underLoadLines({ underLoad }: RunPlan): string[] {
  if (!underLoad) return []
  const { workload, accounts, budget } = underLoad
  return [
    `${workload} by ${plural(accounts, 'other account')}, until the checks have ended: ${budgetText(budget)}`,
    ...(budget.unhide ?? []).map((tokens) => `  ${unhideText(tokens)}`),
  ]
}

/** Each load scenario with what it may spend, then all of them together. */
export function loadLines({ load, loadTotal, permission }: RunPlan): string[] {
  if (load.length === 0) return []
  const { purchases } = permission
  const bounds = [
    purchases?.ordersMax === undefined ? [] : [plural(purchases.ordersMax, 'order')],
    purchases?.spendMax
      ? [`${purchases.spendMax.currency} ${formatMoney(purchases.spendMax.micros)}`]
      : [],
  ].flat()
  return [
    ...(load.some((each) => 'budget' in each)
      ? [`together: ${expectedText(loadTotal)}; ${budgetText(loadTotal)}`]
      : []),
    ...(purchases?.spendMax && loadTotal.money
      ? [
          `set aside: ${loadTotal.money.currency} ${formatMoney(setAsideFor(loadTotal))}, twice the price, since k6 calls nothing back`,
        ]
      : []),
    ...(bounds.length > 0 ? [`permitted: ${bounds.join(' and ')}`] : []),
    ...load.flatMap((each) => ('budget' in each ? scenarioLines(each) : [])),
    ...lackingLines(load),
  ]
}

/** What lacks the same is one line. */
function lackingLines(load: readonly ScenarioPlan[]): string[] {
  const lacking = load.flatMap((each) => ('lacks' in each ? [each] : []))
  return [...Map.groupBy(lacking, ({ lacks }) => lacks)].map(
    ([lacks, scenarios]) =>
      `does not run: ${scenarios.map(({ scenario }) => scenario).join(', ')}: ${oneLine(lacks, 160)}`,
  )
}

function scenarioLines({
  budget,
  scenario,
}: Extract<ScenarioPlan, { readonly budget: LoadBudget }>): string[] {
  return [
    `${scenario}: ${expectedText(budget)}; ${budgetText(budget)}`,
    ...alike(budget.counters ?? []).map((counter) => `  ${counterText(counter)}`),
    ...(budget.unhide ?? []).map((tokens) => `  ${unhideText(tokens)}`),
  ]
}

/** Scripts that do the same are shown once. */
function alike(counters: readonly CounterBudget[]): CounterBudget[] {
  const groups = Map.groupBy(counters, (counter) => JSON.stringify({ ...counter, name: '' }))
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const name =
      others.length === 0 ? first.name : `${first.name}, and ${formatNumber(others.length)} alike`
    return [{ ...first, name }]
  })
}

function budgetText({ requestsMax, ordersMax, money, wallSecondsMax }: LoadBudget): string {
  const spent = money ? ` for ${money.currency} ${formatMoney(money.micros)}` : ''
  const orders = ordersMax > 0 ? `${plural(ordersMax, 'order')}${spent}` : 'no order'
  return `at most ${plural(requestsMax, 'request')}, ${orders}, ${formatSeconds(wallSecondsMax)}`
}

function counterText({ name, bucket, keys, requestsMax, ...rest }: CounterBudget): string {
  const each =
    keys > 1
      ? ` by ${formatNumber(keys)} keys, ${formatNumber(Math.ceil(requestsMax / keys))} each`
      : ''
  const perWindow = rest.requestsPerWindowMax ?? requestsMax
  return `${name} (${bucket}): ${plural(requestsMax, 'request')}${each}, up to ${formatNumber(perWindow)} in one window`
}

function unhideText({ name, orders, perOrder }: UnhideTokens): string {
  const states = (['pending', 'completed', 'admission'] as const)
    .filter((state) => perOrder[state] > 0)
    .map((state) => `${formatNumber(perOrder[state])} ${state}`)
  return `${name}: ${plural(orders, 'order')}, unhide reads of each: ${states.join(', ')}`
}
