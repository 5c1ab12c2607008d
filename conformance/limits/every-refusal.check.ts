import { REFUSAL_RULES } from '../../harness/judge/rules/refusals.ts'
import { invariant, isThrottled, untested } from '../engine/kit.ts'
import { answersOfOperations } from '../steps/described-operation.ts'
import { atRest, expectEach } from '../steps/rules.ts'

/** Whatever refused: windows of endpoints, check bucket, unhide budgets, contention, or a limit that was passed on. */
export const everyRefusal = invariant({
  id: 'limits.every-refusal',
  title: 'every 429 of the run has its statusCode and says in whole seconds when to come again',
  requirements: REFUSAL_RULES.map(({ requirement }) => requirement),
  judge: (context) => {
    const refused = answersOfOperations(context.history, context.target).filter(isThrottled)
    if (refused.length === 0) untested('no request of the run was answered by 429')
    expectEach(context, atRest(REFUSAL_RULES), { answers: refused, what: 'answers 429' })
  },
})
