/** A ledger over two listings a minute, and the call of one: what the tests of counters share. */
import type { Bucket, WindowLimit } from '../../contract/limits.ts'
import type { Call } from '../../harness/client/client.ts'
import { QuotaLedger } from '../../harness/quota/ledger.ts'
import type { VirtualClock } from './virtual-clock.ts'

const LIMITS: Partial<Record<Bucket, WindowLimit>> = {
  'orders.list': { count: 2, windowSeconds: 60 },
}

export function ledgerOn(clock: VirtualClock): QuotaLedger {
  return new QuotaLedger(clock, (bucket) => LIMITS[bucket] ?? { count: 1_000, windowSeconds: 60 })
}

export function listing(overrides: Partial<Call> = {}): Call {
  return {
    check: 'a.check',
    operation: 'getOrders',
    role: 'full',
    account: 'main',
    method: 'GET',
    url: 'http://target.invalid/api/v1/orders',
    headers: [],
    ...overrides,
  }
}
