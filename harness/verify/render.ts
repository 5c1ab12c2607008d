/** What verify saw, for a terminal. */
import { painter, type Style } from '../report/paint.ts'
import { formatSeconds, oneLine, plural } from '../text.ts'
import type { Layer, State } from './layer.ts'
import type { Readiness } from './readiness.ts'
import { exitCodeOf, type Verification } from './verify.ts'

const STYLES: Readonly<Record<State, Style>> = {
  pass: 'green',
  warn: 'yellow',
  fail: 'red',
  'not tried': 'gray',
}

const STATE_WIDTH = 'not tried'.length
const SEEN_CHARS_MAX = 700

export function renderVerification(told: Verification, colour: boolean): string {
  const paint = painter(colour)
  const { layers, requests, seconds, readiness } = told
  const width = Math.max(...layers.map(({ name }) => name.length))
  const lineOf = ({ name, state, seen, remedy }: Layer): string[] => [
    `${paint(STYLES[state], state.padEnd(STATE_WIDTH))}  ${name.padEnd(width)}  ${oneLine(seen, SEEN_CHARS_MAX)}`,
    ...(remedy === undefined
      ? []
      : [`${' '.repeat(STATE_WIDTH + width + 4)}→ ${oneLine(remedy, SEEN_CHARS_MAX)}`]),
  ]
  return [
    `${oneLine(told.target)} at ${oneLine(told.baseUrl)}: ${plural(requests, 'request')} in ${formatSeconds(seconds)}, nothing bought`,
    '',
    ...layers.flatMap(lineOf),
    '',
    ...(readiness ? readinessLines(readiness) : []),
    `Exit ${exitCodeOf(told)}.`,
    '',
  ].join('\n')
}

function readinessLines({ ready, notReady }: Readiness): string[] {
  const not = [...Map.groupBy(notReady, ({ because }) => because)].map(
    ([because, parts]) => `  ${parts.map(({ what }) => what).join('; ')}: ${because}`,
  )
  return [
    `Ready for: ${ready.length > 0 ? ready.join('; ') : 'nothing'}.`,
    ...(not.length > 0
      ? ['Not ready for:', ...not]
      : ['Not ready for: nothing was found to be missing.']),
  ]
}
