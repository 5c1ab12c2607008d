/** How the verdict came about: target, limits, where values came from, environment, plan, quota spent. */
import type { RunRecord } from '../../../schemas/generated/run-record.ts'
import { markup, type Markup } from '../shared/markup.ts'
import { purchasesLine, scenarioPlanLine, suitePlanLine } from '../shared/plan-line.ts'
import { formatNumber, formatSeconds, listed, oneLine, plural } from '../../text.ts'
import { pairList, type Pairs, type Section } from './section.ts'

const ROWS_MAX = 100

function pairs(title: string, entries: Pairs): Markup {
  return markup`<div class="card"><h3>${title}</h3>${pairList(entries)}</div>`
}

function table(caption: string, columns: readonly string[], rows: readonly Markup[]): Markup {
  const heads = columns.map((name, i) => {
    return markup`<th scope="col"${i === 0 ? undefined : markup` class="number"`}>${name}</th>`
  })
  return markup`<div class="tablet"><table><caption>${caption}</caption><thead><tr>${heads}</tr></thead><tbody>${rows.slice(0, ROWS_MAX)}</tbody></table></div>`
}

function targetPairs({ target, labels = {} }: RunRecord): Pairs {
  const skew = target.clockSkewMs
  return [
    ...Object.entries(labels).map(([name, value]) => [oneLine(name, 60), value] as const),
    ['name', target.name],
    ['base URL', target.baseUrl],
    ['kind', target.kind],
    ['image', target.image],
    ['environment', target.environment],
    ['timing', target.timing],
    [
      'clock offset',
      skew && `${formatNumber(Math.round(skew.min))} to ${formatNumber(Math.round(skew.max))} ms`,
    ],
    ['capabilities', listed(target.capabilities, 40)],
    ['roles with a key', listed(target.roles, 40) || 'none'],
    ['products', listed(target.products, 40) || 'none'],
    ['faults switched on', listed(target.faults, 40) || 'none'],
  ]
}

function limitsTable({ target }: RunRecord): Markup | undefined {
  const entries = Object.entries(target.limits)
  if (entries.length === 0) return undefined
  const rows = entries.map(([bucket, limit]) => {
    return markup`<tr><th scope="row"><code>${dotted(bucket)}</code></th><td class="number">${formatNumber(limit.count)} per ${formatNumber(limit.windowSeconds)} s</td><td class="number">${oneLine(knownFrom(limit.source), 80)}</td></tr>`
  })
  return table('Limits in force', ['Bucket', 'Budget', 'Known from'], rows)
}

/** A narrow screen breaks a long name after its dots. */
function dotted(name: string): Markup[] {
  return oneLine(name, 120)
    .split(/(?<=\.)/)
    .map((part, index) => (index === 0 ? markup`${part}` : markup`<wbr>${part}`))
}

function knownFrom(source: string): string {
  return source === 'default' ? 'assumed, not judged' : source
}

function quotaTable({ quota }: RunRecord): Markup | undefined {
  if (quota.length === 0) return undefined
  const rows = quota.map((entry) => {
    const waited = entry.waitedSeconds === undefined ? '' : formatSeconds(entry.waitedSeconds)
    return markup`<tr><th scope="row"><code>${oneLine(entry.bucket, 120)}</code><span class="why muted small"> ${oneLine(entry.partition, 160)}</span></th><td class="number">${formatNumber(entry.spent)}</td><td class="number">${formatNumber(entry.throttled)}</td><td class="number">${waited}</td></tr>`
  })
  return markup`<details class="fold"><summary>Quota that the run spent</summary>${table('By bucket and account', ['Bucket', 'Spent', 'Refused', 'Waited'], rows)}</details>`
}

function environmentPairs({ environment }: RunRecord): Pairs {
  return [
    ['harness', environment.harness],
    ['commit', environment.commit],
    ['node', environment.node],
    ['platform', environment.platform],
    ['processors', formatNumber(environment.cpus)],
    ['k6', environment.k6],
    ['k6 from', environment.k6Source],
  ]
}

function planPairs(record: RunRecord): Pairs {
  const { plan, profile } = record
  const { permission } = plan
  return [
    ['profile', profile.name],
    ['selected', listed(profile.selected, 40) || 'everything'],
    ['checks planned', formatNumber(plan.checks)],
    ['untested, known before the run', formatNumber(plan.untestedChecks)],
    ['purchases at most', formatNumber(plan.purchasesMax)],
    ['longest window', formatSeconds(plan.windowSecondsLongest)],
    ['checks took', suitePlanLine(record)],
    ['bought', purchasesLine(record)],
    ['their time is decided by', plan.chain],
    ...(plan.load ?? []).map((each) => ['load', scenarioPlanLine(each)] as const),
    ['may purchase', permission.purchases ? 'yes' : 'no'],
    ['may load', permission.load ? 'yes' : 'no'],
    ['because', permission.reason],
    ['orders at most', permission.ordersMax && plural(permission.ordersMax, 'order')],
    ['spend at most', permission.spendMax],
  ].map(([name, value]) => [String(name), value === undefined ? undefined : String(value)])
}

function originsFold({ target }: RunRecord): Markup | undefined {
  const entries = Object.entries(target.origins)
  if (entries.length === 0) return undefined
  const rows = entries.slice(0, ROWS_MAX).map(([name, origin]) => {
    return [markup`<code>${oneLine(name, 120)}</code>`, origin] as const
  })
  return markup`<details class="fold"><summary>Where ${plural(entries.length, 'value')} of the target came from</summary><div>${pairList(rows)}</div></details>`
}

export function contextSection(record: RunRecord): Section {
  const content = markup`<div>${pairs('Target', targetPairs(record))}
${limitsTable(record)}
${originsFold(record)}
<details class="fold"><summary>Plan and permission</summary><div>${pairList(planPairs(record))}</div></details>
${quotaTable(record)}
<details class="fold"><summary>Environment</summary><div>${pairList(environmentPairs(record))}</div></details></div>`
  return { id: 'context', title: 'Target, plan and environment', short: 'Target and plan', content }
}
