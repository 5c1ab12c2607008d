import { dueSeconds, sessionsOf } from '../../../load/protocol/arrival-schedule.ts'
import type { RateStage } from '../../../load/protocol/open-model.ts'

/** All sessions of a rush come within this time: short beside what a service needs for a purchase. */
const RUSH_SECONDS = 0.001

/**
 * The same sessions in the same time, but gathered: so many come at once, when the last of them would have come. Those that do not
 * fill a rush come at the end.
 */
export function inRushes(stages: readonly RateStage[], sessionsPerRush: number): RateStage[] {
  const sessions = sessionsOf(stages)
  const rushes: RateStage[] = []
  let atSeconds = 0
  for (let from = 0; from < sessions; from += sessionsPerRush) {
    const count = Math.min(sessionsPerRush, sessions - from)
    const dueAtSeconds = dueSeconds(stages, from + count - 1) ?? atSeconds
    const waitSeconds = Math.max(0, dueAtSeconds - atSeconds - RUSH_SECONDS)
    const perSecond = count / RUSH_SECONDS
    rushes.push(
      { seconds: waitSeconds, fromPerSecond: 0, toPerSecond: 0 },
      { seconds: RUSH_SECONDS, fromPerSecond: perSecond, toPerSecond: perSecond },
    )
    atSeconds += waitSeconds + RUSH_SECONDS
  }
  return rushes.filter(({ seconds }) => seconds > 0)
}
