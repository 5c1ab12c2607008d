/** A search for capacity: the answer, the plot, and every step with what it showed. */
import type {
  Capacity,
  CapacityStep,
  RunRecord,
  Verdict,
} from '../../../schemas/generated/run-record.ts'
import { CAPACITY_KEY, capacityPlot } from '../shared/capacity-plot.ts'
import { capacityHeadline, intervalText } from '../shared/capacity-words.ts'
import { PERCENTILE_NAMES, percentileTexts } from '../shared/latency-words.ts'
import { markup, type Markup } from '../shared/markup.ts'
import { formatNumber, formatSeconds, oneLine, plural } from '../../text.ts'
import { moreNote, pairList, verdictMark, type Section } from './section.ts'

const STEPS_MAX = 100

const VERDICTS: Readonly<Record<CapacityStep['verdict'], Verdict>> = {
  good: 'pass',
  bad: 'fail',
  inconclusive: 'inconclusive',
}

function ms(value: number): string {
  return `${formatNumber(Math.round(10 * value) / 10)} ms`
}

function percent(share: number): string {
  return `${formatNumber(Math.round(100 * share))} %`
}

function answers({ requests, refused }: CapacityStep): string {
  const { sent, admitted, refused: count, capped, failed } = requests
  const parts = [
    `${formatNumber(admitted)} of ${formatNumber(sent)} admitted`,
    ...(count > 0 ? [`${formatNumber(count)} refused (p99 ${ms(refused.msP99)})`] : []),
    ...(capped > 0 ? [`${formatNumber(capped)} beyond the spend cap`] : []),
    ...(failed > 0 ? [`${formatNumber(failed)} failed`] : []),
  ]
  return parts.join(', ')
}

function generator({ generator: g }: CapacityStep): string {
  const parts = [
    `lag p99 ${ms(g.lagMsP99)}`,
    ...(g.sessionsStarted < g.sessionsPlanned
      ? [`${formatNumber(g.sessionsPlanned - g.sessionsStarted)} sessions never started`]
      : []),
    ...(g.machineBusy === undefined ? [] : [`machine ${percent(g.machineBusy)} busy`]),
    ...(g.k6Cores === undefined ? [] : [`k6 ${formatNumber(g.k6Cores)} processors`]),
    ...(g.harnessCores === undefined ? [] : [`harness ${formatNumber(g.harnessCores)}`]),
  ]
  return parts.join(', ')
}

/** p50, p99, p99.9 and the maximum; a percentile that is the maximum is not shown twice. */
function latency({ admitted }: CapacityStep): string {
  if (admitted.count === 0) return 'none'
  const texts = percentileTexts(admitted)
  const shown = PERCENTILE_NAMES.flatMap((name, at) => (SHOWN.has(name) ? [texts[at]] : []))
  return `${shown.join(' · ')} ms`
}

const SHOWN: ReadonlySet<string> = new Set(['p50', 'p99', 'p99.9', 'max'])

function row(step: CapacityStep): Markup {
  const name = `${step.number} ${step.purpose}`
  return markup`<tr><th scope="row">${name}<span class="why">${formatSeconds(step.seconds)}</span></th><td class="wide">${formatNumber(step.offeredPerSecond)}/s<span class="why">${formatNumber(step.achievedPerSecond)}/s achieved</span></td><td class="wide small">${latency(step)}<span class="why">${answers(step)}</span></td><td class="wide small">${oneLine(step.reason, 400)}<span class="why">${generator(step)}</span></td><td class="aside">${verdictMark(VERDICTS[step.verdict], step.verdict)}${step.constraint === undefined ? undefined : markup`<span class="why">${step.constraint}</span>`}</td></tr>`
}

function stepsTable(steps: readonly CapacityStep[]): Markup {
  return markup`<div class="tablet"><table class="stack steps"><caption>Steps</caption><thead><tr><th scope="col">Step</th><th scope="col">Offered</th><th scope="col">Latency p50 · p99 · p99.9 · max, and answers</th><th scope="col">Why, and the generator</th><th scope="col">Verdict</th></tr></thead><tbody>${steps.slice(0, STEPS_MAX).map(row)}</tbody></table></div>${moreNote(steps.length - STEPS_MAX, 'steps')}`
}

function facts(capacity: Capacity): Markup {
  const { plan, spent, goals, constraint, minRatePerSecond } = capacity
  return pairList([
    ['Scenario', oneLine(capacity.scenario, 60)],
    ['Interval', intervalText(capacity)],
    ['Binding constraint', constraint ?? 'not known'],
    [
      'Asked for (--min-rate)',
      minRatePerSecond === undefined ? undefined : `${formatNumber(minRatePerSecond)}/s`,
    ],
    ['Goals', oneLine(goals.join(', '), 400)],
    [
      'Planned rates',
      `${formatNumber(plan.startPerSecond)} to ${formatNumber(plan.maxPerSecond)}/s`,
    ],
    ['Steps', `${formatNumber(capacity.steps.length)} of at most ${formatNumber(plan.stepsMax)}`],
    ['Load', `${formatSeconds(spent.seconds)} of at most ${formatSeconds(plan.secondsMax)}`],
    ['Requests', `${formatNumber(spent.requests)} of at most ${formatNumber(plan.requestsMax)}`],
    ['Accounts', formatNumber(spent.accounts)],
    ['Orders made', spent.orders === undefined ? undefined : formatNumber(spent.orders)],
  ])
}

export function capacitySection({ capacity, verdict }: RunRecord): Section | undefined {
  if (!capacity) return undefined
  const content = markup`<article class="card toned ${verdict}">
<div><p class="capacity-figure">${capacityHeadline(capacity)}</p>
<p class="statement">${oneLine(capacity.reason, 1_000)}</p></div>
${facts(capacity)}</article>
<figure class="card">
<div><h3>Offered against achieved</h3><p class="muted small">${plural(capacity.steps.length, 'step')}; both scales are logarithmic</p></div>
<div>${CAPACITY_KEY}</div>
${capacityPlot(capacity)}</figure>
${stepsTable(capacity.steps)}`
  return { id: 'capacity', title: 'Capacity', content: markup`<div>${content}</div>` }
}
