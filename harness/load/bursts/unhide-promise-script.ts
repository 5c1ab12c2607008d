import type { PlannedStep } from '../../../load/protocol/bursts.ts'
import { slackFor } from '../rate-limits/plan.ts'
import {
  alternate,
  APART_MS,
  buy,
  inTurns,
  MEET_MS,
  range,
  release,
  RETRY_ROUNDS,
} from './unhide-steps.ts'
import { unhideBudgets } from './unhide-topics.ts'
import type { ScriptDraft, BurstContext } from './burst-plan.ts'

const ORDERS = 2
/** A longer window is not waited for. */
const WAIT_SECONDS_MAX = 60
/** The first wait may happen to meet an edge; where windows are short, the second follows right after one. */
const ROUNDS = { short: 2, long: 1 } as const
const SHORT_SECONDS = 10

/** Completed orders that are read until they are refused, and again when the wait that the refusals told is over. */
export function promiseScripts(context: BurstContext): ScriptDraft[] {
  const { count, windowSeconds } = unhideBudgets(context, 'promise').completed
  if (windowSeconds > WAIT_SECONDS_MAX) return []
  const rounds = windowSeconds > SHORT_SECONDS ? ROUNDS.long : ROUNDS.short
  const slackMs = slackFor(context.target.timing, windowSeconds)
  const reads = (each: number): ReturnType<typeof inTurns> =>
    inTurns(range(ORDERS, 0).map((reference) => alternate(reference, each)))
  const told: PlannedStep = {
    do: 'wait-retry-after',
    marginMs: 2 * slackMs + APART_MS,
    secondsMax: Math.ceil(windowSeconds),
  }
  return [
    {
      name: 'promise',
      headroomUnits: [null],
      steps: [
        { do: 'warm', count: ORDERS * (count + 1) },
        { do: 'meet', atMs: MEET_MS },
        buy(range(ORDERS, 0).map((reference) => ({ reference, product: 0 }))),
        { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
        ...release('attempt', reads(count + 1)),
        ...range(rounds, 0).flatMap((): PlannedStep[] => [
          told,
          ...release('wait-retry-after', reads(count + 1)),
        ]),
      ],
    },
  ]
}
