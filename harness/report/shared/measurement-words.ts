/** Names of measurements in words, with their unit apart. The record keeps the names. */
import { LOST_ANSWER } from '../../../contract/answers.ts'
import type { LoadResult } from '../../../schemas/generated/run-record.ts'
import { formatNumber, oneLine } from '../../text.ts'

/** Where the parts of a name do not say it. */
const WORDS: Readonly<Record<string, string>> = {
  attempts: 'tries of this scenario',
  clockStepMs: 'largest step of the clock',
  inFlightMax: 'most requests at once',
  newConnections: 'connections opened during the test',
  ordersMet: 'orders that overlapped others',
  otherAnswers: 'answers of another kind',
  overlappingPairs: 'pairs of orders that overlapped',
  referencesMet: 'references whose copies overlapped',
  releases: 'bursts released',
  replaysInFlight: 'replays at once',
  burstsMet: 'bursts that overlapped',
}

const UNITS: readonly (readonly [pattern: RegExp, unit: string])[] = [
  [/PerSecond(?=[A-Z]|$)/, '/s'],
  [/Ms(?=[A-Z]|$)/, ' ms'],
  [/Seconds(?=[A-Z]|$)/, ' s'],
  [/Percent(?=[A-Z]|$)/, ' %'],
]

export type MeasurementWords = { readonly name: string; readonly unit: string }

/** `admittedLatencyMsP50` becomes `admitted latency p50` in ms. */
export function measurementWords(name: string): MeasurementWords {
  const found = UNITS.find(([pattern]) => pattern.test(name))
  const unit = found?.[1] ?? ''
  const known = WORDS[name]
  if (known !== undefined) return { name: known, unit }
  const bare = found === undefined ? name : name.replace(found[0], '')
  const words = bare
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\bmax\b/, 'at most')
  return { name: words, unit }
}

/** All measurements of a scenario, as name and value with its unit. */
export function measurementPairs(
  { measurements }: Pick<LoadResult, 'measurements'>,
  itemsMax: number,
): (readonly [name: string, value: string])[] {
  return Object.entries(measurements)
    .slice(0, itemsMax)
    .map(([key, value]) => {
      const { name, unit } = measurementWords(key)
      const text = typeof value === 'number' ? formatNumber(value) : oneLine(value, 200)
      return [oneLine(name, 100), `${text}${unit}`]
    })
}

/** What became of the requests; the last row makes them add up. */
export function requestPairs({
  requests,
}: Pick<LoadResult, 'requests'>): (readonly [name: string, value: string])[] {
  const { planned, sent, admitted, refused, failed, capped = 0, rejected = 0 } = requests
  const others = sent - admitted - refused - failed - capped - rejected
  const otherName = requests.capped === undefined ? 'answered otherwise' : 'given up by the client'
  return [
    ['planned, at least', planned],
    ['sent', sent],
    ['admitted', admitted],
    ['refused by 429', refused],
    ...(capped > 0 ? [['refused by the cap', capped] as const] : []),
    ...(rejected > 0 ? [['otherwise refused', rejected] as const] : []),
    [LOST_ANSWER, failed],
    ...(others > 0 ? [[otherName, others] as const] : []),
  ].map(([name, count]) => [String(name), formatNumber(Number(count))])
}
