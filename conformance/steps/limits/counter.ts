import type { CheckContext, Exchange, RequirementId } from '../../engine/kit.ts'
import { isThrottled, showAnswer, showRequest } from '../../engine/kit.ts'
import { unknownWindowOf } from '../../engine/own-window.ts'
import type { BetweenRefusals } from '../rate-limits/between-refusals.ts'

/** Whether what was sent between two refusals of a spent counter counts in it, each or one by one. */
export function expectCounter(
  context: CheckContext,
  requirement: RequirementId,
  { before, probes, after }: BetweenRefusals,
  kind: 'shared' | 'separate',
): void {
  const { expect, leaveUndecided } = context
  for (const probe of probes) {
    const refused = isThrottled(probe)
    const ownWindow = refused && kind === 'separate' ? ownWindowOf(context, probe) : undefined
    if (ownWindow !== undefined) {
      leaveUndecided(requirement, `${showRequest(probe)} was refused, perhaps by ${ownWindow}`)
      continue
    }
    expect(requirement).that(
      `${showRequest(probe)}, while the window of ${showRequest(before)} is spent`,
      {
        holds: kind === 'shared' ? refused : !refused,
        expected:
          kind === 'shared'
            ? 'HTTP 429: both share a counter'
            : 'not 429: each has its own counter',
        observed: showAnswer(probe),
        exchanges: [before, probe, after],
        offending: probe,
      },
    )
  }
}

/** The window that may have refused a request by itself, as far as the counter that was spent has nothing to do with it. */
function ownWindowOf(context: CheckContext, probe: Exchange): string | undefined {
  const unknown = unknownWindowOf(context, probe)
  if (unknown !== undefined) return unknown
  return context.mayHaveSpent(probe) ? 'its own window, which other checks spent' : undefined
}
