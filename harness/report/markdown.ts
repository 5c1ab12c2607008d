/** A job summary in Markdown. GitHub discards a summary over 1 MiB whole, so everything here is bounded far below that. */
import type { Exchange, RunRecord } from '../../schemas/generated/run-record.ts'
import {
  baselineHeadline,
  baselineTerms,
  changeText,
  figureName,
  figuresByUrgency,
  FIGURE_TONES,
} from './shared/baseline-words.ts'
import { capacityHeadline, intervalText } from './shared/capacity-words.ts'
import { CHANGE_TONES, changeGroupLine, changeGroups } from './shared/comparison-words.ts'
import {
  exchangesById,
  failuresOf,
  groupedByRequirement,
  issueName,
  issuesWith,
  otherUndecided,
  offendingOf,
  type Issue,
  type IssueGroup,
  scopeSentence,
  untoldProblems,
} from './shared/digest.ts'
import { loadParagraphs } from './shared/load-markdown.ts'
import { more, plain, table } from './shared/markdown-text.ts'
import { planLines } from './shared/plan-line.ts'
import { STATE_TONES } from './sections/exceptions.ts'
import { capped, formatNumber, formatSeconds, listed, plural, visible } from '../text.ts'
import {
  TRAFFIC_COLUMNS,
  TRAFFIC_ROWS,
  trafficCells,
  underLoadLine,
} from './shared/under-load-words.ts'
import {
  countsInWords,
  countVerdicts,
  headlineOf,
  VERDICT_SIGNS,
  VERDICTS_BY_URGENCY,
} from './shared/verdicts.ts'

const FAILURES_MAX = 20
const ITEMS_MAX = 20
const NAMES_MAX = 40
const CURL_CHARS_MAX = 1_500

/** A fenced block; the fence is longer than any run of backticks in the text. */
function shellCode(text: string): string {
  const shown = visible(capped(text, CURL_CHARS_MAX))
  const longest = Math.max(2, ...(shown.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}sh\n${shown}\n${fence}`
}

function head(record: RunRecord): string[] {
  const { word, tone } = headlineOf(record)
  const partial = record.partial ? ', partial record (interrupted)' : ''
  return [
    `## ${VERDICT_SIGNS[tone]} ${word} (exit ${record.exitCode})`,
    plain(record.exitReason, 1_000),
    `**Next:** ${plain(record.nextStep, 1_000)}`,
    `Target **${plain(record.target.name, 80)}** ${plain(record.target.baseUrl, 200)}, ${record.command}, profile ${plain(record.profile.name, 60)}, ${formatSeconds(record.durationSeconds)}${partial}.`,
    ...labels(record),
  ]
}

function labels({ labels: named = {} }: RunRecord): string[] {
  const items = Object.entries(named).map(
    ([name, value]) => `${plain(name, 60)} ${plain(value, 200)}`,
  )
  return items.length > 0 ? [items.join(' · ')] : []
}

/** A list under a heading, as far as it is shown; nothing where there is none. */
function listUnder(title: string, items: readonly string[], noun: string): string[] {
  if (items.length === 0) return []
  const shown = items.slice(0, ITEMS_MAX).map((item) => `- ${item}`)
  return [`### ${title}`, shown.join('\n'), ...more(items.length - ITEMS_MAX, noun)]
}

function countsTable(record: RunRecord): string {
  const kinds = [
    ['Requirements', countVerdicts(record.requirements)],
    ['Checks', countVerdicts(record.checks)],
    ['Load scenarios', countVerdicts(record.load)],
  ] as const
  const present = VERDICTS_BY_URGENCY.filter((v) => kinds.some(([, counts]) => counts[v] > 0))
  if (present.length === 0) return 'Nothing was checked.'
  const names = present.map((v) => `${VERDICT_SIGNS[v]} ${v}`)
  return table(
    ['what', ...names],
    kinds.map(([name, counts]) => [name, ...present.map((v) => String(counts[v]))]),
  )
}

function hazards(record: RunRecord): string[] {
  const all = [
    ...untoldProblems(record).map(
      ({ code, message, nextStep }) =>
        `**${plain(code, 80)}** ${plain(message)} Next: ${plain(nextStep)}`,
    ),
    ...record.hazards.map((hazard) => plain(hazard)),
  ]
  return listUnder('What could void this verdict', all, 'entries')
}

function curlOf(issue: Issue, exchanges: ReadonlyMap<string, Exchange>): string[] {
  const exchange = exchanges.get(offendingOf(issue) ?? '')
  return exchange === undefined ? [] : [shellCode(exchange.curl)]
}

function alsoFound(others: readonly Issue[]): string[] {
  if (others.length === 0) return []
  const names = listed(
    others.map(({ originId }) => plain(originId, 80)),
    ITEMS_MAX,
  )
  return [`Also found by ${names}.`]
}

function failure(
  { first: issue, others }: IssueGroup,
  exchanges: ReadonlyMap<string, Exchange>,
): string {
  const finding = issue.findings[0]
  const { requirement } = issue
  const source =
    requirement === undefined
      ? ''
      : ` (${plain(`${requirement.section}: ${requirement.source.join(', ')}`, 200)})`
  const left = issue.findings.length - 1
  const repeat = issue.repeat ? ['Repeat this check alone:', shellCode(issue.repeat)] : []
  return [
    `#### ${VERDICT_SIGNS[issue.verdict]} ${plain(issueName(issue), 80)}`,
    `${plain(requirement?.text ?? issue.originTitle)}${source}`,
    [
      `- Looked at: ${plain(finding?.statement ?? '')}`,
      `- **Expected:** ${plain(finding?.expected ?? '')}`,
      `- **Observed:** ${plain(finding?.observed ?? '')}`,
    ].join('\n'),
    ...more(left, 'findings'),
    ...alsoFound(others),
    ...curlOf(issue, exchanges),
    ...repeat,
  ].join('\n\n')
}

function causes({ causes: all = [] }: RunRecord): string[] {
  const items = all.map(({ id, text, nextStep, requirement, blocked }) => {
    const kept = requirement === undefined ? '' : ` Stays failed as ${plain(requirement, 80)}.`
    const names = listed(
      blocked.map((check) => plain(check, 80)),
      ITEMS_MAX,
    )
    return `**${plain(id, 20)}** ${plain(text)}. Next: ${plain(nextStep)}${kept} Blocks ${plural(blocked.length, 'check')}: ${names}`
  })
  return listUnder('Causes', items, 'causes')
}

function changes({ comparison }: RunRecord): string[] {
  if (!comparison) return []
  const groups = changeGroups(comparison).map(
    (group) =>
      `- ${VERDICT_SIGNS[CHANGE_TONES[group.kind]]} ${plain(changeGroupLine(group, NAMES_MAX), 2_000)}`,
  )
  const items = comparison.changes.slice(0, ITEMS_MAX).map(({ id, check, before, now }) => {
    const [then, today] = [before, now].map((answers) => plain(answers.join(' · ')))
    return `- ${plain(id, 40)} (${plain(check, 80)}): was ${then}; is ${today}`
  })
  if (groups.length + items.length === 0) return []
  return [
    `### Changed since run ${plain(comparison.runId, 120)}`,
    ...(groups.length > 0 ? [groups.join('\n')] : []),
    ...(items.length > 0 ? ['Observations:', items.join('\n')] : []),
    ...more(comparison.changes.length - ITEMS_MAX, 'changes'),
  ]
}

function exceptions({ exceptions: all = [] }: RunRecord): string[] {
  const items = all.map(
    ({ state, text }) => `${VERDICT_SIGNS[STATE_TONES[state]]} ${state}: ${plain(text)}`,
  )
  return listUnder('Known failures and severities', items, 'entries')
}

function failures(record: RunRecord): string[] {
  const all = groupedByRequirement(failuresOf(record))
  if (all.length === 0) return []
  const exchanges = exchangesById(record)
  const shown = all.slice(0, FAILURES_MAX).map((group) => failure(group, exchanges))
  return ['### Failures', ...shown, ...more(all.length - FAILURES_MAX, 'failures')]
}

/** The table that tells each thing once, above the reasons that are left. */
function toAdd({ toAdd: all = [] }: RunRecord): string[] {
  if (all.length === 0) return []
  const rows = all.slice(0, ITEMS_MAX).map(({ what, requirements }) => {
    const names = listed(
      requirements.map((id) => plain(id, 40)),
      NAMES_MAX,
    )
    return [plain(what, 300), `+${formatNumber(requirements.length)}`, names]
  })
  return [
    '### What to add',
    table(['add or correct', 'requirements decided', 'which'], rows, 'which'),
    ...more(all.length - ITEMS_MAX, 'things to add'),
  ]
}

function undecided(record: RunRecord): string[] {
  const groups = otherUndecided(record)
  const items = groups.map(({ reason, requirements }) => {
    const names = listed(
      requirements.map((id) => plain(id, 40)),
      NAMES_MAX,
    )
    return `${plain(reason)}: ${names}`
  })
  const title = record.toAdd ? 'Not decided for other reasons' : 'Not decided'
  const count = groups.flatMap((group) => group.requirements).length
  return listUnder(`${title}: ${plural(count, 'requirement')}`, items, 'reasons')
}

function warnings(record: RunRecord): string[] {
  const items = issuesWith(record, 'warn').map((issue) => {
    const finding = issue.findings[0]
    return `${plain(issueName(issue), 80)}: expected ${plain(finding?.expected ?? '')}, observed ${plain(finding?.observed ?? '')}`
  })
  return listUnder('Warnings', items, 'warnings')
}

function baseline({ baseline: compared }: RunRecord): string[] {
  if (!compared) return []
  const items = figuresByUrgency(compared)
    .slice(0, ITEMS_MAX)
    .map((figure) => {
      const sign = VERDICT_SIGNS[FIGURE_TONES[figure.verdict]]
      return `- ${sign} ${figure.verdict} ${plain(figureName(figure), 120)}: ${plain(changeText(figure))}`
    })
  return [
    '### Beside the baseline',
    `${plain(baselineHeadline(compared))}. ${plain(baselineTerms(compared))}`,
    ...(items.length === 0 ? [] : [items.join('\n')]),
    ...more(compared.figures.length - ITEMS_MAX, 'figures'),
  ]
}

function underLoad(record: RunRecord): string[] {
  const line = underLoadLine(record)
  const { underLoad: told } = record
  if (!told || line === undefined) return []
  const rows = TRAFFIC_ROWS.map(([name, title]) => [title, ...trafficCells(told[name])])
  return ['### Under load', plain(line, 600), table(['sent by', ...TRAFFIC_COLUMNS], rows)]
}

function plan(record: RunRecord): string[] {
  const lines = planLines(record).map((line) => plain(line, 300))
  return listUnder('Plan', lines, 'lines')
}

function capacity({ capacity }: RunRecord): string[] {
  if (!capacity) return []
  const rows = capacity.steps.map((step) => [
    step.purpose,
    formatNumber(step.offeredPerSecond),
    formatNumber(step.achievedPerSecond),
    formatNumber(step.admitted.msP99),
    formatNumber(step.requests.refused),
    step.verdict,
    plain(step.reason, 200),
  ])
  return [
    '### Capacity',
    `**${plain(capacityHeadline(capacity))}** (${plain(intervalText(capacity))}), binding: ${plain(capacity.constraint ?? 'not known')}. Goals: ${plain(capacity.goals.join(', '))}.`,
    table(
      ['step', 'offered/s', 'achieved/s', 'p99 ms', 'refused', 'verdict', 'why'],
      rows.slice(0, NAMES_MAX),
      'verdict',
      'why',
    ),
    ...more(rows.length - NAMES_MAX, 'steps'),
  ]
}

/** The job summary. Ends with a line feed. */
export function renderMarkdown(record: RunRecord): string {
  const paragraphs = [
    ...head(record),
    ...capacity(record),
    ...hazards(record),
    ...(record.capacity ? [] : [countsTable(record), scopeSentence(record)]),
    ...causes(record),
    ...exceptions(record),
    ...failures(record),
    ...warnings(record),
    ...toAdd(record),
    ...undecided(record),
    ...baseline(record),
    ...underLoad(record),
    ...loadParagraphs(record),
    ...changes(record),
    ...plan(record),
    `Checks: ${countsInWords(countVerdicts(record.checks))}. Everything is in index.html and run.json of run ${plain(record.runId, 120)}.`,
  ]
  return `${paragraphs.join('\n\n')}\n`
}
