import { SCOPES } from '../contract/wire.ts'
import { type Service, createService } from '../reference/service.ts'

/** More than any measurement spends, of money and of requests: both are counted all the same. */
const MUCH = '900000000.00'
const WIDE = { count: 1_000_000_000, windowSeconds: 60 } as const

/**
 * A service with a key that has scopes, windows and a cap. Quotes come at once: their latency is waiting, not work, and a capped key
 * lets one order at a time through it.
 */
export function benchService(): {
  readonly service: Service
  readonly key: string
} {
  const service = createService({
    quoteLatencyMs: 0,
    demoAccounts: false,
    limits: { default: WIDE },
  })
  const { keys } = service.control.createAccount({
    funds: MUCH,
    keys: { capped: { scopes: SCOPES, transactionLimit: MUCH } },
  })
  const key = keys['capped']?.key
  if (key === undefined) throw new Error('The service made no key.')
  return { service, key }
}
