/** Proposals, candidates and gaps, for a terminal. */
import type { Paint } from '../report/paint.ts'
import { oneLine, plural } from '../text.ts'
import type { WindowsPattern } from '../target-file/windows-pattern.ts'
import type { Gap } from './gaps.ts'
import type { Look } from './look.ts'
import type { Proposal } from './places.ts'

const GAPS_MAX = 20

export function proposalLines(
  { proposals, windows: pattern }: Pick<Look, 'proposals' | 'windows'>,
  paint: Paint,
): string[] {
  const windows = proposals.filter(({ at }) => at[1] === 'rateLimits' && at[2] === 'selectors')
  const rest = proposals.filter((each) => !windows.includes(each))
  return [...rest.map((each) => proposalLine(each, paint)), ...windowLines(windows, pattern, paint)]
}

function proposalLine({ at, value, excerpt, why, certainty }: Proposal, paint: Paint): string {
  const place = at[0] === 'operations' ? `${at[1]} ${at.slice(3).join('.') || at[2]}` : at.join('.')
  const found = excerpt === '' ? '' : `: ${excerpt}`
  return `${markOf(certainty, paint)}  ${oneLine(`${place} = ${String(value)}${found} (${why})`, 400)}`
}

function limitOf({ at }: Proposal): string {
  return (at[3] ?? '').replace(/\.\w+$/, '')
}

/** One line for each window: count, seconds and source stand side by side. Endpoints that have the same share a line. */
function windowLines(
  proposals: readonly Proposal[],
  pattern: WindowsPattern | undefined,
  paint: Paint,
): string[] {
  const limits = [...Map.groupBy(proposals, limitOf)].map(([limit, each]) => {
    const [count, windowSeconds, source] = ['count', 'windowSeconds', 'source'].map((name) =>
      each.find(({ at }) => at[3] === `${limit}.${name}`),
    )
    return {
      limit,
      told: `${count?.excerpt} in ${windowSeconds?.excerpt} s${source ? `, ${source.excerpt}` : ''}`,
      why: count?.why ?? '',
      certainty: each[0]?.certainty ?? 'likely',
    }
  })
  const alike = Map.groupBy(limits, ({ limit, told, certainty }) =>
    limit.startsWith('operations.') ? `${told} ${certainty}` : limit,
  )
  const lines = [...alike.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const { limit, told, why, certainty } = first
    const more = others.length > 0 ? ` and ${plural(others.length, 'other endpoint')}` : ''
    return [
      `${markOf(certainty, paint)}  ${oneLine(`rateLimits ${limit}${more} = ${told} (${why})`, 200)}`,
    ]
  })
  const [first] = proposals
  const written = pattern
    ? `windows = ${Object.entries(pattern)
        .map(([name, value]) =>
          typeof value === 'object'
            ? `${name} of ${plural(Object.keys(value).length, 'limit')}`
            : `${name} ${value}`,
        )
        .join(', ')}`
    : `each as ${String(first?.value)}`
  return first ? [...lines, `        written as ${oneLine(written, 300)}`] : []
}

function markOf(certainty: Proposal['certainty'], paint: Paint): string {
  return certainty === 'sure' ? paint('green', 'sure  ') : paint('yellow', 'likely')
}

export function gapLines(gaps: readonly Gap[]): string[] {
  const shown = gaps
    .slice(0, GAPS_MAX)
    .map(
      ({ what, how, worth }) =>
        `  ${oneLine(`${what}: up to ${plural(worth, 'requirement')}; ${how}`, 300)}`,
    )
  const more = gaps.length - shown.length
  return [...shown, ...(more > 0 ? [`  and ${plural(more, 'smaller one')}`] : [])]
}
