/** Two runs side by side, for a terminal. */
import type { Baseline, Comparison, RunRecord } from '../../schemas/generated/run-record.ts'
import {
  baselineHeadline,
  changeText,
  figureName,
  figuresByUrgency,
  FIGURE_TONES,
} from './shared/baseline-words.ts'
import { changeGroupLine, changeGroups } from './shared/comparison-words.ts'
import { formatUtc, oneLine, plural } from '../text.ts'
import { headlineOf } from './shared/verdicts.ts'

const NAMES_MAX = 40
const CHANGES_MAX = 20

export type ComparedRuns = {
  readonly before: RunRecord
  readonly now: RunRecord
  readonly comparison: Comparison
  readonly figures: Baseline
  /** What makes the two hard to compare. */
  readonly hazards: readonly string[]
}

function runLine(name: string, record: RunRecord): string {
  const { runId, target, exitCode, startedAt } = record
  return `${name} ${oneLine(runId, 80)}: ${headlineOf(record).word} (exit ${exitCode}), ${oneLine(target.name, 60)} ${oneLine(target.baseUrl, 100)}, ${formatUtc(startedAt)}`
}

function observationLines({ changes }: Comparison): string[] {
  const shown = changes.slice(0, CHANGES_MAX).map(({ id, check, before, now }) => {
    const [then, today] = [before, now].map((answers) => oneLine(answers.join(' · '), 120))
    return `  ${oneLine(id, 40)} (${oneLine(check, 80)}): was ${then}; is ${today}`
  })
  const left = changes.length - shown.length
  return [
    `${plural(changes.length, 'observation')} changed.`,
    ...shown,
    ...(left > 0 ? [`  … and ${left} more`] : []),
  ]
}

function figureLines(figures: Baseline): string[] {
  if (figures.figures.length === 0) return []
  const told = figuresByUrgency(figures).filter(({ verdict }) => FIGURE_TONES[verdict] !== 'pass')
  return [
    `${baselineHeadline(figures)}.`,
    ...told
      .slice(0, CHANGES_MAX)
      .map((figure) => `  ${figure.verdict} ${figureName(figure)}: ${changeText(figure)}`),
  ]
}

/** Lines joined by line feeds, with one at the end. */
export function renderComparison(runs: ComparedRuns): string {
  const { before, now, comparison, figures, hazards } = runs
  const groups = changeGroups(comparison).map((group) => changeGroupLine(group, NAMES_MAX))
  const lines = [
    runLine('before', before),
    runLine('now   ', now),
    ...hazards.map((hazard) => `! ${hazard}`),
    ...(groups.length > 0 ? groups : ['No requirement changed, and none is broken.']),
    ...figureLines(figures),
    ...observationLines(comparison),
  ]
  return `${lines.join('\n')}\n`
}
