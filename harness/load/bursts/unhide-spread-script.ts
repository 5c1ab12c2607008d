import type { PlannedStep } from '../../../load/protocol/bursts.ts'
import { slackFor } from '../rate-limits/plan.ts'
import {
  alternate,
  APART_MS,
  buy,
  finish,
  MEET_MS,
  range,
  release,
  RETRY_ROUNDS,
} from './unhide-steps.ts'
import { budgetOfTopic, unhideBudgets, type SpreadTopic } from './unhide-topics.ts'
import type { ScriptDraft, BurstContext } from './burst-plan.ts'

/** An edge that happens to fall into one release does not fall into the next. */
const ROUNDS = 2

/**
 * One order that stays pending: a read, half a window later a whole budget, and once more when the wait that was told is over. A fixed
 * window is whole again then; one that slides still holds what was read half a window ago, and a bucket has dripped but a part back.
 */
export function spreadScripts(
  context: BurstContext,
  topic: SpreadTopic,
  product: number,
): ScriptDraft[] {
  // On shared accounts the reads would spend admission as well.
  if (!context.accounts.make) return []
  const state = budgetOfTopic(topic)
  const { count, windowSeconds } = unhideBudgets(context, topic)[state]
  const marginMs = 2 * slackFor(context.target.timing, windowSeconds) + APART_MS
  const ending =
    state === 'pending'
      ? context.target.products['voucher-partial']?.completesWithinSeconds
      : undefined
  const wholeWindow: PlannedStep = { do: 'rest', ms: 1000 * windowSeconds + marginMs }
  return [
    {
      name: topic,
      headroomUnits: [null],
      steps: [
        { do: 'warm', count },
        { do: 'meet', atMs: MEET_MS },
        buy([{ reference: 0, product }]),
        { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
        ...(ending === undefined ? [] : [finish(context, [0], ending)]),
        ...range(ROUNDS, 0).flatMap((round): PlannedStep[] => [
          ...(round > 0 ? [wholeWindow] : []),
          ...release('attempt', alternate(0, 1)),
          { do: 'rest', ms: 500 * windowSeconds },
          ...release('attempt', alternate(0, count)),
          { do: 'wait-retry-after', marginMs, secondsMax: Math.ceil(windowSeconds) },
          ...release('wait-retry-after', alternate(0, count)),
        ]),
      ],
    },
  ]
}
