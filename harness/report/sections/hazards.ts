/** What could void the verdict. Stands before anything green. */
import type { RunRecord } from '../../../schemas/generated/run-record.ts'
import { decidedCount, undecidedByReason } from '../shared/digest.ts'
import { markup, type Markup } from '../shared/markup.ts'
import { oneLine, plural } from '../../text.ts'
import { idList, moreNote, type Section } from './section.ts'

const ITEMS_MAX = 40
/** The whole list stands under its reasons. */
const IDS_MAX = 24

function problemItem(problem: RunRecord['problems'][number]): Markup {
  return markup`<li><code>${oneLine(problem.code, 80)}</code> ${oneLine(problem.message, 1_500)}<br><b>Next:</b> ${oneLine(problem.nextStep, 1_000)}</li>`
}

function undecidedItem(record: RunRecord): Markup | undefined {
  if (record.undecided.length === 0) return undefined
  const ids = record.undecided.map((entry) => entry.requirement)
  const reasons = plural(undecidedByReason(record).length, 'reason')
  return markup`<li><b>${plural(ids.length, 'requirement')} not decided:</b> ${idList(ids, IDS_MAX)}. <a href="#undecided">${reasons}</a></li>`
}

function nothing(record: RunRecord): Markup {
  return decidedCount(record) === 0
    ? markup`<p class="muted">Nothing was decided, so there is no verdict on the target that could be void.</p>`
    : markup`<p class="muted">The run recorded nothing that could void its verdict.</p>`
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
      ? nothing(record)
      : markup`<div class="card void warn"><ul>${undecided}${items.slice(0, ITEMS_MAX)}</ul>${moreNote(items.length - ITEMS_MAX, 'entries')}</div>`
  return {
    id: 'hazards',
    title: 'What could void this verdict',
    short: 'What could void it',
    count,
    content,
  }
}
