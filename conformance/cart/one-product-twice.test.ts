import { expect, it } from 'vitest'
import type { Transport } from '../../harness/client/exchange.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'

type Cart = { readonly positions?: readonly { readonly itemId?: unknown }[] }

/** Which carts a service takes is not shown: this one wants each product at one position only. */
function withoutDoubles(transport: Transport): Transport {
  return {
    ...transport,
    send: (request, hooks, signal) => {
      const isCart = request.method === 'POST' && request.url.endsWith('/carts')
      const { positions = [], ...cart } = ((isCart && parsed(request.body)) || {}) as Cart
      const isDouble = new Set(positions.map(({ itemId }) => itemId)).size < positions.length
      // A cart without positions is what the reference service refuses in the same way.
      const body = JSON.stringify({ ...cart, positions: [] })
      return transport.send(isDouble ? { ...request, body } : request, hooks, signal)
    },
  }
}

function parsed(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? 'null')
  } catch {
    return undefined
  }
}

it('a service that refuses a cart of one product twice is not blamed', async () => {
  const { outcomes } = await virtualRun({ network: withoutDoubles })
  const red = outcomes.filter(({ check }) => ['fail', 'error'].includes(check.verdict))
  expect(red.map(({ check }) => `${check.id}: ${check.observed}`)).toEqual([])
  for (const id of ['cart.answer', 'unhide.mixed-checkout', 'unhide.cancelled-in-checkout'])
    expect(outcomes.find(({ check }) => check.id === id)?.check.verdict).toBe('pass')
})
