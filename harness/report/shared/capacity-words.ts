/** What a search for capacity says, in the words that all renderers share. */
import type { Capacity } from '../../../schemas/generated/run-record.ts'
import { formatNumber } from '../../text.ts'

/** `1,350 requests per second`, `at least 500 requests per second`, `no rate confirmed`. */
export function capacityHeadline({ ending, capacityPerSecond, interval }: Capacity): string {
  if (capacityPerSecond === undefined)
    return ending === 'below' && interval.badPerSecond !== undefined
      ? `below ${formatNumber(interval.badPerSecond)} requests per second`
      : 'no rate confirmed'
  const rate = `${formatNumber(capacityPerSecond)} requests per second`
  return ending === 'at-least' ? `at least ${rate}` : rate
}

/** `1,350 held, 1,600 did not (per second)`. */
export function intervalText({ interval }: Capacity): string {
  const { goodPerSecond, badPerSecond } = interval
  const held = goodPerSecond === undefined ? 'none held' : `${formatNumber(goodPerSecond)}/s held`
  const missed =
    badPerSecond === undefined ? 'none missed' : `${formatNumber(badPerSecond)}/s did not`
  return `${held}, ${missed}`
}
