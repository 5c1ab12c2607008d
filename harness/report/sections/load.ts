/** Load scenarios: verdict, what was offered and what became of it, measurements, windows. */
import type { Latencies, LoadResult, RunRecord } from '../../../schemas/generated/run-record.ts'
import { anchor, markup, type Markup } from '../shared/markup.ts'
import { SERIES_KEY, seriesPlot } from '../shared/series-plot.ts'
import { measurementPairs, requestPairs } from '../shared/measurement-words.ts'
import { formatNumber, listed, oneLine } from '../../text.ts'
import { pairList, verdictMark, type Section } from './section.ts'
import { windowPlots } from './windows.ts'

const MEASUREMENTS_MAX = 60

function measurements(result: LoadResult): Markup | undefined {
  const pairs = measurementPairs(result, MEASUREMENTS_MAX)
  if (pairs.length === 0) return undefined
  return markup`<div><p class="label">Measurements</p>${pairList(pairs)}</div>`
}

function requests(result: LoadResult): Markup {
  return markup`<div><p class="label">Requests</p>${pairList(requestPairs(result))}</div>`
}

const LATENCY_ROWS = [
  ['admitted', 'Admitted, from due'],
  ['admittedService', 'Admitted, from sent'],
  ['refused', 'Refused, from due'],
  ['refusedService', 'Refused, from sent'],
] as const

function latencyRow(name: string, latencies: Latencies): Markup | undefined {
  if (latencies.count === 0) return undefined
  const { count, msP50, msP95, msP99, msP999, msMax } = latencies
  const cells = [msP50, msP95, msP99, msP999, msMax].map(
    (ms) => markup`<td class="number">${formatNumber(Number(ms.toPrecision(3)))}</td>`,
  )
  return markup`<tr><th scope="row">${name}<span class="why">${formatNumber(count)} requests</span></th>${cells}</tr>`
}

/** From due to received; from sent to received is what the service took, the generator's own lateness left out. */
function latencies({ latency }: LoadResult): Markup | undefined {
  if (!latency) return undefined
  const rows = LATENCY_ROWS.map(([name, title]) => latencyRow(title, latency[name]))
  return markup`<div class="latencies"><table><caption>Latency, milliseconds</caption><thead><tr><th scope="col">Of what</th>${['p50', 'p95', 'p99', 'p99.9', 'max'].map((name) => markup`<th scope="col" class="number">${name}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
}

function overTime({ series = [] }: LoadResult): Markup | undefined {
  if (series.length === 0) return undefined
  return markup`<div><p class="label">Over time</p>${SERIES_KEY}${seriesPlot(series)}</div>`
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
  const shares = instances.map(({ segment, exchanges, requestsPlannedMax, startedAfterMs }) => {
    const most =
      requestsPlannedMax === undefined ? '' : ` of at most ${formatNumber(requestsPlannedMax)}`
    return `${oneLine(segment, 40)}: ${formatNumber(exchanges)}${most} requests, started after ${formatNumber(startedAfterMs)} ms`
  })
  return ` It was shared by ${instances.length} processes (${listed(shares, 12)}).`
}

/** Whoever asked for load alone came for its figures; of a gate the sentence above them is read first. */
function scenario(result: LoadResult, command: RunRecord['command']): Markup {
  const open = command === 'load' ? markup` open` : undefined
  const windows =
    result.windows.length > 0
      ? markup`<div class="scenario-windows">${windowPlots(result.windows)}</div>`
      : undefined
  return markup`<article class="card toned ${result.verdict}" id="${anchor('check', result.scenario)}">
<div><div class="issue-head"><h3>${verdictMark(result.verdict)} ${oneLine(result.scenario, 120)}</h3><span class="muted small">${oneLine([result.workload, ...result.requirements].filter((part) => part !== undefined).join(' · '), 400)}</span></div>
<p class="statement">${oneLine(result.reason, 1_000)}</p></div>
<details class="fold"${open}><summary>Rates, latencies and windows</summary><div class="figures">${overTime(result)}
${latencies(result)}
${requests(result)}
${measurements(result)}
<p class="small muted">${generator(result)}</p>${windows}</div></details>
</article>`
}

export function loadSection(record: RunRecord): Section | undefined {
  if (record.load.length === 0) return undefined
  const content = markup`<div>${record.load.map((result) => scenario(result, record.command))}</div>`
  return { id: 'load', title: 'Load', count: record.load.length, content }
}
