import { check, makerOf, needSuccess, onlyWithControlSide } from '../engine/kit.ts'
import { needFundsOperations } from '../steps/funds.ts'
import { expectRefused } from '../steps/key-refused.ts'

/** An address that nobody calls from (RFC 5737). */
const ELSEWHERE = '192.0.2.1'

const SCOPES = ['funds:read'] as const

export const closedToOthers = check({
  id: 'funds.closed',
  title:
    'revoked and expired keys, and keys from outside their allowlist, read neither balance nor ledger',
  requirements: ['AUTH-03', 'AUTH-04', 'ALLOW-02'],
  needs: {
    capabilities: ['funds'],
    roles: ['funds'],
    ofKeysOfFile: onlyWithControlSide('keys of other states with funds:read'),
  },
  run: async (context) => {
    const made = await makerOf(context)({
      keys: [
        { scopes: SCOPES },
        { scopes: SCOPES, status: 'revoked' },
        { scopes: SCOPES, status: 'expired' },
        { scopes: SCOPES, allowlist: [ELSEWHERE] },
      ],
    })
    const [good, revoked, expired, blocked] = made
    if (!good || !revoked || !expired || !blocked)
      throw new Error('an account has a caller for each of its keys')
    for (const operation of needFundsOperations(context)) {
      needSuccess(await good.send(operation, {}))
      expectRefused(
        context,
        'AUTH-03',
        await revoked.send(operation, {}),
        `${operation} with a revoked key`,
      )
      expectRefused(
        context,
        'AUTH-04',
        await expired.send(operation, {}),
        `${operation} with an expired key`,
      )
      const exchange = await blocked.send(operation, {})
      context.expect('ALLOW-02').that(`${operation} from outside the allowlist`, {
        holds: exchange.response?.status === 403,
        expected: 'HTTP 403',
        exchanges: [exchange],
      })
    }
  },
})
