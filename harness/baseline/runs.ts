import type { Baseline, Comparison, RunRecord } from '../../schemas/generated/run-record.ts'
import { compareRuns } from '../record/compare.ts'
import { compareWithBaseline } from './compare.ts'

export type SideBySide = {
  readonly comparison: Comparison
  readonly figures: Baseline
  readonly hazards: readonly string[]
}

/** What came out otherwise in the later of two runs: requirements, observations, figures of load beyond noise. */
export function sideBySide(before: RunRecord, now: RunRecord): SideBySide {
  return {
    comparison: compareRuns(before, now),
    figures: compareWithBaseline(before, now.load),
    hazards: hazardsOf(before, now),
  }
}

/** What makes a difference say less. */
function hazardsOf(before: RunRecord, now: RunRecord): string[] {
  const differing = (['name', 'baseUrl', 'kind', 'environment'] as const).filter(
    (name) => before.target[name] !== now.target[name],
  )
  const isEmbedded = now.target.kind !== 'url' && differing.join() === 'baseUrl'
  return [
    ...(differing.length > 0 && !isEmbedded
      ? [`The runs are of different targets: their ${differing.join(', ')} differ.`]
      : []),
    ...[before, now]
      .filter(({ partial }) => partial)
      .map(({ runId }) => `Run ${runId} was interrupted: what it did not reach looks undecided.`),
    ...(before.environment.harness === now.environment.harness
      ? []
      : [
          `The harness differs: ${before.environment.harness} before, ${now.environment.harness} now.`,
        ]),
    ...(before.profile.name === now.profile.name &&
    before.profile.selected.join() === now.profile.selected.join()
      ? []
      : ['The runs selected different checks.']),
  ]
}
