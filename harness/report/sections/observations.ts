/** What the interface does not show, as this target does it. Recorded, never scored. */
import type { Observation, RunRecord } from '../../../schemas/generated/run-record.ts'
import { markup, type Markup } from '../shared/markup.ts'
import { isHygiene } from '../shared/digest.ts'
import { oneLine, plural } from '../../text.ts'
import { moreNote, type Section } from './section.ts'

const ROWS_MAX = 200

function row(observation: Observation): Markup {
  return markup`<tr><th scope="row" class="nowrap">${oneLine(observation.id, 80)}</th><td class="wide">${oneLine(observation.question, 600)}</td><td class="wide">${oneLine(observation.answer, 800)}</td></tr>`
}

export function hygieneSection({ observations }: RunRecord): Section | undefined {
  const warnings = observations.filter(isHygiene)
  if (warnings.length === 0) return undefined
  const content = markup`<p class="lead muted">No sentence of the interface forbids these, so they never count. Whoever runs the service wants to know them.</p>
<div class="tablet"><table class="stack"><caption class="hidden">Warnings of security hygiene</caption><thead><tr><th scope="col">Id</th><th scope="col">Warning</th><th scope="col">Seen</th></tr></thead><tbody>${warnings.slice(0, ROWS_MAX).map(row)}</tbody></table></div>`
  return { id: 'hygiene', title: 'Security hygiene', count: warnings.length, content }
}

export function observationsSection(record: RunRecord): Section | undefined {
  const observations = record.observations.filter((each) => !isHygiene(each))
  if (observations.length === 0) return undefined
  const content = markup`<p class="lead muted">The interface leaves these open. What this target does is recorded and never counts for or against it.</p>
<details class="fold"><summary>${plural(observations.length, 'answer')}</summary><div class="tablet"><table class="stack"><caption class="hidden">Observations</caption><thead><tr><th scope="col">Id</th><th scope="col">Question</th><th scope="col">Answer of this target</th></tr></thead><tbody>${observations.slice(0, ROWS_MAX).map(row)}</tbody></table></div></details>${moreNote(observations.length - ROWS_MAX, 'observations')}`
  return { id: 'observations', title: 'Observations', count: observations.length, content }
}
