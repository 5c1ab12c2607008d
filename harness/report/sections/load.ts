/** Load scenarios: verdict, what was offered and what became of it, measurements, windows. */
import type { Latencies, LoadResult, RunRecord } from '../../../schemas/generated/run-record.ts'
import { anchor, markup, type Markup } from '../shared/markup.ts'
import { SERIES_KEY, seriesPlot } from '../shared/series-plot.ts'
import {
  answersText,
  endsText,
  GOAL_TONES,
  goalName,
  goalSeen,
  goalVerdict,
  PERCENTILE_NAMES,
  percentileTexts,
} from '../shared/latency-words.ts'
import { measurementPairs, requestPairs } from '../shared/measurement-words.ts'
import { CURVE_KEY, percentilePlot } from '../shared/percentile-plot.ts'
import { processText } from '../shared/process-panels.ts'
import { formatNumber, listed, oneLine, plural } from '../../text.ts'
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

type Row = {
  readonly name: string
  readonly about: string
  readonly due: Latencies
  readonly sent?: Latencies
}

function latencyRow({ name, about, due, sent }: Row): Markup {
  const below = sent === undefined ? undefined : percentileTexts(sent)
  const cells = percentileTexts(due).map((text, index) => {
    const under = below === undefined ? undefined : markup`<span class="why">${below[index]}</span>`
    return markup`<td class="number">${text}${under}</td>`
  })
  return markup`<tr><th scope="row">${oneLine(name, 60)}<span class="why">${oneLine(about, 200)}</span></th>${cells}</tr>`
}

function counted({ count }: Latencies): string {
  return plural(count, 'request')
}

/** Of all requests, of each operation, and of whole sessions. */
function latencyRows({ latency, operations = [], sessions = [] }: LoadResult): Row[] {
  if (!latency) return []
  const { admitted, admittedService, refused, refusedService } = latency
  return [
    { name: 'admitted', about: counted(admitted), due: admitted, sent: admittedService },
    ...operations.map((each) => ({
      name: each.operation,
      about: answersText(each),
      due: each.admitted,
      sent: each.admittedService,
    })),
    { name: 'refused (429)', about: counted(refused), due: refused, sent: refusedService },
    ...sessions.map((each) => ({
      name: `session: ${each.kind}`,
      about: endsText(each),
      due: each.latency,
    })),
  ].filter(({ due }) => due.count > 0)
}

function latencies(result: LoadResult): Markup | undefined {
  const rows = latencyRows(result)
  if (rows.length === 0) return undefined
  const names = PERCENTILE_NAMES.map((name) => markup`<th scope="col" class="number">${name}</th>`)
  return markup`<div class="latencies" role="region" tabindex="0" aria-label="Latency of ${oneLine(result.scenario, 60)}"><table><caption>Latency in milliseconds, from due;<br>below it from sent</caption><thead><tr><th scope="col">Of what</th>${names}</tr></thead><tbody>${rows.map(latencyRow)}</tbody></table></div>`
}

function goals({ scenario, goals: asked = [] }: LoadResult): Markup | undefined {
  if (asked.length === 0) return undefined
  const rows = asked.map((goal) => {
    const verdict = goalVerdict(goal)
    return markup`<tr><th scope="row">${goalName(goal)}</th><td class="wide">${goalSeen(goal)}</td><td class="aside">${verdictMark(GOAL_TONES[verdict], verdict)}</td></tr>`
  })
  return markup`<div class="latencies" role="region" tabindex="0" aria-label="Goals of ${oneLine(scenario, 60)}"><table><caption>Goals</caption><thead><tr><th scope="col">Goal</th><th scope="col">Measured</th><th scope="col">Verdict</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function byPercentile(result: LoadResult): Markup | undefined {
  const plot = percentilePlot(result)
  return plot && markup`<div><p class="label">By percentile</p>${CURVE_KEY}${plot}</div>`
}

function overTime(result: LoadResult): Markup | undefined {
  const { series = [], goals: asked } = result
  if (series.length === 0) return undefined
  const watched = processText(result)
  const told = watched && markup`<p class="small muted">The watched process took ${watched}.</p>`
  return markup`<div><p class="label">Over time</p>${SERIES_KEY}${seriesPlot(series, asked)}${told}</div>`
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
${goals(result)}
<details class="fold"${open}><summary>Rates, latencies and windows</summary><div class="figures">${overTime(result)}
${latencies(result)}
${byPercentile(result)}
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
