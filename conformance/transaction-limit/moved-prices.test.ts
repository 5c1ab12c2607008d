import { describe, expect, it } from 'vitest'
import type { Transport } from '../../harness/client/exchange.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'
import { ALL_CHECKS } from '../registry.ts'

const ABOUT_CAPS = ALL_CHECKS.filter(({ id }) =>
  /^(?:transaction-limit|cart|idempotency|esim|dtu-check|funds)\./.test(id),
)

/** Checks that fail; what stays open is right here. */
async function failing(options: Parameters<typeof virtualRun>[0]): Promise<readonly string[]> {
  const { outcomes } = await virtualRun({ checks: ABOUT_CAPS, ...options })
  return outcomes
    .filter(({ check }) => ['fail', 'error'].includes(check.verdict))
    .map(({ check }) => `${check.id}: ${check.observed}`)
}

describe('a service takes a quote before each purchase', () => {
  it.each([700, 3_000])('and one whose prices rise every %i ms is not blamed', async (ms) => {
    const service = { platformGift: 'enabled', pricesRiseEveryMs: ms } as const
    expect(await failing({ service })).toEqual([])
  })
})

const STOCK = 12

/** Orders of more vouchers than there are end as CANCELLED at once, and take nothing of the cap. */
function soldOut(transport: Transport): Transport {
  let count = 0
  return {
    ...transport,
    send: (request, hooks, signal) => {
      const { quantity = 0 } = (JSON.parse(request.body ?? 'null') ?? {}) as { quantity?: number }
      if (quantity <= STOCK) return transport.send(request, hooks, signal)
      count += 1
      const order = { orderId: `none-${count}`, currency: 'USD', price: quantity }
      const body = {
        data: { ...order, status: 'CANCELLED' },
        status: 'CANCELLED',
        statusCode: 0,
        statusMessage: 'Sold out.',
        traceId: 't',
      }
      const headers = [['content-type', 'application/json']] as const
      return Promise.resolve({ status: 200, headers, body: JSON.stringify(body), truncated: false })
    },
  }
}

it('a service that cancels what it has too few pieces of is not blamed', async () => {
  expect(await failing({ network: soldOut })).toEqual([])
})

/** Orders and positions of more vouchers than this are refused. */
function fewPieces(most: number): (transport: Transport) => Transport {
  const error = {
    code: 'OUT_OF_RANGE',
    field: 'quantity',
    message: `At most ${most}.`,
  }
  const refusal = {
    status: 'CANCELLED',
    statusCode: 2,
    statusMessage: 'Too many pieces.',
    errors: [error],
    traceId: 't',
  }
  const headers = [['content-type', 'application/json']] as const
  return (transport) => ({
    ...transport,
    send: (request, hooks, signal) => {
      const asked = (request.body ?? '').matchAll(/"quantity":(\d+)/g)
      return [...asked].every(([, quantity]) => Number(quantity) <= most)
        ? transport.send(request, hooks, signal)
        : Promise.resolve({
            status: 422,
            headers,
            body: JSON.stringify(refusal),
            truncated: false,
          })
    },
  })
}

it.each([1, 2, 3, 4, 7])(
  'a service that sells at most %i pieces by one order is not blamed',
  async (most) => {
    expect(await failing({ network: fewPieces(most) })).toEqual([])
  },
)
