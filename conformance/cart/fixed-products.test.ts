import { expect, it } from 'vitest'
import { ALL_CHECKS } from '../registry.ts'
import type { Transport } from '../../harness/client/exchange.ts'
import { virtualRun } from '../../test/support/virtual-run.ts'

type Position = { readonly itemId?: unknown }

const OF_CARTS = ALL_CHECKS.filter(({ requirements, needs }) =>
  [...requirements, ...(needs.capabilities ?? [])].some((each) => /^cart$|^CART|^CAP/.test(each)),
)

/** As if the body of a cart had a product of its own at the second position, which costs five times as much. */
function dearerSecond(transport: Transport): Transport {
  return {
    ...transport,
    send: (request, hooks, signal) => {
      const isCart = request.method === 'POST' && request.url.endsWith('/carts')
      if (!isCart || !request.body?.startsWith('{')) return transport.send(request, hooks, signal)
      const { positions = [], ...cart } = JSON.parse(request.body) as { positions?: Position[] }
      const changed = positions.map((position, index) =>
        index === 1 && position.itemId === 'arcade-1'
          ? { ...position, itemId: 'arcade-5' }
          : position,
      )
      const body = JSON.stringify({ ...cart, positions: changed })
      return transport.send({ ...request, body }, hooks, signal)
    },
  }
}

it('a cart body with another product at its second position blames no service', async () => {
  const { outcomes } = await virtualRun({ network: dearerSecond, checks: OF_CARTS })
  const red = outcomes.filter(({ check }) => ['fail', 'error'].includes(check.verdict))
  expect(red.map(({ check }) => `${check.id}: ${check.observed}`)).toEqual([])
  const held = outcomes.find(({ check }) => check.id === 'cart.within-cap')
  expect(held?.check.verdict).toBe('pass')
})
