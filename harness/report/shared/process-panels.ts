/** What a watched process took (--watch-pid): panels under the plot of a run over time, and the same in words. */
import type { LoadResult, LoadSlice } from '../../../schemas/generated/run-record.ts'
import { formatNumber } from '../../text.ts'
import { markup, type Markup } from './markup.ts'
import { path, stretched, UNITS_WIDE } from './stretched.ts'

const TITLE_HEIGHT = 22
const PANEL_HEIGHT = 46
const GAP = 14
const HEADROOM = 1.15
const MIB = 1 << 20

type Use = NonNullable<LoadSlice['process']>
type Measure = {
  readonly name: string
  readonly of: (use: Use) => number | undefined
  readonly text: (value: number) => string
}

const MEASURES: readonly Measure[] = [
  {
    name: 'processors of the watched process',
    of: ({ processors }) => processors,
    text: (value) => formatNumber(Number(value.toFixed(2))),
  },
  {
    name: 'its memory',
    of: ({ memoryBytes }) => memoryBytes,
    text: (value) => `${formatNumber(Math.round(value / MIB))} MiB`,
  },
  {
    name: 'its open connections',
    of: ({ connections }) => connections,
    text: (value) => formatNumber(value),
  },
]

/** Panels from `top` on, for as wide a time axis as the plot's; nothing where no process was watched. */
export function processPanels(
  series: readonly LoadSlice[],
  endSeconds: number,
  top: number,
): { readonly drawn: readonly Markup[]; readonly height: number } {
  const shown = MEASURES.filter(({ of }) => valuesOf(series, of).length > 0)
  const each = GAP + TITLE_HEIGHT + PANEL_HEIGHT
  const drawn = shown.map((measure, index) => {
    const panelTop = top + each * index + GAP + TITLE_HEIGHT
    const most = Math.max(...valuesOf(series, measure.of))
    const max = HEADROOM * Math.max(most, 1e-3)
    const bottom = panelTop + PANEL_HEIGHT
    const line = path(
      'process',
      stairs(series, endSeconds, (use) => (measure.of(use) ?? 0) / max),
    )
    return markup`<line class="grid" x1="0" x2="100%" y1="${bottom}" y2="${bottom}"/>${stretched(panelTop, PANEL_HEIGHT, [line])}<text class="strong" x="0" y="${panelTop - 8}">${measure.name}: ${measure.text(most)} at most</text>`
  })
  return { drawn, height: each * drawn.length }
}

function valuesOf(series: readonly LoadSlice[], of: Measure['of']): number[] {
  return series.flatMap(({ process }) => (process && of(process)) ?? [])
}

/** Even within each slice, broken where there is no sample. */
function stairs(
  series: readonly LoadSlice[],
  endSeconds: number,
  share: (use: Use) => number,
): string {
  const x = (seconds: number): number => Math.round((UNITS_WIDE * seconds) / endSeconds)
  let isOpen = false
  const parts = series.map(({ fromSeconds, seconds, process }) => {
    const wasOpen = isOpen
    isOpen = process !== undefined
    if (process === undefined) return ''
    const y = Math.round(10 * PANEL_HEIGHT * (1 - share(process))) / 10
    return `${wasOpen ? `V${y}` : `M${x(fromSeconds)} ${y}`}H${x(fromSeconds + seconds)}`
  })
  return parts.join('')
}

/** `0.85 processors at most and 0.4 on average, 120 MiB, 12 connections`; undefined where none was watched. */
export function processText({ series = [] }: LoadResult): string | undefined {
  const watched = series.filter(({ process }) => process !== undefined)
  if (watched.length === 0) return undefined
  const [processors = [], memory = [], connections = []] = MEASURES.map(({ of }) =>
    valuesOf(watched, of),
  )
  const seconds = watched.reduce((sum, slice) => sum + slice.seconds, 0)
  const used = watched.reduce(
    (sum, slice) => sum + slice.seconds * (slice.process?.processors ?? 0),
    0,
  )
  const most = (values: readonly number[], index: number): string =>
    MEASURES[index]?.text(Math.max(...values)) ?? ''
  const open = connections.length > 0 ? `, ${most(connections, 2)} connections` : ''
  return `${most(processors, 0)} processors at most and ${MEASURES[0]?.text(used / seconds)} on average, ${most(memory, 1)}${open}`
}
