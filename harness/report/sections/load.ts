/** Load scenarios: verdict, what was offered and what became of it, measurements, windows. */
import type { LoadResult, RunRecord } from '../../../schemas/generated/run-record.ts'
import { anchor, markup, type Markup } from '../markup.ts'
import { formatNumber, listed, oneLine } from '../text.ts'
import { pairList, verdictMark, type Section } from './section.ts'
import { windowPlots } from './windows.ts'

const MEASUREMENTS_MAX = 60
const REQUEST_COUNTS = ['planned', 'sent', 'admitted', 'refused', 'failed'] as const

function measurements(result: LoadResult): Markup | undefined {
  const entries = Object.entries(result.measurements)
  if (entries.length === 0) return undefined
  const pairs = entries.slice(0, MEASUREMENTS_MAX).map(([name, value]) => {
    const text = typeof value === 'number' ? formatNumber(value) : oneLine(value, 200)
    return [markup`<code>${oneLine(name, 100)}</code>`, text] as const
  })
  return markup`<div><p class="label">Measurements</p>${pairList(pairs)}</div>`
}

function requests(result: LoadResult): Markup {
  const pairs = REQUEST_COUNTS.map((name) => [name, formatNumber(result.requests[name])] as const)
  return markup`<div><p class="label">Requests</p>${pairList(pairs)}</div>`
}

function generator({ k6, instances }: LoadResult): string {
  const version = k6.version === undefined ? 'k6' : `k6 ${oneLine(k6.version, 40)}`
  const crossed = k6.thresholdsCrossed.map((name) => oneLine(name, 120))
  const thresholds =
    crossed.length === 0 ? 'no threshold crossed' : `crossed: ${listed(crossed, 12)}`
  const ending =
    k6.exitCode === undefined ? 'was started by hand' : `ended with ${k6.exitCode}; ${thresholds}`
  return `${version} ${ending}.${sharedBy(instances)}`
}

function sharedBy(instances: LoadResult['instances']): string {
  if (instances === undefined) return ''
  const shares = instances.map(
    ({ segment, exchanges, startedAfterMs }) =>
      `${oneLine(segment, 40)}: ${formatNumber(exchanges)} requests, started after ${formatNumber(startedAfterMs)} ms`,
  )
  return ` It was shared by ${instances.length} processes (${listed(shares, 12)}).`
}

function scenario(result: LoadResult): Markup {
  return markup`<article class="card toned ${result.verdict}" id="${anchor('check', result.scenario)}">
<div><div class="issue-head"><h3>${verdictMark(result.verdict)} ${oneLine(result.scenario, 120)}</h3><span class="muted small">${oneLine([result.workload, ...result.requirements].filter((part) => part !== undefined).join(' · '), 400)}</span></div>
<p class="statement">${oneLine(result.reason, 1_000)}</p></div>
${requests(result)}
${measurements(result)}
<p class="small muted">${generator(result)}</p>
</article>${result.windows.length > 0 ? markup`<div class="scenario-windows">${windowPlots(result.windows)}</div>` : undefined}`
}

export function loadSection(record: RunRecord): Section | undefined {
  if (record.load.length === 0) return undefined
  const content = markup`<div>${record.load.map(scenario)}</div>`
  return { id: 'load', title: 'Load', count: record.load.length, content }
}
