import { REFUSAL_RULES } from '../../harness/judge/rules/refusals.ts'
import type { InvariantContext } from '../engine/kit.ts'
import { invariant, isThrottled, untested } from '../engine/kit.ts'
import { atRest, expectEach } from '../steps/rules.ts'

/** Whatever refused: windows of endpoints, check bucket, unhide budgets, contention, or a limit that was passed on. */
export const everyRefusal = invariant({
  id: 'limits.every-refusal',
  title: 'every 429 of the run has its statusCode and says in whole seconds when to come again',
  requirements: REFUSAL_RULES.map(({ requirement }) => requirement),
  judge: (context: InvariantContext) => {
    const refused = context.history.filter(isThrottled)
    if (refused.length === 0) untested('no request of the run was answered by 429')
    for (const rule of atRest(REFUSAL_RULES)) {
      // A statusCode is looked for in envelopes only: what is none breaks another requirement.
      const answers =
        rule.requirement === 'RATE-05' ? refused.filter(({ json }) => json !== undefined) : refused
      expectEach(context, [rule], { answers, what: 'answers 429' })
    }
  },
})
