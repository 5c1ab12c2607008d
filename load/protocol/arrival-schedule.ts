import type { OpenModelFile, RateStage, SessionKind } from './open-model.ts'

/** Sessions that a schedule starts: whole ones, each in the middle of its share of the area under the rate. */
export function sessionsOf(stages: readonly RateStage[]): number {
  return Math.floor(stages.reduce((sum, stage) => sum + areaOf(stage), 0) + ROUNDING)
}

/** When session `index` is due, in seconds from time 0 of the schedule; undefined beyond its end. */
export function dueSeconds(stages: readonly RateStage[], index: number): number | undefined {
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

function areaOf({ seconds, fromPerSecond, toPerSecond }: RateStage): number {
  return (seconds * (fromPerSecond + toPerSecond)) / 2
}

/** Solves `from * t + (to - from) / (2 * seconds) * t² = area` for t, in the form that is stable for even rates. */
function secondsUntil({ seconds, fromPerSecond, toPerSecond }: RateStage, area: number): number {
  const slope = (toPerSecond - fromPerSecond) / seconds
  const root = Math.sqrt(Math.max(0, fromPerSecond * fromPerSecond + 2 * slope * area))
  return Math.min(seconds, (2 * area) / (fromPerSecond + root))
}

/** The kinds of as many sessions as the weights sum up to; then they repeat. Each kind comes as evenly as its weight allows. */
export function mixOf(mix: OpenModelFile['mix']): SessionKind[] {
  const total = mix.reduce((sum, { weight }) => sum + weight, 0)
  const shares = mix.map(({ kind, weight }) => ({ kind, part: weight / total, given: 0 }))
  return Array.from({ length: total }, (_, index) => {
    const lag = (share: (typeof shares)[number]): number => share.part * (index + 1) - share.given
    // Who is furthest behind its share is next.
    const next = shares.reduce((a, b) => (lag(b) > lag(a) ? b : a))
    next.given++
    return next.kind
  })
}

/** The key of a session: every key serves a whole turn of the mix, so that each of them sees the same blend. */
export function keyIndexOf(index: number, mixLength: number, keys: number): number {
  return Math.floor(index / mixLength) % keys
}
