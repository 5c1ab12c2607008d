/**
 * Latency by percentile as a static SVG: the further right, the rarer the answer. Both axes are logarithmic. Where the lines from due and
 * from sent part, requests were held up before they were sent.
 */
import type { Goal, LoadResult } from '../../../schemas/generated/run-record.ts'
import { Markup, markup } from './markup.ts'
import { stretched, UNITS_WIDE } from './stretched.ts'
import { formatNumber } from '../../text.ts'

/** Below the title and the label of the highest line. */
const TOP = 34
const HEIGHT_INNER = 130
const HEIGHT = TOP + HEIGHT_INNER + 20

type Curve = NonNullable<NonNullable<LoadResult['latency']>['curve']>
type Frame = {
  /** The last share before the maximum, in powers of ten of what lies beyond it. */
  readonly depth: number
  readonly from: number
  readonly to: number
}

function frameOf({ shares, dueMs, sentMs }: Curve, goals: readonly number[]): Frame {
  const positive = [...dueMs, ...sentMs, ...goals].filter((ms) => ms > 0)
  const from = Math.floor(Math.log10(Math.min(1, ...positive)))
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(1, ...positive))))
  return { depth: depthOf(shares.at(-2) ?? 0) + MAX_ROOM, from, to }
}

/** Room between the last percentile and the maximum. */
const MAX_ROOM = 0.3

function depthOf(share: number): number {
  return -Math.log10(1 - share)
}

function part(share: number, { depth }: Frame): number {
  return share === 1 ? 1 : Math.min(1, depthOf(share) / depth)
}

function y(ms: number, { from, to }: Frame): number {
  const height = (Math.log10(Math.max(ms, 10 ** from)) - from) / (to - from)
  return Math.round(10 * HEIGHT_INNER * (1 - height)) / 10
}

function line(className: string, shares: readonly number[], ms: readonly number[], frame: Frame) {
  const points = shares.map(
    (share, index) =>
      `${Math.round(UNITS_WIDE * part(share, frame))} ${y(ms[index] as number, frame)}`,
  )
  // Path data is made of numbers here.
  return markup`<path class="${className}" d="${new Markup(`M${points.join('L')}`)}"/>`
}

const TICKS = [0.5, 0.9, 0.99, 0.999, 0.9999] as const

function axis(shares: readonly number[], frame: Frame): Markup {
  const last = shares.at(-2) ?? 0
  const ticks = TICKS.filter((share) => share <= last)
  return markup`${ticks.map((share) => markup`<text x="${(100 * part(share, frame)).toFixed(2)}%" y="${TOP + HEIGHT_INNER + 14}" text-anchor="middle">p${formatNumber(100 * share)}</text>`)}<text x="100%" y="${TOP + HEIGHT_INNER + 14}" text-anchor="end">max</text>`
}

/** Horizontal lines with their label, for goals of all requests: the curve is theirs. */
function goalLimits(goals: LoadResult['goals'] = []): readonly Goal[] {
  return goals.filter(({ operation, limitMs }) => operation === undefined && limitMs !== undefined)
}

/** What the lines mean. */
export const CURVE_KEY: Markup = markup`<ul class="key" aria-label="Key to the percentile curve">
<li><svg aria-hidden="true"><path class="latency-p99" d="M0 7h16"/></svg>from due</li>
<li><svg aria-hidden="true"><path class="latency-p50" d="M0 7h16"/></svg>from sent</li>
<li><svg aria-hidden="true"><path class="goal-line" d="M0 7h16"/></svg>goal</li></ul>`

export function percentilePlot({ latency, goals }: LoadResult): Markup | undefined {
  const curve = latency?.curve
  if (curve === undefined || curve.shares.length < 2) return undefined
  const asked = goalLimits(goals)
  const frame = frameOf(
    curve,
    asked.map(({ limitMs = 0 }) => limitMs),
  )
  const decades = Array.from(
    { length: frame.to - frame.from + 1 },
    (_, at) => 10 ** (frame.from + at),
  )
  const grid = decades.map((ms) => {
    const atY = TOP + y(ms, frame)
    return markup`<line class="grid" x1="0" x2="100%" y1="${atY}" y2="${atY}"/>`
  })
  const labels = decades.map(
    (ms) =>
      markup`<text class="mark" x="0" y="${TOP + y(ms, frame) - 3}">${formatNumber(ms)} ms</text>`,
  )
  const lines = asked.map(({ name, limitMs = 0 }) => {
    const atY = TOP + y(limitMs, frame)
    return markup`<line class="goal-line" x1="0" x2="100%" y1="${atY}" y2="${atY}"/><text class="mark strong" x="100%" y="${atY - 4}" text-anchor="end">goal ${name} ${formatNumber(limitMs)} ms</text>`
  })
  const { shares, dueMs, sentMs } = curve
  const drawn = stretched(TOP, HEIGHT_INNER, [
    line('latency-p50', shares, sentMs, frame),
    line('latency-p99', shares, dueMs, frame),
  ])
  return markup`<svg class="plot series" role="img" aria-label="${descriptionOf(curve)}" width="100%" height="${HEIGHT}"><text class="strong" x="0" y="11">latency by percentile of what was admitted</text>${grid}${drawn}${lines}${labels}${axis(shares, frame)}</svg>`
}

function descriptionOf({ shares, dueMs, sentMs }: Curve): string {
  const middle = shares.indexOf(0.5)
  const at = (values: readonly number[]): string =>
    `${formatNumber(values[middle] ?? 0)} ms at the median and ${formatNumber(values.at(-1) ?? 0)} ms at most`
  return `Latency by percentile: from due ${at(dueMs)}, from sent ${at(sentMs)}.`
}
