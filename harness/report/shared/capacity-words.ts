/** What a search for capacity says, in the words that all renderers share. */
import type { Capacity, CapacityStep } from '../../../schemas/generated/run-record.ts'
import { formatNumber } from '../../text.ts'

/** ` in 2 of 3 tries`, where a rate was tried more than once for as long as it takes to confirm it. */
export function triesText({
  steps,
  capacityPerSecond,
}: {
  readonly steps: readonly CapacityStep[]
  readonly capacityPerSecond: number | undefined
}): string {
  const tries = steps.filter(
    ({ purpose, plannedPerSecond }) =>
      purpose === 'confirm' && plannedPerSecond === capacityPerSecond,
  )
  const held = tries.filter(({ verdict }) => verdict === 'good').length
  return tries.length > 1 ? ` in ${held} of ${tries.length} tries` : ''
}

function heldText({ steps, capacityPerSecond }: Capacity): string {
  const tries = triesText({ steps, capacityPerSecond })
  return tries === '' ? '' : `, held${tries}`
}

/** `1,350 requests per second`, `1,350 requests per second, held in 2 of 3 tries`, `at least 500 requests per second`, `no rate confirmed`. */
export function capacityHeadline(capacity: Capacity): string {
  const { ending, capacityPerSecond, interval } = capacity
  if (capacityPerSecond === undefined)
    return ending === 'below' && interval.badPerSecond !== undefined
      ? `below ${formatNumber(interval.badPerSecond)} requests per second`
      : 'no rate confirmed'
  const rate = `${formatNumber(capacityPerSecond)} requests per second${heldText(capacity)}`
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
