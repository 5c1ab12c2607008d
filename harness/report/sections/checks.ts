/** All checks by area, folded: what each saw, how long it took, and those of its exchanges that the page prints. */
import type { Check, RunRecord } from '../../../schemas/generated/run-record.ts'
import { anchor, joined, markup, type Markup } from '../shared/markup.ts'
import { formatSeconds, oneLine, plural } from '../../text.ts'
import { countVerdicts } from '../shared/verdicts.ts'
import { exchangeLink } from './exchange.ts'
import { verdictMark, verdictMarks, type Section } from './section.ts'

const LINKS_MAX = 12
const REASON_CHARS_MAX = 400
const OBSERVED_CHARS_MAX = 100

function duration(check: Check): string {
  const waited = check.waitedSeconds ?? 0
  const took = formatSeconds(check.durationSeconds)
  return waited > 0 ? `${took}, ${formatSeconds(waited)} of it waiting` : took
}

function outcome({ reason, observed }: Check): Markup {
  const text =
    reason === undefined
      ? `Saw: ${oneLine(observed, OBSERVED_CHARS_MAX)}`
      : oneLine(reason, REASON_CHARS_MAX)
  return markup`<span class="why">${text}</span>`
}

function links(check: Check, printed: ReadonlySet<string>): Markup | undefined {
  const ids = check.exchanges.filter((id) => printed.has(id))
  if (ids.length === 0) return undefined
  const left = ids.length - LINKS_MAX
  return markup`<span class="why">${joined(
    ids.slice(0, LINKS_MAX).map((id) => exchangeLink(id, printed)),
    ', ',
  )}${left > 0 ? ` and ${left} more` : ''}</span>`
}

function row(check: Check, printed: ReadonlySet<string>): Markup {
  return markup`<tr id="${anchor('check', check.id)}"><td class="wide">${oneLine(check.title, 300)}<span class="why"><code>${oneLine(check.id, 160)}</code> · ${oneLine(check.requirements.join(', '), 300)}</span>${outcome(check)}${links(check, printed)}</td><td class="small muted">${duration(check)}</td><td class="aside">${verdictMark(check.verdict)}</td></tr>`
}

function areaTable(area: string, checks: readonly Check[], printed: ReadonlySet<string>): Markup {
  const counts = verdictMarks(countVerdicts(checks))
  return markup`<details class="fold"><summary>${oneLine(area, 120)}<span class="counts small">${counts}</span></summary><table class="stack"><caption class="hidden">Checks of ${oneLine(area, 120)}</caption><thead><tr><th scope="col">Check</th><th scope="col">Time</th><th scope="col">Verdict</th></tr></thead><tbody>${checks.map((check) => row(check, printed))}</tbody></table></details>
`
}

function evidenceNote({ exchanges }: RunRecord): Markup | undefined {
  if (exchanges.length === 0) return undefined
  return markup`<p class="lead muted">The page prints the exchanges of failures and warnings. All ${plural(exchanges.length, 'exchange')} that were kept stand in run.json; <code>ordering-harness inspect run.json --har FILE</code> writes them for a browser's tools.</p>
`
}

export function checksSection(record: RunRecord, printed: ReadonlySet<string>): Section {
  const areas = Map.groupBy(record.checks, (check) => check.area)
  const tables = [...areas].map(([area, checks]) => areaTable(area, checks, printed))
  return {
    id: 'checks',
    title: 'Checks',
    count: record.checks.length,
    content:
      tables.length === 0
        ? markup`<p class="muted">No check was run.</p>`
        : markup`${evidenceNote(record)}<div>${tables}</div>`,
  }
}
