/**
 * The search for the highest rate at which the goals hold, as a pure function of the steps so far: doubling until a step misses the
 * goals, bisection, a longer step that confirms. A step that misses is repeated before it counts, and so is one that decides nothing.
 */
import type { Capacity, CapacityStep } from '../../schemas/generated/run-record.ts'

export type StepVerdict = CapacityStep['verdict']
export type Purpose = CapacityStep['purpose']

export type SearchSettings = {
  readonly startPerSecond: number
  readonly maxPerSecond: number
  /** Below this no lower rate is tried. */
  readonly minPerSecond: number
  readonly stepSeconds: number
  readonly confirmSeconds: number
  /** A step with fewer is drawn out: it would show nothing. */
  readonly requestsMin: number
  /** A confirming step with fewer could not show its percentiles. */
  readonly confirmRequestsMin: number
  /** Narrows until bad / good is at most 1 + precision. */
  readonly precision: number
  /** A rate that is to be decided: tried by itself as soon as it lies within the interval. */
  readonly wantedPerSecond?: number
  /** Bounds of the whole search. Requests are those of the planned rates. */
  readonly stepsMax: number
  readonly secondsMax: number
  readonly requestsMax: number
}

/** A step that is to be carried out, or was. */
export type Step = {
  readonly purpose: Purpose
  readonly ratePerSecond: number
  readonly seconds: number
}
export type SearchStep = Step & { readonly verdict: StepVerdict }

/** What ended the search; the rates are its interval. */
export type SearchEnd = {
  readonly ending: Capacity['ending']
  readonly goodPerSecond?: number
  readonly badPerSecond?: number
  /** What kept it from going on, where it is neither a bad rate nor the highest one. */
  readonly stoppedBy?:
    | 'generator'
    | 'steps'
    | 'seconds'
    | 'requests'
    | 'unconfirmed'
    | 'interruption'
}

export type Move = { readonly step: Step } | { readonly end: SearchEnd }

/** A rate is bad when so many steps missed the goals before one reached them: a single miss may be a hiccup. */
const MISSES_TO_BE_BAD = 2
/** A rate at which so many steps decided nothing cannot be measured from here. */
const BLANKS_TO_GIVE_UP = 2
/** A rate that is not confirmed makes way for a lower one so often. */
const CONFIRMED_RATES_MAX = 3

/** Where nothing at all could be measured at so many rates, a lower one tells nothing either. */
const HOPELESS_RATES = 2

/** Most steps at one rate. */
export const ATTEMPTS_MAX: number = MISSES_TO_BE_BAD + BLANKS_TO_GIVE_UP - 1

/** What comes next after these steps. */
export function nextMove(settings: SearchSettings, steps: readonly SearchStep[]): Move {
  const wanted = wantedStep(settings, steps)
  if ('end' in wanted) return wanted
  const lack = lackFor(settings, steps, wanted.step)
  if (lack === undefined) return wanted
  const known = readState(steps)
  // What is left is enough to confirm what is known, so that is done instead of narrowing on.
  if (
    wanted.step.purpose !== 'confirm' &&
    known.good !== undefined &&
    known.confirmed < known.good
  ) {
    const step = confirming(settings, known.good)
    if (lackFor(settings, steps, step) === undefined) return { step }
  }
  return { end: endFor(settings, known, lack) }
}

type Standing = 'good' | 'bad' | 'unmeasurable' | 'open'

type State = {
  /** Highest rate that held, below every one that did not; undefined: none. */
  readonly good: number | undefined
  /** Highest rate that a confirming step held; 0: none. */
  readonly confirmed: number
  readonly bad: number | undefined
  readonly unmeasurable: number | undefined
  /** The lower of the last two. */
  readonly ceiling: number
  readonly unconfirmedRates: number
  readonly unmeasurableRates: number
}

/** Only the last standing counts: a confirming step overrules the short ones at its rate. */
function readState(steps: readonly SearchStep[]): State {
  const standings = new Map<number, Standing>()
  const confirming = Map.groupBy(
    steps.filter(({ purpose }) => purpose === 'confirm'),
    rateOf,
  )
  const short = Map.groupBy(
    steps.filter(({ purpose }) => purpose !== 'confirm'),
    rateOf,
  )
  for (const [rate, all] of short) standings.set(rate, standingOf(all))
  for (const [rate, all] of confirming)
    if (standingOf(all) !== 'open') standings.set(rate, standingOf(all))
  const ratesThatAre = (standing: Standing): number[] =>
    [...standings].filter(([, each]) => each === standing).map(([rate]) => rate)
  const bad = lowest(ratesThatAre('bad'))
  const unmeasurableRates = ratesThatAre('unmeasurable')
  const unmeasurable = lowest(unmeasurableRates)
  const ceiling = Math.min(bad ?? Infinity, unmeasurable ?? Infinity)
  const confirmed = [...confirming].filter(([, all]) => standingOf(all) === 'good')
  return {
    good: highest(ratesThatAre('good').filter((rate) => rate < ceiling)),
    confirmed: Math.max(0, ...confirmed.map(([rate]) => rate)),
    bad,
    unmeasurable,
    ceiling,
    unconfirmedRates: [...confirming.values()].filter((all) =>
      ['bad', 'unmeasurable'].includes(standingOf(all)),
    ).length,
    unmeasurableRates: unmeasurableRates.length,
  }
}

function standingOf(steps: readonly SearchStep[]): Standing {
  const count = (verdict: StepVerdict): number =>
    steps.filter((step) => step.verdict === verdict).length
  if (count('good') > 0) return 'good'
  if (count('bad') >= MISSES_TO_BE_BAD) return 'bad'
  return count('inconclusive') >= BLANKS_TO_GIVE_UP ? 'unmeasurable' : 'open'
}

function wantedStep(settings: SearchSettings, steps: readonly SearchStep[]): Move {
  const last = steps.at(-1)
  if (last && standingOf(sameAs(last, steps)) === 'open') return { step: plain(last) }
  const state = readState(steps)
  const { good, ceiling } = state
  if (state.confirmed > 0) return { end: endFor(settings, state, whyNoHigher(settings, steps)) }
  if (last?.purpose === 'confirm') return stepDown(settings, state, last)
  if (good === undefined) return lower(settings, state, ceiling)
  if (ceiling === Infinity) return { step: doubling(settings, good) ?? confirming(settings, good) }
  const next = between(settings, good, ceiling)
  return { step: next === undefined ? confirming(settings, good) : short(settings, 'narrow', next) }
}

/** A rate that tells more about the interval; undefined where it is narrow enough. */
function between(
  { precision, wantedPerSecond = 0 }: SearchSettings,
  good: number,
  ceiling: number,
): number | undefined {
  const isWithin = (rate: number): boolean => rate > good && rate < ceiling
  if (isWithin(wantedPerSecond)) return wantedPerSecond
  const middle = roundRate(Math.sqrt(good * ceiling))
  return isWithin(middle) && ceiling > good * (1 + precision) ? middle : undefined
}

/** Undefined where the highest permitted rate is reached. */
function doubling(settings: SearchSettings, good: number): Step | undefined {
  if (good >= settings.maxPerSecond) return undefined
  return short(settings, 'ramp', Math.min(settings.maxPerSecond, roundRate(2 * good)))
}

/** Which bound of the search ended the doubling before a rate missed. */
function whyNoHigher(
  settings: SearchSettings,
  steps: readonly SearchStep[],
): ReturnType<typeof lackFor> {
  const before = steps.filter(({ purpose }) => purpose !== 'confirm')
  const { good, ceiling } = readState(before)
  if (good === undefined || ceiling < Infinity) return undefined
  const last = before.at(-1)
  const isOpen = last !== undefined && standingOf(sameAs(last, before)) === 'open'
  const next = isOpen ? plain(last) : doubling(settings, good)
  return next && lackFor(settings, before, next)
}

/** Nothing holds yet: begins, or halves. */
function lower(settings: SearchSettings, state: State, ceiling: number): Move {
  if (ceiling === Infinity) return { step: short(settings, 'ramp', settings.startPerSecond) }
  const isHopeless = state.bad === undefined && state.unmeasurableRates >= HOPELESS_RATES
  if (isHopeless || ceiling <= settings.minPerSecond)
    return { end: endFor(settings, state, undefined) }
  const next = Math.max(settings.minPerSecond, roundRate(ceiling / 2))
  return { step: short(settings, 'ramp', next) }
}

/** After a rate that was not confirmed: the next lower one, each time by a larger step. */
function stepDown(settings: SearchSettings, state: State, last: SearchStep): Move {
  const { unconfirmedRates } = state
  const { precision, minPerSecond, wantedPerSecond = 0 } = settings
  const next = roundRate(last.ratePerSecond / (1 + precision) ** unconfirmedRates)
  if (unconfirmedRates >= CONFIRMED_RATES_MAX || next < minPerSecond)
    return { end: endFor(settings, state, 'unconfirmed') }
  if (wantedPerSecond < last.ratePerSecond && wantedPerSecond > next)
    return { step: confirming(settings, wantedPerSecond) }
  return { step: confirming(settings, Math.min(next, lowerThan(last.ratePerSecond))) }
}

/** Small rates round to themselves; they still have to go down. */
function lowerThan(rate: number): number {
  return rate >= ROUND_FROM ? rate - 1 : rate - 0.1
}

function endFor(
  settings: SearchSettings,
  { confirmed, bad, unmeasurable, ceiling }: State,
  stoppedBy: SearchEnd['stoppedBy'],
): SearchEnd {
  const interval = {
    ...(confirmed > 0 && { goodPerSecond: confirmed }),
    ...(bad !== undefined && { badPerSecond: bad }),
  }
  if (confirmed > 0) {
    if (bad !== undefined && bad === ceiling) return { ending: 'found', ...interval }
    const generator = unmeasurable !== undefined && { stoppedBy: 'generator' as const }
    return { ending: 'at-least', ...interval, ...(stoppedBy && { stoppedBy }), ...generator }
  }
  if (bad !== undefined && bad <= settings.minPerSecond) return { ending: 'below', ...interval }
  return { ending: 'inconclusive', ...interval, stoppedBy: stoppedBy ?? 'generator' }
}

/** Which bound of the search leaves no room for a step, and for confirming afterwards what is known to hold. */
function lackFor(
  settings: SearchSettings,
  steps: readonly SearchStep[],
  step: Step,
): 'steps' | 'seconds' | 'requests' | undefined {
  const { good } = readState(steps)
  const reserve =
    step.purpose === 'confirm' || good === undefined ? [] : [confirmingAtLeast(settings, good)]
  const all = [...steps, step, ...reserve]
  if (all.length > settings.stepsMax) return 'steps'
  if (sumOf(all, ({ seconds }) => seconds) > settings.secondsMax) return 'seconds'
  return sumOf(all, requestsOf) > settings.requestsMax ? 'requests' : undefined
}

/** Requests that a step plans. */
export function requestsOf({ ratePerSecond, seconds }: Step): number {
  return Math.ceil(ratePerSecond * seconds)
}

const ROUND_FROM = 20

/** Whole requests per second, tenths below 20. */
export function roundRate(rate: number): number {
  return rate >= ROUND_FROM ? Math.round(rate) : Math.round(10 * rate) / 10
}

function short(
  { stepSeconds, requestsMin }: SearchSettings,
  purpose: Purpose,
  ratePerSecond: number,
): Step {
  const seconds = Math.max(stepSeconds, Math.ceil(requestsMin / ratePerSecond))
  return { purpose, ratePerSecond, seconds }
}

/** The shortest search that can answer: a step, and one that confirms it. */
export function firstSteps(settings: SearchSettings): readonly Step[] {
  const { startPerSecond } = settings
  return [short(settings, 'ramp', startPerSecond), confirmingAtLeast(settings, startPerSecond)]
}

/** As long as its percentiles need. */
function confirming(settings: SearchSettings, ratePerSecond: number): Step {
  const step = confirmingAtLeast(settings, ratePerSecond)
  const shownSeconds = Math.ceil(settings.confirmRequestsMin / ratePerSecond)
  return { ...step, seconds: Math.max(step.seconds, shownSeconds) }
}

/** At least as long as the short steps at its rate: what is kept free for it before its rate is known. */
function confirmingAtLeast(settings: SearchSettings, ratePerSecond: number): Step {
  const { seconds } = short(settings, 'confirm', ratePerSecond)
  return {
    purpose: 'confirm',
    ratePerSecond,
    seconds: Math.max(settings.confirmSeconds, seconds),
  }
}

/** Steps at one rate; those that confirm it by themselves. */
function sameAs(last: SearchStep, steps: readonly SearchStep[]): SearchStep[] {
  return steps.filter(
    (step) =>
      step.ratePerSecond === last.ratePerSecond &&
      (step.purpose === 'confirm') === (last.purpose === 'confirm'),
  )
}

function plain({ purpose, ratePerSecond, seconds }: Step): Step {
  return { purpose, ratePerSecond, seconds }
}

function rateOf({ ratePerSecond }: Step): number {
  return ratePerSecond
}

function lowest(rates: readonly number[]): number | undefined {
  return rates.length === 0 ? undefined : Math.min(...rates)
}

function highest(rates: readonly number[]): number | undefined {
  return rates.length === 0 ? undefined : Math.max(...rates)
}

function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0)
}
