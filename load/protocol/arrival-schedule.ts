import type { ArrivalStage } from './arrivals.ts'

/** Sessions that a schedule starts: whole ones, each in the middle of its share of the area under the rate. */
export function sessionsOf(stages: readonly ArrivalStage[]): number {
  return Math.floor(stages.reduce((sum, stage) => sum + areaOf(stage), 0) + ROUNDING)
}

/** When session `index` is due, in seconds from time 0 of the schedule; undefined beyond its end. */
export function dueSeconds(stages: readonly ArrivalStage[], index: number): number | undefined {
  let left = index + 0.5
  let passedSeconds = 0
  for (const stage of stages) {
    const area = areaOf(stage)
    if (left <= area) return passedSeconds + secondsUntil(stage, left)
    left -= area
    passedSeconds += stage.seconds
  }
  return undefined
}

/** Sums of fractions such as 0.1 fall a little short of a whole number. */
const ROUNDING = 1e-9

function areaOf({ seconds, fromPerSecond, toPerSecond }: ArrivalStage): number {
  return (seconds * (fromPerSecond + toPerSecond)) / 2
}

/** Solves from * t + (to - from) / (2 * seconds) * t² = area for t, in the form that is stable for even rates. */
function secondsUntil({ seconds, fromPerSecond, toPerSecond }: ArrivalStage, area: number): number {
  const slope = (toPerSecond - fromPerSecond) / seconds
  const root = Math.sqrt(Math.max(0, fromPerSecond * fromPerSecond + 2 * slope * area))
  return Math.min(seconds, (2 * area) / (fromPerSecond + root))
}
