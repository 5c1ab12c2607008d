/** One load scenario on a terminal: rate, latency by operation, goals, and why it decided nothing. */
import { LOST_ANSWER } from '../../../contract/answers.ts'
import type { LoadResult, Verdict } from '../../../schemas/generated/run-record.ts'
import { formatNumber, oneLine, plural } from '../../text.ts'
import {
  answersText,
  GOAL_TONES,
  goalName,
  goalSeen,
  goalVerdict,
  PERCENTILE_NAMES,
  percentileTexts,
} from './latency-words.ts'
import { processText } from './process-panels.ts'
import { VERDICT_SIGNS } from './verdicts.ts'

type Mark = (tone: Verdict, text: string) => string

const REASON_CHARS_MAX = 300

export function scenarioLines(result: LoadResult, mark: Mark): string[] {
  const { scenario, verdict, requests, durationSeconds, reason } = result
  const rate =
    durationSeconds === undefined
      ? ''
      : `, ${formatNumber(Number((requests.sent / durationSeconds).toPrecision(3)))}/s`
  return [
    `  ${mark(verdict, VERDICT_SIGNS[verdict])} ${oneLine(scenario, 60)}: ${plural(requests.sent, 'request')}${rate}, ${formatNumber(requests.failed)} with ${LOST_ANSWER}`,
    ...(verdict === 'inconclusive' ? [`    ${oneLine(reason, REASON_CHARS_MAX)}`] : []),
    ...latencyLines(result),
    ...processLines(result),
    ...goalLines(result, mark),
  ]
}

/** Why a scenario decided nothing. */
export function openScenarioLine({ scenario, verdict, reason }: LoadResult, mark: Mark): string {
  const name = oneLine(scenario, 60)
  return `  ${mark(verdict, VERDICT_SIGNS[verdict])} ${name}: ${oneLine(reason, REASON_CHARS_MAX)}`
}

const NAME_WIDTH = 18
const CELL_WIDTH = 8

function row(name: string, cells: readonly string[], about = ''): string {
  const padded = cells.map((cell) => cell.padStart(CELL_WIDTH)).join('')
  return `    ${name.padEnd(NAME_WIDTH)}${padded}  ${about}`.trimEnd()
}

/** Of all admitted requests and of each operation, from due; milliseconds. */
function latencyLines({ latency, operations = [] }: LoadResult): string[] {
  if (latency === undefined || latency.admitted.count === 0) return []
  return [
    row('from due, ms', PERCENTILE_NAMES),
    row('all admitted', percentileTexts(latency.admitted)),
    ...operations.map((each) =>
      row(oneLine(each.operation, NAME_WIDTH), percentileTexts(each.admitted), answersText(each)),
    ),
  ]
}

function processLines(result: LoadResult): string[] {
  const text = processText(result)
  return text === undefined ? [] : [`    watched process: ${text}`]
}

function goalLines({ goals = [] }: LoadResult, mark: Mark): string[] {
  return goals.map((goal) => {
    const verdict = goalVerdict(goal)
    const tone = GOAL_TONES[verdict]
    const sign = mark(tone, `${VERDICT_SIGNS[tone]} ${verdict}`)
    return `    ${sign} goal ${goalName(goal)}: ${goalSeen(goal)}`
  })
}
