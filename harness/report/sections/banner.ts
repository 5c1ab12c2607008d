/** The first thing a reader sees: the verdict, why, and what to do next. */
import type { RunRecord } from '../../../schemas/generated/run-record.ts'
import { markup, type Markup } from '../shared/markup.ts'
import { formatSeconds, formatUtc, oneLine, plural } from '../../text.ts'
import {
  countVerdicts,
  headlineOf,
  VERDICT_SIGNS,
  VERDICTS_BY_URGENCY,
  type VerdictCounts,
} from '../shared/verdicts.ts'
import { verdictMarks } from './section.ts'

function undecidedSentence(count: number): string {
  if (count === 0) return 'Not everything in the profile was in scope of this run.'
  return `${plural(count, 'requirement')} in scope ${count === 1 ? 'was' : 'were'} not decided.`
}

function marks(record: RunRecord): Markup | undefined {
  const { faults } = record.target
  const items = [
    record.partial
      ? markup`<li><b>Partial record.</b> The run was interrupted; what stands here was measured until then.</li>`
      : undefined,
    record.profile.partial
      ? markup`<li><b>Not all decided.</b> ${undecidedSentence(record.undecided.length)}</li>`
      : undefined,
    record.profile.selected.length > 0
      ? markup`<li><b>Selection.</b> Only what matches ${oneLine(record.profile.selected.join(', '), 300)} was run.</li>`
      : undefined,
    faults.length > 0
      ? markup`<li><b>Deliberate defects.</b> The reference service ran with ${faults.length === 1 ? 'the fault' : 'the faults'} ${oneLine(faults.join(', '), 300)}.</li>`
      : undefined,
  ].filter((item) => item !== undefined)
  return items.length === 0 ? undefined : markup`<ul class="marks">${items}</ul>`
}

function fact(name: string, value: string | Markup): Markup {
  return markup`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function facts(record: RunRecord): Markup {
  const { target } = record
  return markup`<dl class="facts">
${fact('Target', markup`${oneLine(target.name, 120)} <span class="muted">${oneLine(target.baseUrl, 200)}</span>`)}
${Object.entries(record.labels ?? {}).map(([name, value]) => fact(oneLine(name, 60), oneLine(value, 200)))}
${fact('Started', formatUtc(record.startedAt))}
${fact('Duration', formatSeconds(record.durationSeconds))}
${fact('Run', `${record.command}, profile ${oneLine(record.profile.name, 80)}`)}
${record.capacity ? undefined : fact('Checks', markup`${plural(record.checks.length, 'check')}${record.load.length > 0 ? `, ${plural(record.load.length, 'load scenario')}` : ''}`)}
</dl>`
}

function tallyBar(counts: VerdictCounts, total: number): Markup {
  const present = VERDICTS_BY_URGENCY.filter((verdict) => counts[verdict] > 0)
  let before = 0
  const segments = present.map((verdict) => {
    const x = (before / total) * 100
    before += counts[verdict]
    const width = (counts[verdict] / total) * 100
    return markup`<rect class="${verdict}" x="${x.toFixed(2)}%" width="${width.toFixed(2)}%" height="10"/>`
  })
  return markup`<svg aria-hidden="true">${segments}</svg>`
}

function tally(record: RunRecord): Markup | undefined {
  const total = record.requirements.length
  if (total === 0 && record.capacity) return undefined
  if (total === 0)
    return markup`<div class="tally"><p class="label">Requirements</p><p>None was in scope.</p></div>`
  const counts = countVerdicts(record.requirements)
  return markup`<div class="tally"><p class="label">${plural(total, 'requirement')} by verdict</p>
${tallyBar(counts, total)}
<ul>${verdictMarks(counts).map((mark) => markup`<li>${mark}</li>`)}</ul></div>`
}

export function banner(record: RunRecord): Markup {
  const { word, tone } = headlineOf(record)
  return markup`<header class="banner ${tone}"><div class="wrap">
<div class="headline"><span class="sign" aria-hidden="true">${VERDICT_SIGNS[tone]}</span>
<h1>${word} <span class="exit">exit ${record.exitCode}</span></h1></div>
<p class="reason">${oneLine(record.exitReason, 1_000)}</p>
<p class="next"><b>Next:</b> ${oneLine(record.nextStep, 1_000)}</p>
${marks(record)}
${facts(record)}
${tally(record)}
</div></header>
`
}
