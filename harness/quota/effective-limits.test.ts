import { describe, expect, it } from 'vitest'
import type { Exchange } from '../client/exchange.ts'
import type { Target } from '../target-file/target.ts'
import { reportedLimit } from './effective-limits.ts'

const selectors = { 'default.count': '/count', 'default.windowSeconds': '/windowSeconds' }
const TARGET = { operations: { rateLimits: { selectors } } } as unknown as Target

function reported(count: unknown, windowSeconds: unknown): unknown {
  const exchange = { response: { status: 200 }, json: { count, windowSeconds } }
  return reportedLimit(TARGET, exchange as unknown as Exchange, 'default')
}

describe('a limit that GET /rate-limits reports', () => {
  it.each([
    [12, 90],
    ['12', '90'],
  ])('is read as a number or as text: %j', (count, windowSeconds) => {
    expect(reported(count, windowSeconds)).toEqual({ count: 12, windowSeconds: 90 })
  })

  it.each([
    [0, 60],
    [1.5, 60],
    [10, 0],
    [10, -1],
    // What would be waited for without end.
    [10, 1e308],
    [10, 8 * 24 * 3600],
    [null, 60],
    [10, {}],
    ['10.', '60'],
  ])('is none that can be kept: %j per %j s', (count, windowSeconds) => {
    expect(reported(count, windowSeconds)).toBeUndefined()
  })
})
