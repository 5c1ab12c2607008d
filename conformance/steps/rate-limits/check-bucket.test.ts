import { expect, test } from 'vitest'
import type { SpentOf } from '../../engine/check.ts'
import type { CheckContext, Exchange } from '../../engine/kit.ts'
import { leaveToOwnWindow } from './check-bucket.ts'

const LIMITS = {
  default: { count: 120, windowSeconds: 4 },
  'orders.check': { count: 20, windowSeconds: 4 },
}

function refusedWith(statusMessage: string): Exchange {
  const response = { status: 429, body: JSON.stringify({ statusCode: 8, statusMessage }) }
  return {
    account: 'main',
    response,
    json: { statusCode: 8, statusMessage },
  } as unknown as Exchange
}

function leave(message: string, isSpent: boolean): void {
  const context = {
    limit: (bucket: keyof typeof LIMITS) => ({ ...LIMITS[bucket], source: 'reported' }),
    mayHaveSpent: (_: Exchange, { counter }: SpentOf = {}) =>
      isSpent && counter?.partition === 'account main createOrder',
  } as unknown as CheckContext
  leaveToOwnWindow(context, [refusedWith(message)])
}

test('says nothing of a refusal that does not name the bucket while other requests of the run spend the window of POST /orders', () => {
  expect(() => leave('Rate limit exceeded for default', true)).toThrow('other requests of this run')
})

test('judges it where nothing else can have refused', () => {
  expect(() => leave('Rate limit exceeded for default', false)).not.toThrow()
  expect(() => leave('Rate limit exceeded for POST /orders (check)', true)).not.toThrow()
})
