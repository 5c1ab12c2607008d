/**
 * The report as one HTML file: opens from disk, makes no request, reads without JavaScript. A content policy forbids everything but the
 * one style sheet. Nothing that a server answered can run or load, even if the escaping had a hole.
 */
import { createHash } from 'node:crypto'
import type { RunRecord } from '../../schemas/generated/run-record.ts'
import { exchangesById } from './shared/digest.ts'
import { Markup, markup } from './shared/markup.ts'
import { banner } from './sections/banner.ts'
import { baselineSection } from './sections/baseline.ts'
import { capacitySection } from './sections/capacity.ts'
import { causesSection } from './sections/causes.ts'
import { changesSection } from './sections/changes.ts'
import { checksSection } from './sections/checks.ts'
import { contextSection } from './sections/context.ts'
import { exceptionsSection } from './sections/exceptions.ts'
import { hazardsSection } from './sections/hazards.ts'
import { failuresSection, placeExchanges, warningsSection } from './sections/issues.ts'
import { loadSection } from './sections/load.ts'
import { matrixSection } from './sections/matrix.ts'
import { hygieneSection, observationsSection } from './sections/observations.ts'
import { sectionElement, type Section } from './sections/section.ts'
import { underLoadSection } from './sections/under-load.ts'
import { undecidedSection } from './sections/undecided.ts'
import { windowsSection } from './sections/windows.ts'
import { STYLES } from './styles.ts'
import { formatNumber, formatUtc, oneLine } from '../text.ts'
import { headlineOf, VERDICT_SIGNS } from './shared/verdicts.ts'

const STYLE_HASH = createHash('sha256').update(STYLES).digest('base64')
const CONTENT_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`

function sectionsOf(record: RunRecord): Section[] {
  const placement = placeExchanges(record)
  const exchanges = exchangesById(record)
  const printed = new Set([...placement.keys()].filter((id) => exchanges.has(id)))
  const found = { exchanges, placement, printed }
  const sections = [
    hazardsSection(record),
    causesSection(record, printed),
    exceptionsSection(record),
    ...loadFirst(record),
    failuresSection(record, found),
    warningsSection(record, found),
    capacitySection(record),
    baselineSection(record),
    changesSection(record),
    undecidedSection(record, found),
    matrixSection(record),
    underLoadSection(record),
    ...loadLast(record),
    hygieneSection(record),
    observationsSection(record),
    checksSection(record, printed),
    contextSection(record),
  ].filter((section) => section !== undefined)
  // A search for capacity runs no check: its page says nothing of requirements unless one was broken.
  return record.capacity
    ? sections.filter(({ id, count }) => count !== 0 || id === 'hazards')
    : sections
}

/** A run of load alone is read for its load. */
const isLoadRun = ({ command }: RunRecord): boolean => command === 'load'
const loadFirst = (record: RunRecord): (Section | undefined)[] =>
  isLoadRun(record) ? [loadSection(record), windowsSection(record)] : []
const loadLast = (record: RunRecord): (Section | undefined)[] =>
  isLoadRun(record) ? [] : [windowsSection(record), loadSection(record)]

function contents(sections: readonly Section[]): Markup {
  const items = sections.map(({ id, title, short = title, count }) => {
    const number = count === undefined ? undefined : markup` <span>${formatNumber(count)}</span>`
    return markup`<li><a href="#${id}">${short}</a>${number}</li>`
  })
  return markup`<nav class="contents" aria-label="Sections"><div class="wrap"><ul>${items}</ul></div></nav>
`
}

function titleOf(record: RunRecord): string {
  const { word, tone } = headlineOf(record)
  return `${VERDICT_SIGNS[tone]} ${word} · ${oneLine(record.target.name, 80)} · ordering-harness`
}

/** The whole page for one run. Takes any record that its schema admits; its size is bounded. */
export function renderHtml(record: RunRecord): string {
  const sections = sectionsOf(record)
  return markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(CONTENT_POLICY)}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">
<title>${titleOf(record)}</title>
<style>${new Markup(STYLES)}</style></head>
<body>
${banner(record)}${contents(sections)}<main class="wrap">
${sections.map(sectionElement)}</main>
<footer class="wrap">Run <code>${oneLine(record.runId, 120)}</code>, ended ${formatUtc(record.endedAt)}. Written by ordering-harness ${oneLine(record.environment.harness, 60)} from <code>run.json</code> beside this file, which holds everything in full.</footer>
</body></html>
`.text
}
