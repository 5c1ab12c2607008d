/** What the interface does not show, as this target does it. Recorded, never scored. */
import type { Comparison, Observation, RunRecord } from '../../../schemas/generated/run-record.ts'
import { markup, type Markup } from '../markup.ts'
import { formatUtc, oneLine, plural } from '../text.ts'
import { moreNote, type Section } from './section.ts'

const ROWS_MAX = 200

function row(observation: Observation): Markup {
  return markup`<tr><th scope="row" class="nowrap">${oneLine(observation.id, 80)}</th><td class="wide">${oneLine(observation.question, 600)}</td><td class="wide">${oneLine(observation.answer, 800)}</td></tr>`
}

function changeRow({ id, check, before, now }: Comparison['changes'][number]): Markup {
  const [then, today] = [before, now].map((answers) => oneLine(answers.join(' · '), 800))
  return markup`<tr><th scope="row" class="nowrap">${oneLine(id, 80)}<br><code class="small">${oneLine(check, 120)}</code></th><td class="wide">${then}</td><td class="wide">${today}</td></tr>`
}

/** What was observed otherwise in the last run of the same target. */
function changes({ comparison }: RunRecord): Markup | undefined {
  if (!comparison) return undefined
  const { runId, questions, changes: changed } = comparison
  const run = markup`run <code>${oneLine(runId, 80)}</code> (${formatUtc(comparison.startedAt)})`
  if (changed.length === 0)
    return markup`<p>Nothing observed changed since ${run}, as far as both answered: ${plural(questions, 'question')}.</p>`
  return markup`<h3>Observations that changed since ${run}</h3>
<div class="tablet"><table class="stack"><caption class="hidden">Changed observations</caption><thead><tr><th scope="col">Id</th><th scope="col">Then</th><th scope="col">Now</th></tr></thead><tbody>${changed.slice(0, ROWS_MAX).map(changeRow)}</tbody></table></div>${moreNote(changed.length - ROWS_MAX, 'changes')}`
}

export function observationsSection(record: RunRecord): Section | undefined {
  const { observations } = record
  if (observations.length === 0) return undefined
  const content = markup`<p class="lead muted">The interface leaves these open. What this target does is recorded and never counts for or against it.</p>
${changes(record)}
<div class="tablet"><table class="stack"><caption class="hidden">Observations</caption><thead><tr><th scope="col">Id</th><th scope="col">Question</th><th scope="col">Answer of this target</th></tr></thead><tbody>${observations.slice(0, ROWS_MAX).map(row)}</tbody></table></div>${moreNote(observations.length - ROWS_MAX, 'observations')}`
  return { id: 'observations', title: 'Observations', count: observations.length, content }
}
