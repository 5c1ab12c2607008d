/** Proposals, candidates and gaps, for a terminal. */
import type { Paint } from '../report/paint.ts'
import { oneLine, plural } from '../text.ts'
import type { Gap } from './gaps.ts'
import type { Proposal } from './places.ts'

const GAPS_MAX = 20

export function proposalLines(proposals: readonly Proposal[], paint: Paint): string[] {
  const windows = proposals.filter(({ at }) => at[1] === 'rateLimits' && at[2] === 'selectors')
  const rest = proposals.filter((each) => !windows.includes(each))
  return [...rest.map((each) => proposalLine(each, paint)), ...windowLines(windows, paint)]
}

function proposalLine({ at, value, excerpt, why, certainty }: Proposal, paint: Paint): string {
  const place = at[0] === 'operations' ? `${at[1]} ${at.slice(3).join('.') || at[2]}` : at.join('.')
  const found = excerpt === '' ? '' : `: ${excerpt}`
  return `${markOf(certainty, paint)}  ${oneLine(`${place} = ${String(value)}${found} (${why})`, 400)}`
}

function limitOf({ at }: Proposal): string {
  return (at[3] ?? '').replace(/\.\w+$/, '')
}

/** One line for each window: count, seconds and source stand side by side. */
function windowLines(proposals: readonly Proposal[], paint: Paint): string[] {
  const groups = [...Map.groupBy(proposals, limitOf)]
  const lines = groups.map(([limit, each]) => {
    const [count, windowSeconds, source] = ['count', 'windowSeconds', 'source'].map((name) =>
      each.find(({ at }) => at[3] === `${limit}.${name}`),
    )
    const told = `rateLimits ${limit} = ${count?.excerpt} in ${windowSeconds?.excerpt} s${source ? `, ${source.excerpt}` : ''} (${count?.why})`
    return `${markOf(each[0]?.certainty ?? 'likely', paint)}  ${oneLine(told, 200)}`
  })
  const [first] = proposals
  return first ? [...lines, `        each as ${oneLine(String(first.value), 200)}`] : []
}

function markOf(certainty: Proposal['certainty'], paint: Paint): string {
  return certainty === 'sure' ? paint('green', 'sure  ') : paint('yellow', 'likely')
}

export function gapLines(gaps: readonly Gap[]): string[] {
  const shown = gaps
    .slice(0, GAPS_MAX)
    .map(({ what, how, worth }) =>
      oneLine(`  ${what}: up to ${plural(worth, 'requirement')}; ${how}`, 300),
    )
  const more = gaps.length - shown.length
  return [...shown, ...(more > 0 ? [`  and ${plural(more, 'smaller one')}`] : [])]
}
