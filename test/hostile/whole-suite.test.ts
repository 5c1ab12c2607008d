/** Servers that are hostile in what takes minutes of real windows to see: the whole suite, in virtual time. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { WireRequest, WireResponse } from '../../harness/client/exchange.ts'
import type { Cause, Check } from '../../schemas/generated/run-record.ts'
import { foldOutcomes } from '../support/fold-outcomes.ts'
import { answering } from '../support/networks.ts'
import { virtualRun } from '../support/virtual-run.ts'

type Answer = (request: WireRequest) => Partial<WireResponse> | undefined

const json = (status: number, body: object, headers: WireResponse['headers'] = []) => ({
  status,
  headers: [['content-type', 'application/json'], ...headers] as const,
  body: JSON.stringify({ statusMessage: 'OK', traceId: randomUUID(), ...body }),
})

const SUCCESS = { status: 'SUCCESS', statusCode: 0 }
const ORDER = {
  status: 'SUCCESS',
  orderId: 'o',
  price: 1,
  currency: 'USD',
  result: { vouchers: [] },
}
const RICH = { ...ORDER, id: 'i', inStock: 1, items: [ORDER], page: { items: [ORDER] }, total: 1 }

/** Right so many times, then 429 for ever. */
function throttledAfter(requests: number): Answer {
  let seen = 0
  return () => {
    seen += 1
    if (seen <= requests) return undefined
    return json(429, { status: 'CANCELLED', statusCode: 8 }, [['retry-after', '1']])
  }
}

const noLimits: Answer = ({ url }) =>
  new URL(url).pathname.endsWith('/rate-limits')
    ? json(500, { status: 'CANCELLED', statusCode: 5 })
    : undefined

type Seen = { readonly failed: readonly Check[]; readonly causes: readonly Cause[] }

test.for<readonly [probe: number, what: string, answer: Answer, holds: (seen: Seen) => void]>([
  [
    28,
    'success for everyone, and nothing in it',
    () => json(200, { ...SUCCESS, data: {} }),
    ({ failed }) => expect(failed.length).toBeGreaterThan(20),
  ],
  [
    29,
    'success for everyone, with all that a selector looks for',
    () => json(200, { ...SUCCESS, data: RICH }),
    ({ failed }) => expect(failed.length).toBeGreaterThan(20),
  ],
  [
    48,
    'right for 40 requests, then 429',
    throttledAfter(40),
    ({ failed, causes }) => {
      expect(causes.map(({ kind }) => kind)).toContain('throttled')
      expect(failed.length).toBeGreaterThan(0)
    },
  ],
  [
    59,
    'GET /rate-limits at 500',
    noLimits,
    ({ failed, causes }) => {
      // The windows are assumed, and hold. The cause by itself makes the run red: see row 56.
      expect(causes).toMatchObject([{ kind: 'server-error', operations: ['rateLimits'] }])
      expect(failed).toEqual([])
    },
  ],
])('%i: %s', async ([, , answer, holds]) => {
  const { outcomes, session } = await virtualRun({
    network: (transport) => answering(transport, answer),
  })
  const { checks, causes } = foldOutcomes(outcomes, session)
  expect(checks.filter(({ verdict }) => verdict === 'error')).toEqual([])
  holds({ failed: checks.filter(({ verdict }) => verdict === 'fail'), causes })
})
