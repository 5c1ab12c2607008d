import type { RequirementId } from '../../contract/requirements/index.ts'
import { STATUS_CODE } from '../../contract/wire.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import { headerValues } from '../../harness/client/headers.ts'
import { invariant, type InvariantContext } from '../check.ts'
import { statusCodeOf } from '../engine/answer.ts'
import { showAnswer, showRequest } from '../engine/describe.ts'
import { untested } from '../engine/undecided.ts'
import { isRefused } from '../windows/probe.ts'

/** Exchanges that one finding names. */
const NAMED_MAX = 5

type Rule = {
  readonly requirement: RequirementId
  readonly expected: string
  readonly holds: (exchange: Exchange) => boolean
}

const RULES: readonly Rule[] = [
  {
    requirement: 'RATE-05',
    expected: `statusCode ${STATUS_CODE.limitReached}`,
    // Judged in envelopes only: what is none breaks another requirement.
    holds: (exchange) =>
      exchange.json === undefined || statusCodeOf(exchange) === STATUS_CODE.limitReached,
  },
  {
    requirement: 'RATE-06',
    expected: 'one Retry-After header',
    holds: (exchange) => headerValues(exchange, 'retry-after').length === 1,
  },
  {
    requirement: 'RATE-07',
    expected: 'a Retry-After of whole seconds',
    holds: (exchange) =>
      headerValues(exchange, 'retry-after').every((value) => /^\d{1,9}$/.test(value)),
  },
]

/** Whatever refused: windows of endpoints, check bucket, unhide budgets, contention, or a limit that was passed on. */
export const everyRefusal = invariant({
  id: 'limits.every-refusal',
  title: 'every 429 of the run has its statusCode and says in whole seconds when to come again',
  requirements: RULES.map(({ requirement }) => requirement),
  judge: ({ history, expect }: InvariantContext) => {
    const refused = history.filter(isRefused)
    if (refused.length === 0) untested('no request of the run was answered by 429')
    for (const { requirement, expected, holds } of RULES) {
      const broken = refused.filter((exchange) => !holds(exchange))
      expect(requirement).that(`each of ${refused.length} answers 429 has ${expected}`, {
        holds: broken.length === 0,
        expected,
        observed: broken[0] ? `${broken.length} have not, first: ${show(broken[0])}` : 'each has',
        exchanges: (broken.length > 0 ? broken : refused).slice(0, NAMED_MAX),
      })
    }
  },
})

function show(exchange: Exchange): string {
  const values = headerValues(exchange, 'retry-after').join(' and ') || 'none'
  return `${showRequest(exchange)}: Retry-After ${values}; ${showAnswer(exchange)}`
}
