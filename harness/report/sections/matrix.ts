/** All requirements by section with verdict and checks, folded: what is wrong stands above, on cards of its own. */
import type { RunRecord } from '../../../schemas/generated/run-record.ts'
import { scopeSentence, type RequirementEntry } from '../shared/digest.ts'
import { anchor, joined, markup, type Markup } from '../shared/markup.ts'
import { oneLine } from '../../text.ts'
import { countVerdicts } from '../shared/verdicts.ts'
import { verdictMark, verdictMarks, type Section } from './section.ts'

const CHECKS_MAX = 4

/** Checks that were planned and never ran have no entry to link to. */
function checkLinks(ids: readonly string[], known: ReadonlySet<string>): Markup {
  const links = ids.slice(0, CHECKS_MAX).map((id) => {
    const name = oneLine(id, 160)
    return known.has(id) ? markup`<a href="#${anchor('check', id)}">${name}</a>` : markup`${name}`
  })
  const left = ids.length - CHECKS_MAX
  return markup`${joined(links, ', ')}${left > 0 ? ` and ${left} more` : ''}`
}

function row(entry: RequirementEntry, known: ReadonlySet<string>): Markup {
  const reason =
    entry.reason === undefined
      ? undefined
      : markup`<span class="why ${entry.verdict} because">${oneLine(entry.reason, 600)}</span>`
  const source = oneLine([...entry.source, entry.level, entry.capability].join(' · '), 300)
  return markup`<tr><th scope="row">${oneLine(entry.id, 60)}</th><td class="wide">${oneLine(entry.text, 1_000)}${reason}<span class="why">${source}</span></td><td class="wide small">${checkLinks(entry.checks, known)}</td><td class="aside">${verdictMark(entry.verdict)}</td></tr>`
}

function sectionTable(
  title: string,
  entries: readonly RequirementEntry[],
  known: ReadonlySet<string>,
): Markup {
  const counts = countVerdicts(entries)
  return markup`<details class="fold"><summary>${oneLine(title, 200)}<span class="counts small">${verdictMarks(counts)}</span></summary><table class="stack matrix"><caption class="hidden">Requirements of ${oneLine(title, 200)}</caption><thead><tr><th scope="col">Id</th><th scope="col">Requirement</th><th scope="col">Checks</th><th scope="col">Verdict</th></tr></thead><tbody>${entries.map((entry) => row(entry, known))}</tbody></table></details>
`
}

export function matrixSection(record: RunRecord): Section {
  const known = new Set([
    ...record.checks.map((check) => check.id),
    ...record.load.map((result) => result.scenario),
  ])
  const sections = Map.groupBy(record.requirements, (entry) => entry.section)
  const tables = [...sections].map(([title, entries]) => sectionTable(title, entries, known))
  return {
    id: 'requirements',
    title: 'Requirements',
    count: record.requirements.length,
    content:
      tables.length === 0
        ? markup`<p class="muted">No requirement was in scope.</p>`
        : markup`<p class="lead muted">${scopeSentence(record)}</p><div>${tables}</div>`,
  }
}
