/** What the run could not decide, and why: inconclusive checks with their numbers, the rest grouped by reason. */
import type { RunRecord } from '../../../schemas/generated/run-record.ts'
import { DECIDED, issuesWith, otherUndecided } from '../shared/digest.ts'
import { markup, type Markup } from '../shared/markup.ts'
import { oneLine, plural } from '../../text.ts'
import { issueCards, type Evidence } from './issues.ts'
import { idList, moreNote, verdictMark, type Section } from './section.ts'

const GROUPS_MAX = 60
const IDS_MAX = 80
/** More of them would hide the reason. */
const LEADING_IDS_MAX = 6

const TO_ADD_MAX = 40

/** What would let the most be decided comes first, each thing once. */
function toAddTable({ toAdd = [] }: RunRecord): Markup | undefined {
  if (toAdd.length === 0) return undefined
  const rows = toAdd.slice(0, TO_ADD_MAX).map(({ what, requirements }) => {
    return markup`<tr><td class="wide">${oneLine(what, 300)}</td><td>+${requirements.length}</td><td>${idList(requirements, IDS_MAX)}</td></tr>`
  })
  return markup`<div class="card toned untested"><h3>What to add</h3><table class="stack"><thead><tr><th scope="col">Add or correct</th><th scope="col">Requirements decided</th><th scope="col">Which</th></tr></thead><tbody>${rows}</tbody></table>${moreNote(toAdd.length - TO_ADD_MAX, 'things to add')}</div>`
}

function groups(record: RunRecord): Markup | undefined {
  const all = otherUndecided(record)
  if (all.length === 0) return undefined
  const items = all.slice(0, GROUPS_MAX).map(({ reason, requirements }) => {
    const ids = idList(requirements, IDS_MAX)
    return requirements.length > LEADING_IDS_MAX
      ? markup`<li><b>${plural(requirements.length, 'requirement')}</b>: ${oneLine(reason, 600)}<br>${ids}</li>`
      : markup`<li><b>${ids}</b><br>${oneLine(reason, 600)}</li>`
  })
  return markup`<div class="card toned untested"><ul class="groups">${items}</ul>${moreNote(all.length - GROUPS_MAX, 'reasons')}</div>`
}

/** Checks that did not run to a decision although all their requirements may have been decided by others. */
function untestedChecks(record: RunRecord): Markup | undefined {
  const checks = record.checks.filter((check) => check.verdict === 'untested')
  if (checks.length === 0) return undefined
  const rows = checks.slice(0, 200).map((check) => {
    return markup`<tr><td><code>${oneLine(check.id, 160)}</code></td><td class="aside">${verdictMark('untested')}</td><td class="wide">${oneLine(check.reason ?? 'No reason was recorded.', 600)}</td></tr>`
  })
  return markup`<details class="fold"><summary>${plural(checks.length, 'untested check')}</summary><table class="stack"><caption class="hidden">Untested checks with their reasons</caption><thead><tr><th scope="col">Check</th><th scope="col">Verdict</th><th scope="col">Reason</th></tr></thead><tbody>${rows}</tbody></table></details>`
}

export function undecidedSection(record: RunRecord, found: Evidence): Section {
  const inconclusive = issuesWith(record, 'inconclusive')
  const parts = [
    toAddTable(record),
    groups(record),
    inconclusive.length > 0 ? issueCards(inconclusive, found) : undefined,
    untestedChecks(record),
  ].filter((part) => part !== undefined)
  const isAnyDecided = record.requirements.some(({ verdict }) => DECIDED.has(verdict))
  const nothing = !isAnyDecided
    ? markup`<p class="lead">No requirement was decided.</p>`
    : markup`<p class="lead">All requirements in scope were decided.</p>`
  return {
    id: 'undecided',
    title: 'Not decided',
    count: record.undecided.length,
    content: parts.length > 0 ? markup`<div>${parts}</div>` : nothing,
  }
}
