/** What piles up where more sessions come than the windows admit. Pure. */
import type { RateStage } from '../../../load/protocol/open-model.ts'

export type Backlog = {
  /** Most sessions that wait at once. */
  readonly sessionsMax: number
  /** Longest time during which some wait, seconds: who is refused after that has been passed over. */
  readonly seconds: number
  /** When the last of it is gone, seconds from the start of the schedule. */
  readonly untilSeconds: number
  /** Sessions that wait, summed over time. */
  readonly sessionSeconds: number
}

const STEP_SECONDS = 0.1
const STEPS_MAX = 100
const NOTHING = 1e-6

type Stretch = { readonly seconds: number; readonly sessions: number }

/**
 * Sessions that come by these stages and are admitted at an even rate. Windows admit no later than that: they have their whole budget
 * from their start.
 */
export function backlogOf(stages: readonly RateStage[], admittedPerSecond: number): Backlog {
  let waiting = 0
  let atSeconds = 0
  let sinceSeconds = 0
  const most = { sessionsMax: 0, seconds: 0, untilSeconds: 0, sessionSeconds: 0 }
  const pass = ({ seconds, sessions }: Stretch): void => {
    const before = waiting
    waiting = Math.max(0, waiting + sessions - admittedPerSecond * seconds)
    if (before <= NOTHING) sinceSeconds = atSeconds
    atSeconds += seconds
    most.sessionSeconds += (seconds * (before + waiting)) / 2
    // Those of a step may come all at its start.
    most.sessionsMax = Math.max(most.sessionsMax, before + sessions)
    if (before <= NOTHING && waiting <= NOTHING) return
    most.seconds = Math.max(most.seconds, atSeconds - sinceSeconds)
    most.untilSeconds = atSeconds
  }
  for (const stage of stages) for (const stretch of stretchesOf(stage)) pass(stretch)
  pass({ seconds: waiting / admittedPerSecond, sessions: 0 })
  return most
}

function stretchesOf({ seconds, fromPerSecond, toPerSecond }: RateStage): Stretch[] {
  const steps = Math.min(STEPS_MAX, Math.max(1, Math.ceil(seconds / STEP_SECONDS)))
  const slope = (toPerSecond - fromPerSecond) / steps
  return Array.from({ length: steps }, (_, step) => ({
    seconds: seconds / steps,
    sessions: (seconds / steps) * (fromPerSecond + (step + 0.5) * slope),
  }))
}

type Edge = { readonly atSeconds: number; readonly due: number }

/** Most sessions that are due within so many seconds. */
export function mostDueWithin(stages: readonly RateStage[], seconds: number): number {
  const edges = edgesOf(stages)
  // The most is found where such a stretch of time begins or ends with a step.
  return edges.reduce((most, { atSeconds, due }) => {
    const before = due - dueUntil(edges, atSeconds - seconds)
    const after = dueUntil(edges, atSeconds + seconds) - due
    return Math.max(most, before, after)
  }, 0)
}

/** How many are due until each step ends. */
function edgesOf(stages: readonly RateStage[]): Edge[] {
  const edges: Edge[] = [{ atSeconds: 0, due: 0 }]
  let [atSeconds, due] = [0, 0]
  for (const { seconds, sessions } of stages.flatMap(stretchesOf)) {
    atSeconds += seconds
    due += sessions
    edges.push({ atSeconds, due })
  }
  return edges
}

function dueUntil(edges: readonly Edge[], atSeconds: number): number {
  let [low, high] = [0, edges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((edges[middle] as Edge).atSeconds <= atSeconds) low = middle + 1
    else high = middle
  }
  const [before, after] = [edges[low - 1], edges[low]]
  if (!before || !after) return (before ?? after)?.due ?? 0
  const part = (atSeconds - before.atSeconds) / (after.atSeconds - before.atSeconds)
  return before.due + part * (after.due - before.due)
}
