import type { Capacity, CapacityStep } from '../../schemas/generated/run-record.ts'
import { goalTexts } from '../load/shared/goals.ts'
import type { CapacityPlan } from './plan.ts'
import type { SearchEnd } from './search.ts'
import { triesText } from '../report/shared/capacity-words.ts'

export type CapacityFacts = {
  readonly plan: CapacityPlan
  readonly steps: readonly CapacityStep[]
  readonly end: SearchEnd
  readonly accounts: number
}

/** The answer of a search, with all that it rests on. */
export function capacityOf({ plan, steps, end, accounts }: CapacityFacts): Capacity {
  const { settings, goals, scenario, maxSetBy, accountsMax } = plan
  const { goodPerSecond, badPerSecond, ending } = end
  const constraint = constraintOf(plan, steps, end)
  const confirmed = steps.findLast(
    ({ purpose, verdict }) => purpose === 'confirm' && verdict === 'good',
  )
  return {
    scenario,
    goals: goalTexts(goals),
    ending,
    ...(goodPerSecond !== undefined && { capacityPerSecond: goodPerSecond }),
    interval: {
      ...(goodPerSecond !== undefined && { goodPerSecond }),
      ...(badPerSecond !== undefined && { badPerSecond }),
    },
    ...(constraint && { constraint }),
    reason: reasonOf(plan, steps, end, confirmed),
    ...(settings.wantedPerSecond !== undefined && { minRatePerSecond: settings.wantedPerSecond }),
    precision: settings.precision,
    plan: {
      startPerSecond: settings.startPerSecond,
      maxPerSecond: settings.maxPerSecond,
      maxSetBy,
      stepSeconds: settings.stepSeconds,
      confirmSeconds: settings.confirmSeconds,
      stepsMax: settings.stepsMax,
      secondsMax: settings.secondsMax,
      requestsMax: settings.requestsMax,
      accountsMax,
    },
    spent: {
      seconds: steps.reduce((sum, { seconds }) => sum + seconds, 0),
      requests: steps.reduce((sum, { requests }) => sum + requests.sent, 0),
      accounts,
      ...(steps.some((step) => step.orders !== undefined) && {
        orders: steps.reduce((sum, step) => sum + (step.orders ?? 0), 0),
      }),
    },
    steps: [...steps],
  }
}

const BOUND_CONSTRAINTS = {
  requests: 'permission',
  steps: 'time',
  seconds: 'time',
  unconfirmed: undefined,
  interruption: undefined,
} as const satisfies Record<
  Exclude<NonNullable<SearchEnd['stoppedBy']>, 'generator'>,
  Capacity['constraint']
>

function constraintOf(
  { maxSetBy }: CapacityPlan,
  steps: readonly CapacityStep[],
  { ending, badPerSecond, stoppedBy }: SearchEnd,
): Capacity['constraint'] {
  if (ending === 'found' || ending === 'below') return badStep(steps, badPerSecond)?.constraint
  if (stoppedBy === 'generator')
    return steps.findLast(({ verdict }) => verdict === 'inconclusive')?.constraint ?? 'generator'
  if (stoppedBy !== undefined) return BOUND_CONSTRAINTS[stoppedBy]
  return ending === 'at-least' ? maxSetBy : undefined
}

function badStep(
  steps: readonly CapacityStep[],
  ratePerSecond: number | undefined,
): CapacityStep | undefined {
  return steps.findLast(
    ({ verdict, constraint, plannedPerSecond }) =>
      plannedPerSecond === ratePerSecond &&
      (verdict === 'bad' || (verdict === 'inconclusive' && constraint === undefined)),
  )
}

const WHY_NO_HIGHER = {
  generator: 'Higher rates could not be measured from here',
  requests: 'Higher rates would take more requests than are permitted',
  steps: 'Higher rates would take more steps than the search may make',
  seconds: 'Higher rates would take longer than the search may last',
  unconfirmed: 'No longer step held',
  interruption: 'The search was interrupted',
  'max-rate': 'Higher rates were not asked for (--max-rate)',
  accounts: "Higher rates would break the windows of the target's accounts",
} as const

function reasonOf(
  plan: CapacityPlan,
  steps: readonly CapacityStep[],
  { ending, goodPerSecond, badPerSecond, stoppedBy }: SearchEnd,
  confirmed: CapacityStep | undefined,
): string {
  const how = `for ${confirmed?.seconds ?? 0} s${triesText({ steps, capacityPerSecond: goodPerSecond })} (${lowerFirst(confirmed?.reason ?? '')})`
  const held = `${perSecond(goodPerSecond)} held every goal ${how}`
  const missed = `${perSecond(badPerSecond)} did not: ${lowerFirst(badStep(steps, badPerSecond)?.reason ?? '')}`
  const blank = steps.findLast(
    ({ verdict, plannedPerSecond }) =>
      verdict === 'inconclusive' && plannedPerSecond > (goodPerSecond ?? 0),
  )
  const measured =
    blank === undefined
      ? ''
      : `: at ${perSecond(blank.plannedPerSecond)} ${lowerFirst(blank.reason)}`
  switch (ending) {
    case 'found':
      return `${held}; ${missed}.`
    case 'at-least':
      return `At least ${perSecond(goodPerSecond)}: every goal held ${how}. ${WHY_NO_HIGHER[stoppedBy ?? plan.maxSetBy]}${stoppedBy === 'generator' ? measured : ''}.`
    case 'below':
      return `Even ${missed}.`
    case 'inconclusive':
      return stoppedBy === 'generator'
        ? `No rate could be measured from here${measured}.`
        : `No rate was confirmed. ${WHY_NO_HIGHER[stoppedBy ?? 'unconfirmed']}.`
  }
}

function perSecond(rate: number | undefined): string {
  return `${rate === undefined ? 'no' : rate.toLocaleString('en-US')} requests per second`
}

/** A sentence as a part of another one. */
function lowerFirst(text: string): string {
  return `${text[0]?.toLowerCase() ?? ''}${text.slice(1)}`.replace(/\.$/, '')
}
