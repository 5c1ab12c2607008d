import { formatMoney } from '../../money.ts'
import type { LoadResult } from '../../../schemas/generated/run-record.ts'
import { sumOfBudgets, type LoadBudget } from '../shared/budget.ts'
import type { InstanceFigures } from './merge.ts'
import type { K6Plan } from '../rate-limits/plan.ts'

/** So many processes have something to do: a stream or a script is one virtual user and cannot be divided. */
export function instancesFor({ unitsMax }: Pick<K6Plan, 'unitsMax'>, wanted: number): number {
  return Math.min(wanted, unitsMax ?? wanted)
}

/** The execution segments of so many processes, in the order of the instances; one process alone has none. */
export function segmentsOf(instances: number): string[] {
  if (instances === 1) return []
  return Array.from({ length: instances }, (_, index) => {
    return `${borderOf(index, instances)}:${borderOf(index + 1, instances)}`
  })
}

/** k6's arguments that give instance `index`, counted from 0, its share of the plan. */
export function segmentArguments(index: number, instances: number): string[] {
  const segment = segmentsOf(instances)[index]
  if (segment === undefined) return []
  const borders = Array.from({ length: instances + 1 }, (_, at) => borderOf(at, instances))
  return [`--execution-segment=${segment}`, `--execution-segment-sequence=${borders.join(',')}`]
}

function borderOf(index: number, instances: number): string {
  if (index === 0) return '0'
  return index === instances ? '1' : `${index}/${instances}`
}

/** What each of so many processes may spend: k6 deals streams and scripts out in turns. Undefined where the plan has none. */
export function sharesOf(
  { units }: Pick<K6Plan, 'units'>,
  instances: number,
): LoadBudget[] | undefined {
  return (
    units &&
    Array.from({ length: instances }, (_, instance) =>
      sumOfBudgets(units.filter((_each, index) => index % instances === instance)),
    )
  )
}

/** What the record says of each process, with its share where the processes have the segments that we give. */
export function withShares(
  plan: Pick<K6Plan, 'units'>,
  figures: readonly InstanceFigures[],
): NonNullable<LoadResult['instances']> {
  const segments = segmentsOf(figures.length)
  const shares = sharesOf(plan, figures.length)
  return figures.map((each) => {
    const share = shares?.[segments.indexOf(each.segment)]
    if (!share) return { ...each }
    const { requestsMax, ordersMax, money } = share
    return {
      ...each,
      requestsPlannedMax: requestsMax,
      ordersPlannedMax: ordersMax,
      ...(money && { moneyPlannedMax: `${money.currency} ${formatMoney(money.micros)}` }),
    }
  })
}
