/**
 * A search for capacity as a static SVG: what was offered against what was achieved, and below it the latency. The diagonal is a
 * service that keeps up; the shaded band is the interval in which the knee lies. Rates are on a logarithmic scale, as they doubled.
 */
import type { Capacity, CapacityStep } from '../../../schemas/generated/run-record.ts'
import { markup, type Markup } from './markup.ts'
import { formatNumber, plural } from '../../text.ts'

/** Room for the title of a panel. */
const TITLE_HEIGHT = 20
/** Where each panel lies. */
const RATES: Place = { top: TITLE_HEIGHT, height: 220 }
const LATENCIES: Place = { top: RATES.top + RATES.height + 20 + TITLE_HEIGHT, height: 120 }
const AXIS_HEIGHT = 34
const HEIGHT = LATENCIES.top + LATENCIES.height + AXIS_HEIGHT
/** Shares of the width that stay free left and right of the outermost rates. */
const MARGIN = 0.06
/** Room around the outermost values of an axis, as a factor. */
const ROOM = 1.35

type Axis = { readonly from: number; readonly to: number }

type Place = { readonly top: number; readonly height: number }

type Frame = {
  readonly capacity: Capacity
  readonly rates: Axis
  readonly latencies: Axis
}

function axisOver(values: readonly number[]): Axis {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value))
  if (positive.length === 0) return { from: 1, to: 10 }
  return { from: Math.min(...positive) / ROOM, to: Math.max(...positive) * ROOM }
}

/** 0 to 1 along a logarithmic axis. */
function shareOn({ from, to }: Axis, value: number): number {
  if (!(value > 0)) return 0
  return Math.min(1, Math.max(0, Math.log(value / from) / Math.log(to / from)))
}

function x(rate: number, { rates }: Frame): string {
  return `${(100 * (MARGIN + (1 - 2 * MARGIN) * shareOn(rates, rate))).toFixed(2)}%`
}

function y(value: number, axis: Axis, { top, height }: Place): number {
  return Math.round(10 * (top + height * (1 - shareOn(axis, value)))) / 10
}

const TICK_DIGITS = [1, 2, 5] as const

/** 1, 2, 5, 10, …, thinned to few. */
function ticksOf({ from, to }: Axis): number[] {
  const exponents = Array.from(
    { length: Math.ceil(Math.log10(to)) - Math.floor(Math.log10(from)) + 1 },
    (_, index) => Math.floor(Math.log10(from)) + index,
  )
  const all = exponents.flatMap((exponent) => TICK_DIGITS.map((digit) => digit * 10 ** exponent))
  const within = all.filter((tick) => tick >= from && tick <= to)
  return within.length <= TICKS_MAX
    ? within
    : within.filter((tick) => Number.isInteger(Math.log10(tick)) || within.length <= 2)
}

const TICKS_MAX = 7

/** Shape goes with colour: a disc held, a cross missed, a hollow square decided nothing. */
const SHAPES: Readonly<Record<CapacityStep['verdict'], Markup>> = {
  good: markup`<circle class="mark-good" r="4.5"/>`,
  bad: markup`<path class="mark-bad" d="M-4.5-4.5L4.5 4.5M-4.5 4.5L4.5-4.5"/>`,
  inconclusive: markup`<rect class="mark-open" x="-4" y="-4" width="8" height="8"/>`,
}

function mark(step: CapacityStep, atX: string, atY: number): Markup {
  const ring = step.purpose === 'confirm' ? markup`<circle class="mark-ring" r="8.5"/>` : undefined
  return markup`<svg x="${atX}" y="${atY}" overflow="visible">${ring}${SHAPES[step.verdict]}<title>${titleOf(step)}</title></svg>`
}

function titleOf(step: CapacityStep): string {
  return `step ${step.number}, ${step.purpose}: ${formatNumber(step.offeredPerSecond)} offered, ${formatNumber(step.achievedPerSecond)} achieved per second, p99 ${formatNumber(step.admitted.msP99)} ms, ${step.verdict}`
}

function grid(axis: Axis, place: Place, unit: string): Markup {
  return markup`${ticksOf(axis).map((tick) => {
    const atY = y(tick, axis, place)
    return markup`<line class="grid" x1="0" x2="100%" y1="${atY}" y2="${atY}"/><text x="0" y="${atY - 3}">${formatNumber(tick)}${unit}</text>`
  })}`
}

function ratesPanel(frame: Frame): Markup {
  const { rates, capacity } = frame
  const at = (rate: number): number => y(rate, rates, RATES)
  const diagonal = markup`<line class="budget" x1="${x(rates.from, frame)}" y1="${at(rates.from)}" x2="${x(rates.to, frame)}" y2="${at(rates.to)}"/>`
  const marks = capacity.steps.map((step) =>
    mark(step, x(step.offeredPerSecond, frame), at(step.achievedPerSecond)),
  )
  return markup`${grid(rates, RATES, '/s')}${diagonal}${marks}`
}

function latenciesPanel(frame: Frame): Markup {
  const { latencies, capacity } = frame
  const at = (ms: number): number => y(ms, latencies, LATENCIES)
  const drawn = capacity.steps.filter(({ admitted }) => admitted.count > 0)
  const { name, of, goalMs } = latencyDrawn(capacity)
  const marks = drawn.map((step) => mark(step, x(step.offeredPerSecond, frame), at(of(step))))
  const goal =
    goalMs === undefined
      ? undefined
      : markup`<line class="budget" x1="0" x2="100%" y1="${at(goalMs)}" y2="${at(goalMs)}"/><text class="strong" x="100%" y="${at(goalMs) - 5}" text-anchor="end">goal ${name} ${formatNumber(goalMs)} ms</text>`
  return markup`${grid(latencies, LATENCIES, ' ms')}${goal}${marks}<text class="strong" x="0" y="${LATENCIES.top - 22}">${name} of what was admitted</text>`
}

/** The percentile that is drawn: the first that has a goal, else p99; with the tightest goal of it. */
function latencyDrawn({ goals }: Capacity): {
  readonly name: string
  readonly of: (step: CapacityStep) => number
  readonly goalMs?: number
} {
  const asked = goals.flatMap((goal) => {
    const [, name = '', ms] = /^([a-z0-9.]+)=([\d.]+)ms$/.exec(goal) ?? []
    const field = FIELDS.get(name)
    return field === undefined ? [] : [{ name, field, ms: Number(ms) }]
  })
  const [first] = asked
  if (first === undefined) return { name: 'p99', of: ({ admitted }) => admitted.msP99 }
  const { name, field } = first
  const limits = asked.filter((each) => each.name === name).map(({ ms }) => ms)
  return { name, of: ({ admitted }) => admitted[field], goalMs: Math.min(...limits) }
}

const FIELDS = new Map([
  ['p50', 'msP50'],
  ['p95', 'msP95'],
  ['p99', 'msP99'],
  ['p99.9', 'msP999'],
  ['max', 'msMax'],
] as const) as ReadonlyMap<string, 'msP50' | 'msP95' | 'msP99' | 'msP999' | 'msMax'>

/** Where the knee lies: between the highest rate that was confirmed and the lowest that missed the goals. */
function kneeBand(frame: Frame, height: number): Markup | undefined {
  const { goodPerSecond, badPerSecond } = frame.capacity.interval
  if (goodPerSecond === undefined && badPerSecond === undefined) return undefined
  const from = x(goodPerSecond ?? frame.rates.from, frame)
  const to = badPerSecond === undefined ? '100%' : x(badPerSecond, frame)
  const width = `${(Number.parseFloat(to) - Number.parseFloat(from)).toFixed(2)}%`
  const line =
    goodPerSecond === undefined
      ? undefined
      : markup`<line class="knee" x1="${from}" x2="${from}" y1="0" y2="${height}"/>`
  return markup`<rect class="knee-band" x="${from}" y="0" width="${width}" height="${height}"/>${line}`
}

function kneeLabel(frame: Frame): Markup | undefined {
  const { goodPerSecond, badPerSecond } = frame.capacity.interval
  if (goodPerSecond === undefined) return undefined
  const isRight = shareOn(frame.rates, goodPerSecond) > 0.5
  const text =
    badPerSecond === undefined
      ? `at least ${formatNumber(goodPerSecond)}/s`
      : `knee ${formatNumber(goodPerSecond)} to ${formatNumber(badPerSecond)}/s`
  const anchor = isRight ? markup` text-anchor="end" dx="-6"` : markup` dx="6"`
  return markup`<text class="strong" x="${x(goodPerSecond, frame)}" y="${RATES.top + RATES.height - 8}"${anchor}>${text}</text>`
}

function rateAxis(frame: Frame): Markup {
  const bottom = LATENCIES.top + LATENCIES.height
  const ticks = ticksOf(frame.rates).map(
    (tick) =>
      markup`<text x="${x(tick, frame)}" y="${bottom + 14}" text-anchor="middle">${formatNumber(tick)}</text>`,
  )
  return markup`${ticks}<text x="100%" y="${bottom + 29}" text-anchor="end">offered requests per second</text><text class="strong" x="0" y="10">achieved requests per second</text>`
}

function frameOf(capacity: Capacity): Frame {
  const { steps, interval } = capacity
  const rates = steps.flatMap((step) => [step.offeredPerSecond, step.achievedPerSecond])
  const { of, goalMs = 0 } = latencyDrawn(capacity)
  return {
    capacity,
    rates: axisOver([...rates, ...Object.values(interval)]),
    latencies: axisOver([...steps.map(of), goalMs]),
  }
}

/** The picture in words, for those who do not see it. */
function description(capacity: Capacity): string {
  const { steps, reason } = capacity
  return `Offered against achieved requests per second of ${plural(steps.length, 'step')}, with ${latencyDrawn(capacity).name} of the latency below. ${reason}`
}

/** What the marks mean. */
export const CAPACITY_KEY: Markup = markup`<ul class="key" aria-label="Key to the plot">
<li><svg aria-hidden="true"><svg x="8" y="7" overflow="visible">${SHAPES.good}</svg></svg>held every goal</li>
<li><svg aria-hidden="true"><svg x="8" y="7" overflow="visible">${SHAPES.bad}</svg></svg>missed a goal</li>
<li><svg aria-hidden="true"><svg x="8" y="7" overflow="visible">${SHAPES.inconclusive}</svg></svg>decided nothing</li>
<li><svg aria-hidden="true"><svg x="8" y="7" overflow="visible"><circle class="mark-ring" r="6"/></svg></svg>longer step that confirms</li>
<li><svg aria-hidden="true"><line x1="0" x2="16" y1="7" y2="7"/></svg>achieved all that was offered; the goal</li>
<li><svg aria-hidden="true"><rect class="knee-band" width="16" height="14"/></svg>where the knee lies</li></ul>`

export function capacityPlot(capacity: Capacity): Markup {
  if (capacity.steps.length === 0) return markup`<p class="muted">No step was carried out.</p>`
  const frame = frameOf(capacity)
  const bottom = LATENCIES.top + LATENCIES.height
  return markup`<svg class="plot capacity" role="img" aria-label="${description(capacity)}" width="100%" height="${HEIGHT}">${kneeBand(frame, bottom)}${ratesPanel(frame)}${latenciesPanel(frame)}${kneeLabel(frame)}${rateAxis(frame)}</svg>`
}
