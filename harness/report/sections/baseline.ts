/** How the load compares with an earlier run: each figure with its change and interval, what is worse first. */
import type { BaselineFigure, RunRecord } from '../../../schemas/generated/run-record.ts'
import {
  baselineHeadline,
  baselineTerms,
  changeText,
  figureName,
  figuresByUrgency,
  FIGURE_TONES,
  medianText,
} from '../shared/baseline-words.ts'
import { markup, type Markup } from '../shared/markup.ts'
import { moreNote, verdictMark, type Section } from './section.ts'

const ROWS_MAX = 100

function row(figure: BaselineFigure): Markup {
  const { repeats, verdict } = figure
  return markup`<tr><th scope="row">${figureName(figure)}<span class="why">${repeats.before} and ${repeats.now} repeats</span></th><td>${verdictMark(FIGURE_TONES[verdict], verdict)}</td><td class="number">${medianText(figure, 'before')}</td><td class="number">${medianText(figure, 'now')}</td><td class="wide">${changeText(figure)}</td></tr>`
}

/** Undefined for a run that was compared with none. */
export function baselineSection({ baseline }: RunRecord): Section | undefined {
  if (!baseline) return undefined
  const { figures } = baseline
  const table =
    figures.length === 0
      ? undefined
      : markup`<table class="stack"><caption class="hidden">Figures of load beside the baseline</caption><thead><tr><th scope="col">Figure</th><th scope="col">Verdict</th><th scope="col" class="number">Baseline, median</th><th scope="col" class="number">Now, median</th><th scope="col">Change, with its interval</th></tr></thead><tbody>${figuresByUrgency(baseline).slice(0, ROWS_MAX).map(row)}</tbody></table>`
  return {
    id: 'baseline',
    title: 'Beside the baseline',
    count: figures.length,
    content: markup`<div><p class="lead">${baselineHeadline(baseline)}.</p>${table}${moreNote(figures.length - ROWS_MAX, 'figures')}<p class="small muted">${baselineTerms(baseline)}</p></div>`,
  }
}
