/** What could void the verdict. Stands before anything green. */
import type { RunRecord } from '../../../schemas/generated/run-record.ts'
import { undecidedByReason } from '../digest.ts'
import { markup, type Markup } from '../markup.ts'
import { listed, oneLine, plural } from '../text.ts'
import { moreNote, type Section } from './section.ts'

const ITEMS_MAX = 40
const NAMES_MAX = 60

function problemItem(problem: RunRecord['problems'][number]): Markup {
  return markup`<li><code>${oneLine(problem.code, 80)}</code> ${oneLine(problem.message, 1_500)}<br><b>Next:</b> ${oneLine(problem.nextStep, 1_000)}</li>`
}

function undecidedItem(record: RunRecord): Markup | undefined {
  if (record.undecided.length === 0) return undefined
  const names = record.undecided.map((entry) => oneLine(entry.requirement, 40))
  const reasons = plural(undecidedByReason(record).length, 'reason')
  return markup`<li><b>${plural(names.length, 'requirement')} not decided:</b> ${listed(names, NAMES_MAX)}. <a href="#undecided">${reasons}</a></li>`
}

export function hazardsSection(record: RunRecord): Section {
  const items = [
    ...record.problems.map(problemItem),
    ...record.hazards.map((hazard) => markup`<li>${oneLine(hazard, 1_500)}</li>`),
  ]
  const undecided = undecidedItem(record)
  const count = items.length + (undecided === undefined ? 0 : 1)
  const content =
    count === 0
      ? markup`<p class="muted">The run recorded nothing that could void its verdict.</p>`
      : markup`<div class="card void warn"><ul>${undecided}${items.slice(0, ITEMS_MAX)}</ul>${moreNote(items.length - ITEMS_MAX, 'entries')}</div>`
  return { id: 'hazards', title: 'What could void this verdict', count, content }
}
