import { ERROR_CODE_TRANSACTION_LIMIT, STATUS_CODE } from '../../contract/wire.ts'
import { amountsIn } from '../../harness/judge/spend-message.ts'
import { CAP_MARK_RULES } from '../../harness/judge/rules/refusals.ts'
import type { Rule } from '../../harness/judge/rules/rule.ts'
import type { Exchange } from '../engine/kit.ts'
import { inapplicable, invariant, isObject, messageOf, untested } from '../engine/kit.ts'
import { atRest, expectEach } from '../steps/rules.ts'

/** Attempt, headroom and cap are never all the same: what is attempted exceeds the headroom. Rounded they may look so. */
const DISTINCT_MIN = 2
const AMOUNTS = 3

function hasAmounts(message: string): boolean {
  const amounts = amountsIn(message)
  return new Set(amounts).size >= DISTINCT_MIN || amounts.length >= AMOUNTS
}

const RULES: readonly Rule<Exchange>[] = [
  {
    requirement: 'CAP-03',
    expected: 'HTTP 409',
    breach: ({ response }) =>
      response?.status === 409 ? undefined : `HTTP ${response?.status ?? 'none'}`,
  },
  ...atRest(CAP_MARK_RULES),
  {
    requirement: 'CAP-06',
    expected: 'a message with amounts',
    breach: (exchange) => (hasAmounts(messageOf(exchange)) ? undefined : 'another message'),
  },
]

/** Whatever the cap refused: vouchers, top-ups, eSIMs, gifts and checkouts. */
export const everyCapRefusal = invariant({
  id: 'transaction-limit.every-refusal',
  title: 'every refusal of the run by a cap is a 409 with 13, its errorCode and the amounts',
  requirements: RULES.map(({ requirement }) => requirement),
  judge: (context) => {
    const refused = context.history.filter(isOfCap)
    if (refused.length === 0 && !context.target.capabilities.includes('transaction-limit'))
      inapplicable('the target does not declare transaction-limit')
    if (refused.length === 0) untested('no request of the run was refused by a cap')
    expectEach(context, RULES, { answers: refused, what: 'refusals by a cap' })
  },
})

/** An error that has either mark of the cap. Those with the number alone have it for this reason only where they are a 409. */
function isOfCap(exchange: Exchange): boolean {
  const status = exchange.response?.status ?? 0
  if (status < 400) return false
  const isNamed = memberOf(exchange, 'errorCode') === ERROR_CODE_TRANSACTION_LIMIT
  const isNumbered = memberOf(exchange, 'statusCode') === STATUS_CODE.apiKeyLimitExceeded
  return isNamed || (status === 409 && isNumbered)
}

function memberOf({ json }: Exchange, name: string): unknown {
  return isObject(json) ? json[name] : undefined
}
