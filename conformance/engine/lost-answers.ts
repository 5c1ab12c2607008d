import type { Exchange } from '../../harness/client/exchange.ts'
import { isConnectionFailure } from '../../harness/client/watchful-transport.ts'
import type { CheckOutcome } from '../../harness/judge/check-outcome.ts'

/** Of all requests: a server or a proxy that ends one of its processes closes the connections of so few. */
const SHARE_MAX = 0.01

const isLost = ({ error }: Pick<Exchange, 'error'>): boolean =>
  error !== undefined && isConnectionFailure(error.code)

/**
 * Whether a check failed for nothing but connections that ended before the answer, or was left untested beside one. A server may close
 * a connection at any time (RFC 9112, 9.5), and a request may be on its way then. Who breaks a rule so does it again.
 */
export function isOfLoss(
  { check, exchanges }: CheckOutcome,
  history: readonly Exchange[],
): boolean {
  if (check.verdict === 'untested')
    return history.some((each) => each.check === check.id && isLost(each))
  if (check.verdict !== 'fail') return false
  const lost = new Set(exchanges.filter(isLost).map(({ id }) => id))
  return check.findings
    .filter(({ verdict }) => verdict === 'fail')
    .every(({ offending, exchanges: about }) => lost.has(offending ?? about.at(-1) ?? ''))
}

/** Whether so few answers were lost in a run that a process of the target may have ended. */
export function isLossRare(history: readonly Pick<Exchange, 'error'>[]): boolean {
  return history.filter(isLost).length <= SHARE_MAX * history.length
}
