/**
 * One window as a static SVG: admitted requests climb towards the budget line, window by window; refused ones stand as strokes in a
 * row above, those that may not have counted as squares. The drawing stretches to any width: marks keep their size because strokes do not scale.
 */
import type { WindowTrace } from '../../../schemas/generated/run-record.ts'
import { markup, type Markup } from './markup.ts'
import { path, stretched, UNITS_WIDE } from './stretched.ts'
import { formatNumber, oneLine, plural } from '../../text.ts'
import { scaleWindow, ticksFor, type Outcome, type WindowScale } from './window-scale.ts'

const LEFT = 6
const LABEL_HEIGHT = 15
const STROKE_HEIGHT = 16
const LANE_HEIGHT = LABEL_HEIGHT + STROKE_HEIGHT + 8
const MAIN_HEIGHT = 150
const AXIS_HEIGHT = 20
/** Room above the highest mark, as a share of the scale. */
const HEADROOM = 1.16
/** From so many admitted requests on, the marks are smaller. */
const DENSE_FROM = 150

type Frame = {
  readonly scale: WindowScale
  readonly trace: WindowTrace
  readonly counted: boolean
  /** Count at the upper border of the main area. */
  readonly countMax: number
}

/** A share of the width for a time, 0 to 1. */
function shareOf(atMs: number, { startMs, endMs }: WindowScale): number {
  const share = (atMs - startMs) / (endMs - startMs)
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`
}

function unitX(atMs: number, scale: WindowScale): number {
  return Math.round(shareOf(atMs, scale) * UNITS_WIDE)
}

function heightOf(count: number, frame: Frame): number {
  return Math.round((1 - count / frame.countMax) * MAIN_HEIGHT * 10) / 10
}

/** Whether the judge found violations: only then does the drawing point at what lies beyond the budget. */
function isBroken(frame: Frame): boolean {
  return frame.trace.outcome.violations > 0
}

/** Round marks: subpaths of no length, drawn by their line caps. Admitted ones climb where windows are known, else lie in one row. */
function admittedPath(frame: Frame, isDrawn: (nth: number) => boolean): string {
  return frame.scale.requests
    .filter((request) => request.outcome === 'admitted' && isDrawn(request.nth))
    .map((request) => {
      const y = frame.counted ? heightOf(request.nth, frame) : MAIN_HEIGHT / 2
      return `M${unitX(request.atMs, frame.scale)} ${y}h0`
    })
    .join('')
}

/** The cumulative count of each window as stairs. */
function stairsPath(frame: Frame): string {
  const admitted = frame.scale.requests.filter((request) => request.outcome === 'admitted')
  const windows = Map.groupBy(admitted, (request) => request.window)
  const parts: string[] = []
  for (const [window, requests] of windows) {
    const endMs = frame.scale.edgesMs[window] ?? frame.scale.endMs
    const first = requests[0]
    if (first === undefined) continue
    parts.push(`M${unitX(first.atMs, frame.scale)} ${heightOf(0, frame)}`)
    for (const request of requests)
      parts.push(`H${unitX(request.atMs, frame.scale)}V${heightOf(request.nth, frame)}`)
    parts.push(`H${unitX(endMs, frame.scale)}`)
  }
  return parts.join('')
}

function rowPath(frame: Frame, outcome: Outcome, mark: string): string {
  return frame.scale.requests
    .filter((request) => request.outcome === outcome)
    .map((request) => `M${unitX(request.atMs, frame.scale)} ${mark}`)
    .join('')
}

function rowLabel(y: number, text: string): Markup {
  return markup`<text x="0" y="${y + 11}">${text}</text>`
}

function refusedRow(frame: Frame, y: number): Markup {
  const strokes = rowPath(frame, 'refused', `0v${STROKE_HEIGHT}`)
  const drawn = stretched(y + LABEL_HEIGHT, STROKE_HEIGHT, [path('refused', strokes)])
  return markup`${rowLabel(y, 'refused (429)')}${drawn}`
}

function openRow(frame: Frame, y: number): Markup {
  const squares = rowPath(frame, 'open', `${STROKE_HEIGHT / 2}h0`)
  const drawn = stretched(y + LABEL_HEIGHT, STROKE_HEIGHT, [
    path('open', squares),
    path('hole', squares),
  ])
  return markup`${rowLabel(y, 'another answer, or none')}${drawn}`
}

/** Every second window is shaded, so that edges are seen even where their lines are close together. */
function windowBands(frame: Frame, height: number): Markup[] {
  const { edgesMs, endMs } = frame.scale
  const shaded = edgesMs.filter((_, i) => i % 2 === 0)
  return shaded.map((edgeMs, i) => {
    const from = shareOf(edgeMs, frame.scale)
    const to = shareOf(edgesMs[i * 2 + 1] ?? endMs, frame.scale)
    return markup`<rect class="band" x="${percent(from)}" y="0" width="${percent(to - from)}" height="${height}"/>`
  })
}

function edgeLines(frame: Frame, height: number): Markup[] {
  return frame.scale.edgesMs.map((edgeMs) => {
    const x = percent(shareOf(edgeMs, frame.scale))
    return markup`<line class="edge" x1="${x}" x2="${x}" y1="0" y2="${height}"/>`
  })
}

function budgetLine(frame: Frame, y: number): Markup {
  const { count } = frame.trace.limit
  const lineY = y + heightOf(count, frame)
  const over = isBroken(frame) && frame.scale.admittedMax > count
  const zone = markup`<rect class="over" x="0" y="${y}" width="100%" height="${heightOf(count, frame)}"/>`
  return markup`${over ? zone : undefined}<line class="budget" x1="0" x2="100%" y1="${lineY}" y2="${lineY}"/>`
}

/** Drawn last, so that no mark covers it. */
function budgetLabel(frame: Frame, y: number): Markup {
  const { count } = frame.trace.limit
  return markup`<text class="strong" x="0" y="${y + heightOf(count, frame) - 5}">budget ${formatNumber(count)}</text>`
}

function mainArea(frame: Frame, y: number): Markup {
  const { count } = frame.trace.limit
  const isBeyond = (nth: number): boolean => frame.counted && isBroken(frame) && nth > count
  const marks = [
    frame.counted ? path('stairs', stairsPath(frame)) : undefined,
    path(
      'admitted',
      admittedPath(frame, (nth) => !isBeyond(nth)),
    ),
    path('beyond', admittedPath(frame, isBeyond)),
  ]
  const bottom = y + MAIN_HEIGHT
  return markup`${frame.counted ? budgetLine(frame, y) : rowLabel(y, 'admitted')}<line class="grid" x1="0" x2="100%" y1="${bottom}" y2="${bottom}"/>${stretched(y, MAIN_HEIGHT, marks)}${frame.counted ? budgetLabel(frame, y) : undefined}`
}

function timeAxis(frame: Frame, y: number): Markup {
  const { endMs } = frame.scale
  return markup`${ticksFor(endMs / 1_000).map((seconds) => {
    const share = shareOf(seconds * 1_000, frame.scale)
    const ending = share > 0.94 ? markup` text-anchor="end"` : markup` text-anchor="middle"`
    return markup`<text x="${percent(share)}" y="${y + 14}"${share < 0.03 ? undefined : ending}>${formatNumber(seconds)} s</text>`
  })}`
}

function frameOf(trace: WindowTrace): Frame {
  const scale = scaleWindow(trace)
  const counted = (trace.edgesMs ?? []).length > 0
  return {
    scale,
    trace,
    counted,
    countMax: Math.max(trace.limit.count, scale.admittedMax, 1) * HEADROOM,
  }
}

function countOf(frame: Frame, outcome: Outcome): number {
  return frame.scale.requests.filter((request) => request.outcome === outcome).length
}

/** The picture in words, for those who do not see it. */
function description(frame: Frame): string {
  const { limit } = frame.trace
  const windows = frame.counted
    ? `${plural(frame.scale.edgesMs.length, 'window edge')}, at most ${frame.scale.admittedMax} admitted in one window`
    : 'window edges not found'
  return `${plural(frame.scale.requests.length, 'request')} over time against a budget of ${limit.count} per ${limit.windowSeconds} s: ${countOf(frame, 'admitted')} admitted, ${countOf(frame, 'refused')} refused, ${countOf(frame, 'open')} with another answer or none; ${windows}.`
}

function drawing(frame: Frame): Markup {
  const hasOpen = countOf(frame, 'open') > 0
  const mainY = LANE_HEIGHT * (hasOpen ? 2 : 1)
  const bottom = mainY + MAIN_HEIGHT
  const dense = countOf(frame, 'admitted') >= DENSE_FROM ? ' dense' : ''
  return markup`<svg class="plot" role="img" aria-label="${description(frame)}" width="100%" height="${bottom + AXIS_HEIGHT}"><svg class="area${dense}" x="${LEFT}" height="${bottom + AXIS_HEIGHT}">${windowBands(frame, bottom)}${refusedRow(frame, 0)}${hasOpen ? openRow(frame, LANE_HEIGHT) : undefined}${edgeLines(frame, bottom)}${mainArea(frame, mainY)}${timeAxis(frame, bottom)}</svg></svg>`
}

/** What the marks mean. One for all plots of a page. */
export const PLOT_KEY: Markup = markup`<ul class="key" aria-label="Key to the plots">
<li><svg aria-hidden="true"><path class="admitted" d="M8 7h0"/></svg>admitted, counted up within its window</li>
<li><svg aria-hidden="true"><path class="beyond" d="M8 7h0"/></svg>admitted beyond the budget</li>
<li><svg aria-hidden="true"><path class="refused" d="M5 1v12M10 1v12"/></svg>refused (429)</li>
<li><svg aria-hidden="true"><path class="open" d="M8 7h0"/><path class="hole" d="M8 7h0"/></svg>another answer, or none: it may have counted</li>
<li><svg aria-hidden="true"><line x1="0" x2="16" y1="7" y2="7"/></svg>budget of one window</li>
<li><svg aria-hidden="true"><line class="edge" x1="8" x2="8" y1="0" y2="14"/></svg>window edge</li></ul>`

function notes(frame: Frame): string[] {
  const { outcome, points } = frame.trace
  const judged = outcome.mustAccept + outcome.mustRefuse + outcome.ambiguous
  const found: string[] = []
  if (!frame.counted) found.push('No window edge was found, so nothing is counted per window.')
  if (!isBroken(frame) && frame.counted && frame.scale.admittedMax > frame.trace.limit.count)
    found.push(
      'The drawing uses one estimate of the edges, so it may show more than the budget in one window. The verdict allows every edge that explains the answers.',
    )
  if (points.length < judged)
    found.push(
      `${formatNumber(points.length)} of ${formatNumber(judged)} requests are drawn; the counts in the picture are of those.`,
    )
  return found
}

/** One window as a figure: what it is, the drawing, and the judgement in numbers. */
export function windowPlot(trace: WindowTrace): Markup {
  const frame = frameOf(trace)
  const { limit, outcome } = trace
  const broken = outcome.violations > 0
  const where = [trace.partition, trace.phase].filter((part) => part !== undefined).join(' · ')
  const drawn =
    trace.points.length === 0
      ? markup`<p class="muted">No request was recorded for this window.</p>`
      : drawing(frame)
  return markup`<figure class="card${broken ? ' toned fail' : ''}">
<div><h3><code>${oneLine(trace.bucket, 120)}</code> ${formatNumber(limit.count)} per ${formatNumber(limit.windowSeconds)} s</h3>
<p class="muted small">${oneLine(where, 240)}</p></div>
${drawn}
<figcaption>${broken ? markup`<span class="verdict"><span class="glyph" aria-hidden="true">✕</span> ${plural(outcome.violations, 'violation')}</span>` : 'No violation'} · ${formatNumber(outcome.mustAccept)} had to be accepted · ${formatNumber(outcome.mustRefuse)} had to be refused · ${formatNumber(outcome.ambiguous)} could be either${notes(frame).map((note) => markup`<br><span class="muted">${note}</span>`)}</figcaption>
</figure>`
}
