import type { RequirementId } from '../../contract/requirements/index.ts'
import type { Exchange } from '../../harness/client/exchange.ts'
import type { CheckContext } from '../check.ts'
import { showAnswer, showRequest } from '../engine/describe.ts'

const REFUSED = 'a 4xx answer other than 429, with the envelope'

/** Refused for what it is: a client error, and not the answer of a spent window or a missing page. */
function isRefusal({ response }: Exchange): boolean {
  const status = response?.status ?? 0
  return status >= 400 && status < 500 && ![404, 405, 409, 415, 422, 429].includes(status)
}

/** The answer that a key gets which is missing, unknown, revoked or expired. */
export function expectRefused(
  { expect }: CheckContext,
  requirement: RequirementId,
  exchange: Exchange,
  what = showRequest(exchange),
): void {
  expect(requirement).that(`${what} is refused`, {
    holds: isRefusal(exchange),
    expected: REFUSED,
    observed: showAnswer(exchange),
    exchanges: [exchange],
  })
}
