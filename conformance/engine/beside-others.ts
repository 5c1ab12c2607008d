import type { RequirementId } from '../../contract/requirements/index.ts'
import type { CheckContext, CheckDefinition } from './check.ts'
import { FindingRecorder } from './finding-recorder.ts'
import { inconclusive } from './undecided.ts'

/** Runs that have to find the same broken where others may use the account: what one purchase of theirs caused does not recur. */
export const RUNS_BESIDE_OTHERS = 3

/** How long the counter is then watched, by the time that one run took: others who moved it in every run move it here as well. */
const WATCHED_RUNS = 10
const WATCHED_MS_MIN = 5_000
const WATCHED_MS_MAX = 60_000

type Running = {
  readonly contextFor: (recorder: FindingRecorder) => CheckContext
  readonly isFresh: boolean
  /** What is set aside for the check is there again. */
  readonly refilled: () => Promise<void>
  /** Whether it ends a check without being a fault of ours. */
  readonly isEnding: (cause: unknown) => boolean
}

/**
 * Carries a check out. What others with the same keys can cause is a fault only if it recurs in each of several runs. Nobody may move
 * the counter then while the check sends nothing. Otherwise the finding is inconclusive, and the reason says what to do.
 */
export async function runBesideOthers(
  definition: CheckDefinition,
  recorder: FindingRecorder,
  { contextFor, isFresh, isEnding, refilled }: Running,
): Promise<void> {
  const context = contextFor(recorder)
  const { clock, signal } = context
  const startedMs = clock.nowMs()
  const first = definition.run(context)
  // Whatever ended it is thrown at the end.
  await first.catch(() => {})
  const runMs = clock.nowMs() - startedMs
  const { movedByOthers } = definition
  let doubtful = movedByOthers && !isFresh ? brokenIn(recorder, movedByOthers.requirements) : []
  if (doubtful.length === 0 || signal.aborted) return await first
  const suspected = doubtful
  let why = `it did not recur in ${RUNS_BESIDE_OTHERS} runs`
  for (let count = 2; count <= RUNS_BESIDE_OTHERS && doubtful.length > 0; count++) {
    const again = new FindingRecorder(definition)
    await refilled()
    const ended = await definition.run(contextFor(again)).catch((cause: unknown) => {
      if (!isEnding(cause)) throw cause
      return cause instanceof Error ? ` (${cause.message})` : ''
    })
    const recurring = brokenIn(again, doubtful)
    if (recurring.length === 0)
      why = `run ${count} of ${RUNS_BESIDE_OTHERS} did not show it again${ended ?? ''}`
    doubtful = recurring
  }
  const watchedMs = Math.min(WATCHED_MS_MAX, Math.max(WATCHED_MS_MIN, WATCHED_RUNS * runMs))
  const moved = doubtful.length > 0 ? await movedByOthers?.watch?.(context, watchedMs) : undefined
  if (moved !== undefined) why = moved
  const open = suspected.filter((each) => moved !== undefined || !doubtful.includes(each))
  for (const each of open) recorder.doubt(each, why)
  await first
  if (open.length > 0)
    inconclusive(
      `${open.join(', ')}: others may use this key or account: ${why}. Run this check with keys of an account that nobody else uses`,
    )
}

function brokenIn(
  { findings }: FindingRecorder,
  requirements: readonly RequirementId[],
): readonly RequirementId[] {
  return requirements.filter((id) =>
    findings.some(({ requirement, verdict }) => requirement === id && verdict === 'fail'),
  )
}
