/** The windows that were judged, drawn. Those with violations come first. */
import type { RunRecord, WindowTrace } from '../../../schemas/generated/run-record.ts'
import { markup, type Markup } from '../shared/markup.ts'
import { PLOT_KEY, windowPlot } from '../shared/window-plot.ts'
import { moreNote, type Section } from './section.ts'

const PLOTS_MAX = 16

export function windowPlots(windows: readonly WindowTrace[]): Markup {
  const ordered = windows.toSorted((a, b) => b.outcome.violations - a.outcome.violations)
  return markup`<div>${PLOT_KEY}</div><div class="plots">${ordered.slice(0, PLOTS_MAX).map(windowPlot)}</div>${moreNote(ordered.length - PLOTS_MAX, 'windows')}`
}

export function windowsSection(record: RunRecord): Section | undefined {
  if (record.windows.length === 0) return undefined
  return {
    id: 'windows',
    title: 'Rate-limit windows',
    short: 'Windows',
    count: record.windows.length,
    content: windowPlots(record.windows),
  }
}
