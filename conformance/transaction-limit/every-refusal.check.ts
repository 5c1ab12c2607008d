import { ERROR_CODE_TRANSACTION_LIMIT, STATUS_CODE } from '../../contract/wire.ts'
import { amountsIn } from '../../harness/judge/spend-message.ts'
import type { Exchange, RequirementId } from '../engine/kit.ts'
import { invariant, isObject, messageOf, showAnswer, showRequest, untested } from '../engine/kit.ts'

/** Exchanges that one finding names. */
const NAMED_MAX = 5

/** Attempt, headroom and cap are never all the same: what is attempted exceeds the headroom. */
const AMOUNTS_MIN = 2

type Rule = {
  readonly requirement: RequirementId
  readonly expected: string
  readonly holds: (exchange: Exchange) => boolean
}

const RULES: readonly Rule[] = [
  {
    requirement: 'CAP-03',
    expected: 'HTTP 409',
    holds: ({ response }) => response?.status === 409,
  },
  {
    requirement: 'CAP-04',
    expected: `statusCode ${STATUS_CODE.apiKeyLimitExceeded}`,
    holds: (exchange) => memberOf(exchange, 'statusCode') === STATUS_CODE.apiKeyLimitExceeded,
  },
  {
    requirement: 'CAP-05',
    expected: `errorCode ${ERROR_CODE_TRANSACTION_LIMIT}`,
    holds: (exchange) => memberOf(exchange, 'errorCode') === ERROR_CODE_TRANSACTION_LIMIT,
  },
  {
    requirement: 'CAP-06',
    expected: 'a message with amounts',
    holds: (exchange) => new Set(amountsIn(messageOf(exchange))).size >= AMOUNTS_MIN,
  },
]

/** Whatever the cap refused: vouchers, top-ups, eSIMs, gifts and checkouts. */
export const everyCapRefusal = invariant({
  id: 'transaction-limit.every-refusal',
  title: 'every refusal of the run by a cap is a 409 with 13, its errorCode and the amounts',
  requirements: RULES.map(({ requirement }) => requirement),
  judge: ({ history, expect }) => {
    const refused = history.filter(isOfCap)
    if (refused.length === 0) untested('no request of the run was refused by a cap')
    for (const { requirement, expected, holds } of RULES) {
      const broken = refused.filter((exchange) => !holds(exchange))
      const [first] = broken
      expect(requirement).that(`each of ${refused.length} refusals by a cap has ${expected}`, {
        holds: broken.length === 0,
        expected,
        observed: first
          ? `${broken.length} have not, first: ${showRequest(first)}: ${showAnswer(first)}`
          : 'each has',
        exchanges: (broken.length > 0 ? broken : refused).slice(0, NAMED_MAX),
        about: broken,
      })
    }
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
