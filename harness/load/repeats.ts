import type { Goal, LoadResult, Verdict } from '../../schemas/generated/run-record.ts'
import { formatMoney, parseMoney } from '../money.ts'
import { figuresOf } from '../record/load-figures.ts'

/** The worst first: what one repeat shows, the scenario shows. */
const WORST_FIRST: readonly Verdict[] = [
  'error',
  'fail',
  'inconclusive',
  'untested',
  'warn',
  'pass',
]

/**
 * The results of all repeats of a scenario as one: the worst of them, with the figures of each, and with what all of them sent, bought
 * and took, which is what was planned for. One alone stays as it is.
 */
export function joinRepeats(results: readonly LoadResult[]): LoadResult {
  const worst = WORST_FIRST.map((verdict) =>
    results.find((result) => result.verdict === verdict),
  ).find((result) => result !== undefined)
  const result = worst ?? results[0]
  if (result === undefined) throw new RangeError('There is no result to join.')
  if (results.length === 1) return result
  return {
    ...result,
    requests: sumOfRequests(results),
    measurements: { ...result.measurements, ...spentBy(results) },
    ...(result.goals && { goals: worstGoals(results) }),
    repeats: results.map((each) => ({ verdict: each.verdict, figures: { ...figuresOf(each) } })),
  }
}

function badness({ met, undecided }: Goal): number {
  if (met) return 0
  return undecided === undefined ? 2 : 1
}

/** A goal is met only if every repeat met it. */
function worstGoals(results: readonly LoadResult[]): NonNullable<LoadResult['goals']> {
  const [first = [], ...others] = results.map(({ goals = [] }) => goals)
  return first.map((goal, index) =>
    others
      .map((goals) => goals[index] ?? goal)
      .reduce((worst, each) => (badness(each) > badness(worst) ? each : worst), goal),
  )
}

function sumOfRequests(results: readonly LoadResult[]): LoadResult['requests'] {
  const sum = (name: keyof LoadResult['requests']): number =>
    results.reduce((total, { requests }) => total + (requests[name] ?? 0), 0)
  return {
    planned: sum('planned'),
    sent: sum('sent'),
    admitted: sum('admitted'),
    refused: sum('refused'),
    failed: sum('failed'),
    ...(results.every(({ requests }) => requests.capped !== undefined) && {
      capped: sum('capped'),
      rejected: sum('rejected'),
    }),
  }
}

/** What is summed: numbers, and money as `<currency> <amount>`. */
function spentBy(results: readonly LoadResult[]): LoadResult['measurements'] {
  const numbers = ['durationSeconds', 'ordersMade'].flatMap((name) => {
    const values = results.map(({ measurements }) => measurements[name])
    if (!values.some((value) => typeof value === 'number')) return []
    return [[name, values.reduce<number>((sum, value) => sum + Number(value ?? 0), 0)] as const]
  })
  return { ...Object.fromEntries(numbers), ...moneyOf(results) }
}

function moneyOf(results: readonly LoadResult[]): LoadResult['measurements'] {
  const spent = results.flatMap(({ measurements: { moneySpent } }) =>
    typeof moneySpent === 'string' ? [moneySpent.split(' ')] : [],
  )
  const currencies = new Set(spent.map(([currency]) => currency))
  const [currency] = currencies
  if (currency === undefined) return {}
  if (currencies.size > 1) return { moneySpent: 'in several currencies' }
  const micros = spent.reduce((sum, [, amount]) => sum + (parseMoney(amount) ?? 0n), 0n)
  return { moneySpent: `${currency} ${formatMoney(micros)}` }
}
