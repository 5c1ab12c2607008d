/**
 * A run of the open model over time as a static SVG: what was offered and achieved per second with the refusals below, and under it the
 * latency on a logarithmic scale. The drawing stretches to any width: lines keep their size because strokes do not scale.
 */
import { LOST_ANSWER } from '../../../contract/answers.ts'
import type { Goal, LoadSlice } from '../../../schemas/generated/run-record.ts'
import { markup, type Markup } from './markup.ts'
import { processPanels } from './process-panels.ts'
import { path, stretched, UNITS_WIDE } from './stretched.ts'
import { formatNumber, oneLine, plural } from '../../text.ts'
import { ticksFor } from './window-scale.ts'

const LEFT = 6
const TITLE_HEIGHT = 22
const RATES_TOP = TITLE_HEIGHT
const RATES_HEIGHT = 150
/** The title of the lower panel stands above the label of its highest line. */
const LATENCIES_TOP = RATES_TOP + RATES_HEIGHT + 18 + TITLE_HEIGHT
const LATENCIES_HEIGHT = 110
const BOTTOM = LATENCIES_TOP + LATENCIES_HEIGHT
const AXIS_HEIGHT = 20
/** Room above the highest value. */
const HEADROOM = 1.15
const RATE_TICKS_MAX = 4

type Frame = {
  readonly series: readonly LoadSlice[]
  readonly endSeconds: number
  readonly rateMax: number
  readonly goals: readonly Goal[]
  /** Decades of the latency axis, in powers of ten of a millisecond. */
  readonly decades: { readonly from: number; readonly to: number }
}

function frameOf(series: readonly LoadSlice[], goals: readonly Goal[]): Frame {
  const last = series.at(-1)
  const rates = series.flatMap((slice) =>
    [slice.offered, slice.sent ?? 0, slice.achieved, slice.refused, slice.errors].map(
      (count) => count / slice.seconds,
    ),
  )
  const latencies = series.flatMap(({ latency }) =>
    latency.count === 0 ? [] : [latency.msP50, latency.msMax],
  )
  return {
    series,
    endSeconds: last === undefined ? 1 : last.fromSeconds + last.seconds,
    goals,
    rateMax: HEADROOM * Math.max(1e-3, ...rates),
    decades: decadesOver([
      ...latencies,
      ...goals.flatMap(({ limitMs = 0, overTime = [] }) => [
        limitMs,
        ...overTime.map(({ ms }) => ms),
      ]),
    ]),
  }
}

function decadesOver(latencies: readonly number[]): Frame['decades'] {
  const positive = latencies.filter((ms) => ms > 0)
  if (positive.length === 0) return { from: 0, to: 1 }
  const from = Math.floor(Math.log10(Math.min(...positive)))
  return { from, to: Math.max(from + 1, Math.ceil(Math.log10(Math.max(...positive)) + 1e-9)) }
}

function unitX(seconds: number, { endSeconds }: Frame): number {
  return Math.round((UNITS_WIDE * seconds) / endSeconds)
}

/** Within the panel of rates. */
function rateY(perSecond: number, { rateMax }: Frame): number {
  return Math.round(10 * RATES_HEIGHT * (1 - perSecond / rateMax)) / 10
}

/** Within the panel of latencies. */
function latencyY(ms: number, { decades: { from, to } }: Frame): number {
  const share = (Math.log10(Math.max(ms, 10 ** from)) - from) / (to - from)
  return Math.round(10 * LATENCIES_HEIGHT * (1 - share)) / 10
}

type Count = 'offered' | 'sent' | 'achieved' | 'refused' | 'errors'

/** A rate as stairs: even within each slice. */
function stairs(frame: Frame, count: Count): string {
  // Records of earlier versions do not tell what was sent.
  if (frame.series.some((slice) => slice[count] === undefined)) return ''
  return frame.series
    .map((slice, index) => {
      const y = rateY((slice[count] ?? 0) / slice.seconds, frame)
      const start = index === 0 ? `M${unitX(slice.fromSeconds, frame)} ${y}` : `V${y}`
      return `${start}H${unitX(slice.fromSeconds + slice.seconds, frame)}`
    })
    .join('')
}

/** The same down to the base line, where there is anything. */
function bars(frame: Frame, count: Count): string {
  return frame.series
    .filter((slice) => (slice[count] ?? 0) > 0)
    .map((slice) => {
      const [left, right] = [slice.fromSeconds, slice.fromSeconds + slice.seconds]
      const top = rateY((slice[count] ?? 0) / slice.seconds, frame)
      return `M${unitX(left, frame)} ${RATES_HEIGHT}V${top}H${unitX(right, frame)}V${RATES_HEIGHT}Z`
    })
    .join('')
}

/** A line through the middles of slices; broken where nothing was admitted. */
function latencyLine(frame: Frame, value: 'msP50' | 'msP99'): string {
  return frame.series
    .map(({ fromSeconds, seconds, latency }, index) => {
      if (latency.count === 0) return ''
      const isFirst = (frame.series[index - 1]?.latency.count ?? 0) === 0
      const point = `${unitX(fromSeconds + seconds / 2, frame)} ${latencyY(latency[value], frame)}`
      // A line of one point is drawn by its caps.
      return isFirst ? `M${point}h0` : `L${point}`
    })
    .join('')
}

/** What a goal of one operation is about, which the lines of all requests do not show; nothing for other goals. */
function goalSeries(frame: Frame, { overTime = [] }: Goal): string {
  const points = overTime.map(
    ({ fromSeconds, seconds, ms }) =>
      `${unitX(fromSeconds + seconds / 2, frame)} ${latencyY(ms, frame)}`,
  )
  return points.length === 0 ? '' : `M${points.join('L')}`
}

function latencyDots(frame: Frame): string {
  return frame.series
    .filter(({ latency }) => latency.count > 0)
    .map(
      ({ fromSeconds, seconds, latency }) =>
        `M${unitX(fromSeconds + seconds / 2, frame)} ${latencyY(latency.msMax, frame)}h0`,
    )
    .join('')
}

type Mark = { readonly y: number; readonly label: string }

function gridLines(marks: readonly Mark[]): Markup {
  return markup`${marks.map(({ y }) => markup`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/>`)}`
}

/** Drawn last, so that no line covers them. */
function gridLabels(marks: readonly Mark[]): Markup {
  return markup`${marks.map(({ y, label }) => markup`<text class="mark" x="0" y="${y - 3}">${label}</text>`)}`
}

function ratesPanel(frame: Frame): Markup {
  const marks = rateTicks(frame.rateMax).map((tick) => {
    return { y: RATES_TOP + rateY(tick, frame), label: formatNumber(tick) }
  })
  const drawn = stretched(RATES_TOP, RATES_HEIGHT, [
    path('refusals', bars(frame, 'refused')),
    path('losses', bars(frame, 'errors')),
    path('sent', stairs(frame, 'sent')),
    path('achieved', stairs(frame, 'achieved')),
    path('offered', stairs(frame, 'offered')),
  ])
  return markup`${gridLines(marks)}${drawn}${gridLabels(marks)}<text class="strong" x="0" y="11">requests per second</text>`
}

/** Round marks from zero on. */
function rateTicks(max: number): number[] {
  const rough = max / RATE_TICKS_MAX
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((digit) => digit * power >= rough) ?? 10) * power
  // Multiples of a step such as 0.2 leave dust behind.
  return Array.from({ length: Math.floor(max / step) + 1 }, (_, index) =>
    Number((index * step).toPrecision(6)),
  )
}

function latenciesPanel(frame: Frame): Markup {
  const { from, to } = frame.decades
  const decades = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index))
  const marks = decades.map((ms) => {
    return { y: LATENCIES_TOP + latencyY(ms, frame), label: `${formatNumber(ms)} ms` }
  })
  const drawn = stretched(LATENCIES_TOP, LATENCIES_HEIGHT, [
    path('latency-max', latencyDots(frame)),
    path('latency-p99', latencyLine(frame, 'msP99')),
    path('latency-p50', latencyLine(frame, 'msP50')),
    ...frame.goals.map((goal) => path('goal-series', goalSeries(frame, goal))),
  ])
  // Labels stand beside one another: limits may be close.
  const goals = frame.goals.map(({ name, operation, limitMs = 0 }, index) => {
    const y = LATENCIES_TOP + latencyY(limitMs, frame)
    const of = operation === undefined ? name : `${operation} ${name}`
    return markup`<line class="goal-line" x1="0" x2="100%" y1="${y}" y2="${y}"/><text class="mark strong" x="${99 - 30 * (index % 3)}%" y="${y - 4}" text-anchor="end">goal ${oneLine(of, 60)} ${formatNumber(limitMs)} ms</text>`
  })
  return markup`${gridLines(marks)}${drawn}${goals}${gridLabels(marks)}<text class="strong" x="0" y="${LATENCIES_TOP - 18}">latency of what was admitted, from when it was due</text>`
}

function timeAxis(frame: Frame, bottom: number): Markup {
  return markup`${ticksFor(frame.endSeconds).map((seconds) => {
    const share = seconds / frame.endSeconds
    const anchor = share > 0.94 ? 'end' : share < 0.03 ? 'start' : 'middle'
    return markup`<text x="${(100 * share).toFixed(2)}%" y="${bottom + 14}" text-anchor="${anchor}">${formatNumber(seconds)} s</text>`
  })}`
}

/** The picture in words, for those who do not see it. */
function description({ series, endSeconds }: Frame): string {
  const sum = (count: Count): number =>
    series.reduce((total, slice) => total + (slice[count] ?? 0), 0)
  const worst = Math.max(0, ...series.map(({ latency }) => latency.msMax))
  return `Over ${formatNumber(endSeconds)} seconds ${plural(sum('offered'), 'request')} offered, ${sum('achieved')} achieved, ${sum('refused')} refused, ${sum('errors')} with ${LOST_ANSWER}; the longest latency was ${formatNumber(worst)} ms.`
}

/** What the lines mean. One for all plots of a page. */
export const SERIES_KEY: Markup = markup`<ul class="key" aria-label="Key to the plots over time">
<li><svg aria-hidden="true"><path class="offered" d="M0 7h16"/></svg>planned: first attempts due</li>
<li><svg aria-hidden="true"><path class="sent" d="M0 7h16"/></svg>sent: first attempts</li>
<li><svg aria-hidden="true"><path class="achieved" d="M0 7h16"/></svg>answered: admitted answers</li>
<li><svg aria-hidden="true"><path class="refusals" d="M0 2h16v11h-16Z"/></svg>refused (429)</li>
<li><svg aria-hidden="true"><path class="losses" d="M0 2h16v11h-16Z"/></svg>${LOST_ANSWER}</li>
<li><svg aria-hidden="true"><path class="latency-p50" d="M0 7h16"/></svg>p50</li>
<li><svg aria-hidden="true"><path class="latency-p99" d="M0 7h16"/></svg>p99</li>
<li><svg aria-hidden="true"><path class="latency-max" d="M8 7h0"/></svg>maximum</li>
<li><svg aria-hidden="true"><path class="goal-line" d="M0 7h16"/></svg>goal</li>
<li><svg aria-hidden="true"><path class="goal-series" d="M0 7h16"/></svg>operation of a goal</li></ul>`

export function seriesPlot(series: readonly LoadSlice[], asked: readonly Goal[] = []): Markup {
  const goals = asked.filter(({ limitMs }) => limitMs !== undefined)
  const frame = frameOf(series, goals)
  const process = processPanels(series, frame.endSeconds, BOTTOM)
  const bottom = BOTTOM + process.height
  const height = bottom + AXIS_HEIGHT
  return markup`<svg class="plot series" role="img" aria-label="${description(frame)}" width="100%" height="${height}"><svg class="area" x="${LEFT}" height="${height}">${ratesPanel(frame)}${latenciesPanel(frame)}${process.drawn}${timeAxis(frame, bottom)}</svg></svg>`
}
