/** Load in the job summary: each scenario, then its goals and its latency by operation. */
import type { Latencies, LoadResult, RunRecord } from '../../../schemas/generated/run-record.ts'
import { formatNumber, plural } from '../../text.ts'
import {
  answersText,
  goalName,
  goalSeen,
  goalVerdict,
  PERCENTILE_NAMES,
  percentileTexts,
} from './latency-words.ts'
import { processText } from './process-panels.ts'
import { more, plain, table } from './markdown-text.ts'
import { VERDICT_SIGNS } from './verdicts.ts'

const ITEMS_MAX = 20

export function loadParagraphs(record: RunRecord): string[] {
  if (record.load.length === 0) return []
  const items = record.load.slice(0, ITEMS_MAX).map(({ scenario, verdict, reason, requests }) => {
    const sent = `${plural(requests.sent, 'request')}, ${formatNumber(requests.refused)} refused`
    return `- ${VERDICT_SIGNS[verdict]} ${verdict} ${plain(scenario, 80)}: ${plain(reason)} (${sent})`
  })
  return [
    '### Load',
    items.join('\n'),
    ...more(record.load.length - ITEMS_MAX, 'scenarios'),
    ...record.load.slice(0, ITEMS_MAX).flatMap(latencyTable),
    ...record.load.slice(0, ITEMS_MAX).flatMap(processParagraph),
  ]
}

function processParagraph(result: LoadResult): string[] {
  const text = processText(result)
  return text === undefined
    ? []
    : [`${plain(result.scenario, 60)}: the watched process took ${plain(text, 200)}.`]
}

function row(name: string, latencies: Latencies, about: string): string[] {
  return [plain(name, 60), ...percentileTexts(latencies), plain(about, 200)]
}

/** Goals, and latency of all requests and of each operation, where a scenario measured them. */
function latencyTable({ scenario, latency, operations = [], goals = [] }: LoadResult): string[] {
  if (latency === undefined || latency.admitted.count === 0) return []
  const asked = goals.map(
    (goal) =>
      `- ${goalVerdict(goal)}: ${plain(goalName(goal), 120)}: ${plain(goalSeen(goal), 300)}`,
  )
  return [
    ...(asked.length > 0 ? [asked.join('\n')] : []),
    table(
      [`${plain(scenario, 60)}, ms from due`, ...PERCENTILE_NAMES, 'answers'],
      [
        row('all admitted', latency.admitted, plural(latency.admitted.count, 'request')),
        ...operations.map((each) => row(each.operation, each.admitted, answersText(each))),
      ],
      'answers',
    ),
  ]
}
