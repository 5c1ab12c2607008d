/** Failures, warnings and inconclusive checks as cards: Requirement, Expected, Observed, evidence, and the command that repeats it. */
import type { Exchange, RunRecord } from '../../../schemas/generated/run-record.ts'
import {
  decidedCount,
  failuresOf,
  groupedByRequirement,
  issueName,
  issuesWith,
  offendingOf,
  type Issue,
  type IssueFinding,
  type IssueGroup,
} from '../shared/digest.ts'
import { anchor, anchorName, joined, markup, type Markup } from '../shared/markup.ts'
import { capped, oneLine, plural } from '../../text.ts'
import { BRIEF_DETAIL, exchangeDetails, exchangeLink, FULL_DETAIL } from './exchange.ts'
import { moreNote, verdictMark, type Section } from './section.ts'

const CARDS_MAX = 60
const FINDINGS_MAX = 4
const EXCHANGES_PER_CARD_MAX = 3
const OTHERS_MAX = 20
const LINKS_MAX = 40
const SEQUENCE_MAX = 8
const CURL_CHARS_MAX = 1_500
const SENTENCE_CHARS_MAX = 2_000

/** Which card prints which exchange whole; each is printed once, elsewhere it is a link. */
export type Placement = ReadonlyMap<string, string>

/** The offending one first: it is printed in any case. */
function exchangeIdsOf(issue: Issue): string[] {
  const all = issue.findings.flatMap((finding) => finding.exchanges)
  return [
    ...new Set([...(offendingOf(issue) === undefined ? [] : [offendingOf(issue) ?? '']), ...all]),
  ]
}

/** All cards of the report in their order, as far as they are printed. */
function printedIssues(record: RunRecord): Issue[] {
  const lists = [failuresOf(record), issuesWith(record, 'warn'), issuesWith(record, 'inconclusive')]
  return lists.flatMap((issues) =>
    groupedByRequirement(issues)
      .slice(0, CARDS_MAX)
      .map(({ first }) => first),
  )
}

export function placeExchanges(record: RunRecord): Placement {
  const placement = new Map<string, string>()
  for (const issue of printedIssues(record)) {
    const fresh = exchangeIdsOf(issue).filter((id) => !placement.has(id))
    for (const id of fresh.slice(0, EXCHANGES_PER_CARD_MAX)) placement.set(id, issue.key)
  }
  return placement
}

export type Evidence = {
  readonly exchanges: ReadonlyMap<string, Exchange>
  readonly placement: Placement
  /** Exchanges that the page prints anywhere; the others are in run.json only. */
  readonly printed: ReadonlySet<string>
}

function evidence(issue: Issue, { exchanges, placement, printed }: Evidence): Markup | undefined {
  const ids = exchangeIdsOf(issue).filter((id) => exchanges.has(id))
  if (ids.length === 0)
    return markup`<p class="muted small">No exchange was kept with this finding.</p>`
  const own = ids.filter((id) => placement.get(id) === issue.key)
  const others = ids.filter((id) => placement.get(id) !== issue.key)
  const blocks = own.map((id) => {
    const exchange = exchanges.get(id)
    if (exchange === undefined) return undefined
    const isOffending = id === offendingOf(issue)
    return exchangeDetails(exchange, isOffending ? FULL_DETAIL : BRIEF_DETAIL, isOffending)
  })
  const links =
    others.length === 0
      ? undefined
      : markup`<p class="small muted">${own.length > 0 ? 'Also' : 'Shown elsewhere'}: ${joined(
          others.slice(0, LINKS_MAX).map((id) => exchangeLink(id, printed)),
          ', ',
        )}${others.length > LINKS_MAX ? ` and ${others.length - LINKS_MAX} more` : ''}</p>`
  return markup`<div><p class="label">${plural(ids.length, 'exchange')}, with curl; the offending one is open</p>${blocks}${links}${sequence(ids, exchanges)}</div>`
}

/** Where state matters, one request alone shows nothing: all of them in their order, as a script. */
function sequence(
  ids: readonly string[],
  exchanges: ReadonlyMap<string, Exchange>,
): Markup | undefined {
  if (ids.length < 2) return undefined
  const lines = ids
    .flatMap((id) => exchanges.get(id) ?? [])
    .toSorted((a, b) => a.sentAtMs - b.sentAtMs)
    .slice(0, SEQUENCE_MAX)
    .map(({ curl }) => capped(curl, CURL_CHARS_MAX))
  return markup`<details class="fold"><summary>All ${lines.length} requests in their order, as a script</summary><pre>${lines.join('\n')}</pre></details>`
}

function versus(finding: IssueFinding, statement: string): Markup {
  const looked =
    finding.statement === '' || finding.statement === statement
      ? undefined
      : markup`<p class="looked">${oneLine(finding.statement, SENTENCE_CHARS_MAX)}</p>`
  if (finding.expected === '' && finding.observed === '') return markup`<div>${looked}</div>`
  return markup`<div>${looked}<div class="versus"><div><p class="label">Expected</p><p>${capped(finding.expected, SENTENCE_CHARS_MAX)}</p></div><div class="actual"><p class="label">Observed</p><p>${capped(finding.observed, SENTENCE_CHARS_MAX)}</p></div></div></div>`
}

function provenance(issue: Issue): string {
  const { requirement } = issue
  if (requirement === undefined) return ''
  return `${requirement.section}: ${requirement.source.join(', ')} · ${requirement.level}`
}

function originLine(issue: Issue): Markup {
  const title = issue.originTitle === issue.originId ? '' : `: ${oneLine(issue.originTitle, 300)}`
  return markup`<p class="small muted">Found by ${issue.origin} <code>${oneLine(issue.originId, 200)}</code>${title}</p>`
}

/** A stable address: the requirement's id for a failure, with the verdict before it otherwise. */
function cardId(issue: Issue): string {
  const name = issueName(issue)
  return issue.verdict === 'fail' ? anchorName(name) : anchor(issue.verdict, name)
}

/** What other checks saw of the same requirement. */
function alsoFound(others: readonly Issue[], statement: string): Markup | undefined {
  if (others.length === 0) return undefined
  const items = others.slice(0, OTHERS_MAX).map((issue) => {
    const [finding] = issue.findings
    return markup`<div>${originLine(issue)}${finding === undefined ? undefined : versus(finding, statement)}</div>`
  })
  return markup`<details class="fold"><summary>Also found by ${plural(others.length, 'other check')}</summary><div>${items}${moreNote(others.length - OTHERS_MAX, 'checks')}</div></details>`
}

function card({ first: issue, others }: IssueGroup, found: Evidence): Markup {
  const name = issueName(issue)
  const statement = issue.requirement?.text ?? issue.originTitle
  const left = issue.findings.length - FINDINGS_MAX
  return markup`<article class="card toned ${issue.verdict}" id="${cardId(issue)}">
<div><div class="issue-head"><h3>${verdictMark(issue.verdict)} ${oneLine(name, 120)}</h3><span class="muted small">${oneLine(provenance(issue), 400)}</span></div>
<p class="statement">${oneLine(statement, SENTENCE_CHARS_MAX)}</p></div>
${issue.findings.slice(0, FINDINGS_MAX).map((finding) => versus(finding, statement))}${moreNote(left, 'findings')}
${issue.verdict === 'inconclusive' && issue.reason !== undefined ? markup`<p><b>Why:</b> ${oneLine(issue.reason, SENTENCE_CHARS_MAX)}</p>` : undefined}
${evidence(issue, found)}
${issue.repeat === undefined || issue.repeat === '' ? undefined : markup`<div><p class="label">Repeat this check alone</p><pre>${capped(issue.repeat, SENTENCE_CHARS_MAX)}</pre></div>`}
${originLine(issue)}
${alsoFound(others, statement)}
</article>`
}

export function issueCards(issues: readonly Issue[], found: Evidence): Markup {
  const groups = groupedByRequirement(issues)
  const shown = groups.slice(0, CARDS_MAX).map((group) => card(group, found))
  return markup`<div>${shown}${moreNote(groups.length - CARDS_MAX, 'of these')}</div>`
}

export function failuresSection(record: RunRecord, found: Evidence): Section {
  const failures = failuresOf(record)
  const decided = decidedCount(record)
  const nothing =
    decided === 0
      ? markup`<p class="lead">No check was decided, so none could fail.</p>`
      : markup`<p class="lead">None of the ${plural(decided, 'decided check')} failed.</p>`
  return {
    id: 'failures',
    title: 'Failures',
    count: groupedByRequirement(failures).length,
    content: failures.length === 0 ? nothing : issueCards(failures, found),
  }
}

/** Undefined where there is no warning: an empty heading would only be in the way. */
export function warningsSection(record: RunRecord, found: Evidence): Section | undefined {
  const warnings = issuesWith(record, 'warn')
  if (warnings.length === 0) return undefined
  const lead = markup`<p class="lead muted">Only something typical or advised was missed; this does not fail the run.</p>`
  const content = markup`${lead}${issueCards(warnings, found)}`
  return {
    id: 'warnings',
    title: 'Warnings',
    count: groupedByRequirement(warnings).length,
    content,
  }
}
