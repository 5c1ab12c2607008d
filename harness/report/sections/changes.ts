/** What came out otherwise than in the run that was named to compare with, or the last of the same target. */
import type { Comparison, RunRecord } from '../../../schemas/generated/run-record.ts'
import { CHANGE_TONES, changeGroups, type ChangeGroup } from '../shared/comparison-words.ts'
import { markup, type Markup } from '../shared/markup.ts'
import { formatUtc, oneLine, plural } from '../../text.ts'
import { idList, moreNote, verdictMark, type Section } from './section.ts'

const ROWS_MAX = 200
const IDS_MAX = 80
/** Of what only one of the runs looked at. */
const APART_IDS_MAX = 4

function changeRow({ id, check, before, now }: Comparison['changes'][number]): Markup {
  const [then, today] = [before, now].map((answers) => oneLine(answers.join(' · '), 800))
  return markup`<tr><th scope="row" class="nowrap">${oneLine(id, 80)}<br><code class="small">${oneLine(check, 120)}</code></th><td class="wide">${then}</td><td class="wide">${today}</td></tr>`
}

function groupItem({ kind, words, changes }: ChangeGroup): Markup {
  const ids = changes.map(({ requirement }) => requirement)
  const max = kind === 'notSelectedNow' || kind === 'notSelectedBefore' ? APART_IDS_MAX : IDS_MAX
  return markup`<li>${verdictMark(CHANGE_TONES[kind], words)}: ${idList(ids, max)}</li>`
}

function observations({ questions, changes }: Comparison): Markup {
  if (changes.length === 0)
    return markup`<p>Nothing observed changed, as far as both answered: ${plural(questions, 'question')}.</p>`
  return markup`<div class="tablet"><table class="stack"><caption class="hidden">Changed observations</caption><thead><tr><th scope="col">Id</th><th scope="col">Then</th><th scope="col">Now</th></tr></thead><tbody>${changes.slice(0, ROWS_MAX).map(changeRow)}</tbody></table></div>${moreNote(changes.length - ROWS_MAX, 'changes')}`
}

export function changesSection({ comparison }: RunRecord): Section | undefined {
  if (!comparison) return undefined
  const groups = changeGroups(comparison)
  const content = markup`<p class="lead muted">Beside run <code>${oneLine(comparison.runId, 80)}</code> (${formatUtc(comparison.startedAt)}). It never counts for or against the target.</p>
${groups.length > 0 ? markup`<ul>${groups.map(groupItem)}</ul>` : undefined}
${observations(comparison)}`
  const count = groups.reduce((sum, { changes }) => sum + changes.length, comparison.changes.length)
  return { id: 'changes', title: 'Changed since an earlier run', short: 'Changes', count, content }
}
