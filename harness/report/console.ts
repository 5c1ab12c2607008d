/** The verdict for a terminal: at most 25 lines, the most important first. */
import type { Baseline, Capacity, RunRecord, Verdict } from '../../schemas/generated/run-record.ts'
import {
  baselineHeadline,
  changeText,
  figureName,
  figuresByUrgency,
  FIGURE_TONES,
} from './shared/baseline-words.ts'
import { capacityHeadline, intervalText } from './shared/capacity-words.ts'
import { CHANGE_TONES, changeGroupLine, changeGroups } from './shared/comparison-words.ts'
import {
  failuresOf,
  groupedByRequirement,
  isHygiene,
  issueName,
  otherUndecided,
  untoldProblems,
  type IssueGroup,
} from './shared/digest.ts'
import { openScenarioLine, scenarioLines } from './shared/load-console.ts'
import { painter, type Paint, type Style } from './paint.ts'
import { loadPlanLine, suitePlanLine } from './shared/plan-line.ts'
import { underLoadLine } from './shared/under-load-words.ts'
import { formatNumber, formatSeconds, listed, moreOf, oneLine, plural } from '../text.ts'
import { countsInWords, countVerdicts, headlineOf, VERDICT_SIGNS } from './shared/verdicts.ts'

export type ConsoleOptions = {
  /** Whether the stream takes colour: a terminal, and NO_COLOR unset. */
  readonly colour: boolean
  /** Where the report lies, as the reader should open it; undefined when none was written. */
  readonly reportPath?: string
}

const FAILURES_MAX = 10
const FAILURES_BESIDE_CAUSES_MAX = 5
const REASONS_MAX = 3
const TO_ADD_MAX = 4
const CAUSES_MAX = 3
const HAZARDS_MAX = 2
const LINE_CHARS_MAX = 220
/** A sentence of figures. */
const LONG_LINE_CHARS_MAX = 320
const FIGURES_MAX = 3

const TONE_STYLES: Readonly<Record<Verdict, Style>> = {
  pass: 'green',
  warn: 'yellow',
  fail: 'red',
  error: 'magenta',
  inconclusive: 'magenta',
  untested: 'cyan',
  observed: 'blue',
  inapplicable: 'gray',
}

/** Whether a stream takes colour: a terminal, and NO_COLOR unset or empty. */
export function takesColour(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && (env['NO_COLOR'] ?? '') === ''
}

function headLines(record: RunRecord, paint: Paint): string[] {
  const { word, tone } = headlineOf(record)
  const mark = paint(TONE_STYLES[tone], paint('bold', `${VERDICT_SIGNS[tone]} ${word}`))
  const { name, baseUrl } = record.target
  return [
    `${mark} (exit ${record.exitCode}) ${oneLine(record.exitReason, 400)}`,
    `  ${oneLine(name, 60)} ${oneLine(baseUrl, 100)} · ${record.command} · ${formatSeconds(record.durationSeconds)}${record.partial ? ' · partial record: the run was interrupted' : ''}`,
    ...(record.capacity ? capacityLines(record.capacity, paint) : countLines(record)),
  ]
}

function countLines(record: RunRecord): string[] {
  return [
    `  ${plural(record.checks.length, 'check')}: ${countsInWords(countVerdicts(record.checks))}`,
    `  ${plural(record.requirements.length, 'requirement')}: ${countsInWords(countVerdicts(record.requirements))}${record.profile.partial ? ' (not all decided)' : ''}`,
  ]
}

const STEP_TONES = { good: 'pass', bad: 'fail', inconclusive: 'inconclusive' } as const
const STEPS_MAX = 12

/** The answer, and the last steps that led to it. */
function capacityLines(capacity: Capacity, paint: Paint): string[] {
  const { steps, constraint } = capacity
  const shown = steps.slice(-STEPS_MAX).map((step) => {
    const tone = STEP_TONES[step.verdict]
    const sign = paint(TONE_STYLES[tone], `${VERDICT_SIGNS[tone]} ${step.verdict}`)
    return `  ${sign} ${step.purpose} ${formatNumber(step.offeredPerSecond)}/s, achieved ${formatNumber(step.achievedPerSecond)}/s: ${oneLine(step.reason, 120)}`
  })
  return [
    `  capacity: ${paint('bold', capacityHeadline(capacity))} (${intervalText(capacity)}); binding: ${constraint ?? 'not known'}`,
    ...more(steps.length - shown.length, 'steps'),
    ...shown,
  ]
}

function more(left: number, what: string): string[] {
  return left > 0 ? [`  … and ${moreOf(left, what)} in the report`] : []
}

function planLines(record: RunRecord): string[] {
  const [checks, load] = [suitePlanLine(record), loadPlanLine(record)]
  const beside = underLoadLine(record)
  return [
    ...(checks === undefined ? [] : [`  Checks took ${checks}`]),
    ...(load === undefined ? [] : [`  Load took ${load}`]),
    ...(beside === undefined ? [] : [`  Under load: ${beside}`]),
  ].map((line) => line.slice(0, LONG_LINE_CHARS_MAX))
}

const SCENARIOS_MAX = 8

/** For whoever measures: rate, latency and goals of each scenario. Of other runs: why load decided nothing. */
function loadLines(record: RunRecord, paint: Paint): string[] {
  const mark = (tone: Verdict, text: string): string => paint(TONE_STYLES[tone], text)
  if (record.command !== 'load')
    return record.load
      .filter(({ verdict }) => verdict === 'inconclusive')
      .flatMap((each) => openScenarioLine(each, mark))
  const shown = record.load.slice(0, SCENARIOS_MAX).flatMap((each) => scenarioLines(each, mark))
  return [...shown, ...more(record.load.length - SCENARIOS_MAX, 'scenarios')]
}

function hazardLines(record: RunRecord, paint: Paint): string[] {
  const all = [
    ...untoldProblems(record).map((problem) => `${problem.code}: ${problem.message}`),
    ...record.hazards,
  ]
  const shown = all.slice(0, HAZARDS_MAX).map((text) => {
    return `  ${paint('yellow', '!')} ${oneLine(text, LINE_CHARS_MAX)}`
  })
  return [...shown, ...more(all.length - HAZARDS_MAX, 'hazards')]
}

function causeLines({ causes = [] }: RunRecord, paint: Paint): string[] {
  const shown = causes.slice(0, CAUSES_MAX).map(({ id, text, nextStep, blocked }) => {
    const mark = paint(TONE_STYLES.fail, `${VERDICT_SIGNS.fail} `)
    const blocks = `blocks ${plural(blocked.length, 'check')}`
    return `  ${mark}${paint('bold', oneLine(id, 20))} ${oneLine(text, 240)}; ${blocks}. ${oneLine(nextStep, 200)}`
  })
  return [...shown, ...more(causes.length - CAUSES_MAX, 'causes')]
}

const CHANGES_MAX = 3

/** Never scored, so one line for all. */
function hygieneLines(record: RunRecord, paint: Paint): string[] {
  const ids = [...new Set(record.observations.filter(isHygiene).map(({ id }) => oneLine(id, 30)))]
  if (ids.length === 0) return []
  return [`  ${paint('yellow', '!')} security hygiene, not scored: ${listed(ids, 8)}`]
}

/** What changed since the last run of the same target. What is still broken stands among the failures. */
function changeLines({ comparison }: RunRecord, paint: Paint): string[] {
  if (!comparison) return []
  const run = oneLine(comparison.runId, 60)
  const groups = changeGroups(comparison).filter(
    ({ kind }) => kind === 'newlyBroken' || kind === 'mended' || kind === 'noLongerDecided',
  )
  const lines = groups.slice(0, CHANGES_MAX).map((group) => {
    const tone = CHANGE_TONES[group.kind]
    return `  ${paint(TONE_STYLES[tone], VERDICT_SIGNS[tone])} since run ${run} ${changeGroupLine(group, 8)}`
  })
  if (comparison.changes.length === 0) return lines
  const ids = [...new Set(comparison.changes.map(({ id }) => oneLine(id, 30)))]
  return [
    ...lines,
    `  ${VERDICT_SIGNS.observed} ${plural(comparison.changes.length, 'observation')} changed since run ${run}: ${listed(ids, 8)}`,
  ]
}

/** A failure says more than a figure, and the lines are few: beside failures only what fails the run as well is named. */
function baselineLines(record: RunRecord, paint: Paint): string[] {
  const { baseline } = record
  if (!baseline) return []
  if (failuresOf(record).length > 0) return regressionLines(baseline, paint)
  const worst = figuresByUrgency(baseline).filter(({ verdict }) => FIGURE_TONES[verdict] !== 'pass')
  const shown = worst.slice(0, FIGURES_MAX).map((figure) => {
    const tone = FIGURE_TONES[figure.verdict]
    const mark = paint(TONE_STYLES[tone], VERDICT_SIGNS[tone])
    return `  ${mark} ${figureName(figure)}: ${figure.verdict}, ${changeText(figure)}`
  })
  return [
    `  ${baselineHeadline(baseline)}`,
    ...shown,
    ...more(worst.length - FIGURES_MAX, 'figures'),
  ]
}

function regressionLines(baseline: Baseline, paint: Paint): string[] {
  const [first, ...others] = baseline.figures.filter(({ verdict }) => verdict === 'regression')
  if (!first) return []
  const mark = paint(TONE_STYLES.fail, VERDICT_SIGNS.fail)
  const rest = others.length > 0 ? `, and ${plural(others.length, 'other figure')}` : ''
  return [
    `  ${mark} ${figureName(first)}: worse by more than is permitted beside run ${oneLine(baseline.runId, 60)}, ${changeText(first)}${rest}`,
  ]
}

function failureLine({ first: issue, others }: IssueGroup, paint: Paint): string {
  const mark = paint(TONE_STYLES[issue.verdict], `${VERDICT_SIGNS[issue.verdict]} `)
  const name = paint('bold', oneLine(issueName(issue), 60))
  const finding = issue.findings[0]
  const expected = oneLine(finding?.expected ?? '', 120)
  const observed = oneLine(finding?.observed ?? '', 160)
  const statement = oneLine(finding?.statement ?? issue.originTitle, 100).replace(/[.:]$/, '')
  const also = others.length > 0 ? ` (and ${plural(others.length, 'other check')})` : ''
  return `  ${mark}${name} ${statement}: expected ${expected}; observed ${observed}${also}`
}

function failureLines(record: RunRecord, paint: Paint): string[] {
  const failures = groupedByRequirement(failuresOf(record))
  // The causes say more, and the lines are few.
  const most = (record.causes?.length ?? 0) > 0 ? FAILURES_BESIDE_CAUSES_MAX : FAILURES_MAX
  const isWorse = record.baseline?.figures.some(({ verdict }) => verdict === 'regression') ?? false
  const max = isWorse ? most - 1 : most
  const shown = failures.slice(0, max).map((group) => failureLine(group, paint))
  return [...shown, ...more(failures.length - max, 'failures')]
}

/** What would let most of the undecided requirements be decided, each told once. */
function toAddLines({ toAdd = [] }: RunRecord, paint: Paint): string[] {
  const shown = toAdd.slice(0, TO_ADD_MAX).map(({ what, requirements }) => {
    const mark = paint('cyan', '+')
    const told = what.startsWith('correct ') ? what : `add ${what}`
    return `  ${mark} ${oneLine(told, 150)}: decides ${plural(requirements.length, 'requirement')} more`
  })
  return [...shown, ...more(toAdd.length - TO_ADD_MAX, 'things to add')]
}

function undecidedLines(record: RunRecord, paint: Paint): string[] {
  const groups = otherUndecided(record)
  const shown = groups.slice(0, REASONS_MAX).map(({ reason, requirements }) => {
    const names = listed(
      requirements.map((id) => oneLine(id, 30)),
      8,
    )
    return `  ${paint('cyan', '–')} undecided: ${names} (${oneLine(reason, 240)})`
  })
  return [...shown, ...more(groups.length - REASONS_MAX, 'reasons')]
}

function tailLines(record: RunRecord, options: ConsoleOptions, paint: Paint): string[] {
  const report =
    options.reportPath === undefined ? [] : [`  Report: ${oneLine(options.reportPath, 400)}`]
  return [...report, `  ${paint('bold', 'Next:')} ${oneLine(record.nextStep, 400)}`]
}

/** Lines joined by line feeds, with one at the end. */
export function renderConsole(record: RunRecord, options: ConsoleOptions): string {
  const paint = painter(options.colour)
  const lines = [
    ...headLines(record, paint),
    ...planLines(record),
    ...loadLines(record, paint),
    ...hazardLines(record, paint),
    ...causeLines(record, paint),
    ...failureLines(record, paint),
    ...toAddLines(record, paint),
    ...undecidedLines(record, paint),
    ...baselineLines(record, paint),
    ...changeLines(record, paint),
    ...hygieneLines(record, paint),
    ...tailLines(record, options, paint),
  ]
  return `${lines.join('\n')}\n`
}
