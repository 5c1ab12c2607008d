import type { WindowLimit } from '../../../contract/limits.ts'
import type { UnhideBudgets } from '../../judge/unhide.ts'
import { buy, finish, MEET_MS, RETRY_ROUNDS } from './unhide-steps.ts'
import { budgetOfTopic, unhideBudgets, type WindowTopic } from './unhide-topics.ts'
import type { ScriptDraft, BurstContext } from './burst-plan.ts'

/** A longer window is not looked through. */
const WINDOW_SECONDS_MAX = 60
/** In a window; they show that it is short by a tenth. */
const LOOKS = 25
/** Looks further apart than this share of a window would not show one that is short by a quarter. */
const GAP_SHARE_MAX = 0.06
/** Of windows: to the first edge, through the next window, and to the third edge where windows are short by a quarter. */
const WATCHED_WINDOWS = 2.35

/** One order whose budget is spent as soon as a window of it begins, looked at until two edges have been seen. */
export function watchedScripts(
  context: BurstContext,
  topic: WindowTopic,
  product: number,
): ScriptDraft[] {
  const budgets = unhideBudgets(context, topic)
  const limit = budgets[budgetOfTopic(topic)]
  const everyMs = lookGapMs(limit, budgets)
  if (everyMs === undefined || limit.windowSeconds > WINDOW_SECONDS_MAX) return []
  const ability = topic === 'pending window' ? 'voucher-partial' : 'voucher'
  const ending = context.target.products[ability]?.completesWithinSeconds
  return [
    {
      name: topic,
      headroomUnits: [null],
      steps: [
        { do: 'warm', count: 1 },
        { do: 'meet', atMs: MEET_MS },
        buy([{ reference: 0, product }]),
        { do: 'retry-until-decided', rounds: RETRY_ROUNDS },
        ...(ending === undefined ? [] : [finish(context, [0], ending)]),
        {
          do: 'watch',
          reads: [{ key: 0, reference: 0, kind: 'by-order' }],
          everyMs,
          forMs: WATCHED_WINDOWS * 1000 * limit.windowSeconds,
        },
      ],
    },
  ]
}

/** Time between looks, milliseconds. Undefined where they would not spend the budget, or would spend admission. */
export function lookGapMs(
  limit: WindowLimit,
  { admission }: Pick<UnhideBudgets, 'admission'>,
): number | undefined {
  const windowMs = 1000 * limit.windowSeconds
  const spareMs = (1000 * admission.windowSeconds) / Math.max(1, admission.count - 2)
  const gapMs = Math.ceil(Math.max(windowMs / LOOKS, spareMs))
  const isQuickEnough = gapMs <= GAP_SHARE_MAX * windowMs
  return isQuickEnough && limit.count * gapMs <= windowMs / 4 ? gapMs : undefined
}
