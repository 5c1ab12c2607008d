import type { InvariantContext } from '../engine/kit.ts'
import { invariant, isThrottled, showRequest, untested } from '../engine/kit.ts'
import { describeRefusal, REFUSAL_RULES } from '../steps/rate-limits/refusals.ts'

/** Exchanges that one finding names. */
const NAMED_MAX = 5

/** Whatever refused: windows of endpoints, check bucket, unhide budgets, contention, or a limit that was passed on. */
export const everyRefusal = invariant({
  id: 'limits.every-refusal',
  title: 'every 429 of the run has its statusCode and says in whole seconds when to come again',
  requirements: REFUSAL_RULES.map(({ requirement }) => requirement),
  judge: ({ history, expect }: InvariantContext) => {
    const refused = history.filter(isThrottled)
    if (refused.length === 0) untested('no request of the run was answered by 429')
    for (const { requirement, expected, holds } of REFUSAL_RULES) {
      // A statusCode is looked for in envelopes only: what is none breaks another requirement.
      const subjects =
        requirement === 'RATE-05' ? refused.filter(({ json }) => json !== undefined) : refused
      const broken = subjects.filter((exchange) => !holds(exchange))
      const [first] = broken
      expect(requirement).that(`each of ${refused.length} answers 429 has ${expected}`, {
        holds: broken.length === 0,
        expected,
        observed: first
          ? `${broken.length} have not, first: ${showRequest(first)}: ${describeRefusal(first)}`
          : 'each has',
        exchanges: (broken.length > 0 ? broken : refused).slice(0, NAMED_MAX),
      })
    }
  },
})
