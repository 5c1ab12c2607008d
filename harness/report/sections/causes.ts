/** What blocked more than one check: told once, before the failures. */
import type { Cause, RunRecord } from '../../../schemas/generated/run-record.ts'
import { anchor, joined, markup, type Markup } from '../shared/markup.ts'
import { oneLine, plural } from '../../text.ts'
import { exchangeLink } from './exchange.ts'
import { idList, moreNote, type Section } from './section.ts'

const CARDS_MAX = 40
const IDS_MAX = 80

function card(cause: Cause, printed: ReadonlySet<string>): Markup {
  const { id, text, nextStep, requirement, check, blocked, exchanges } = cause
  const kept =
    requirement === undefined
      ? markup`<p>No check failed for it: none could go on.</p>`
      : markup`<p>It stays failed as <b>${oneLine(requirement, 80)}</b>, found by <code>${oneLine(check ?? '', 200)}</code>.</p>`
  const links = exchanges.map((each) => exchangeLink(each, printed))
  return markup`<article class="card toned fail" id="${anchor('cause', id)}">
<div class="issue-head"><h3>${oneLine(id, 20)}</h3><span class="muted small">${plural(blocked.length, 'check')} blocked</span></div>
<p class="statement">${oneLine(text, 600)}.</p>
<p><b>Next:</b> ${oneLine(nextStep, 600)}</p>
${kept}
<p class="small">Blocked by it: ${idList(blocked, IDS_MAX)}.</p>
${links.length > 0 ? markup`<p class="small muted">Exchanges: ${joined(links, ', ')}</p>` : undefined}
</article>`
}

/** Undefined where nothing was folded. */
export function causesSection(
  { causes = [] }: RunRecord,
  printed: ReadonlySet<string>,
): Section | undefined {
  if (causes.length === 0) return undefined
  const lead = markup`<p class="lead muted">Every request of its kind met it. What follows from it is not repeated below.</p>`
  const cards = causes.slice(0, CARDS_MAX).map((cause) => card(cause, printed))
  const content = markup`${lead}<div>${cards}${moreNote(causes.length - CARDS_MAX, 'causes')}</div>`
  return { id: 'causes', title: 'Causes', count: causes.length, content }
}
