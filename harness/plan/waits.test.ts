import { describe, expect, it } from 'vitest'
import { BUCKETS, DEFAULT_LIMITS, type Bucket } from '../../contract/limits.ts'
import type { EffectiveLimits } from '../quota/effective-limits.ts'
import { chainOf, secondsOf, type Circumstances, type Wait } from './waits.ts'

function limitsWith(
  changes: Partial<Record<Bucket, { count: number; windowSeconds: number }>> = {},
): EffectiveLimits {
  return Object.fromEntries(
    BUCKETS.map((bucket) => [
      bucket,
      { ...DEFAULT_LIMITS[bucket], ...changes[bucket], source: 'default' },
    ]),
  ) as EffectiveLimits
}

const FRESH: Circumstances = {
  target: { products: {} },
  limits: limitsWith(),
  slackMs: 50,
  isFresh: true,
  makesAccounts: true,
}
const SHARED: Circumstances = { ...FRESH, isFresh: false, makesAccounts: false }

function secondsIn(given: Circumstances, ...waits: readonly Wait[]): number {
  return secondsOf(chainOf(waits, given))
}

describe('chainOf', () => {
  it('adds up windows of the longest bucket, with a margin for each', () => {
    const given = { ...FRESH, limits: limitsWith({ default: { count: 9, windowSeconds: 90 } }) }
    const wait = { windows: 2, of: ['orders.list', 'default'] } as const
    expect(secondsIn(given, wait)).toBe(180.5)
    expect(chainOf([wait], given)).toMatchObject([{ text: '2 windows of 90 s of default' }])
    expect(secondsIn({ ...given, slackMs: 250 }, wait)).toBe(181)
  })

  it('leaves out what only shared accounts, narrow budgets or short windows wait for', () => {
    const shared = { windows: 1, of: ['orders.list'], onlyShared: true } as const
    expect([secondsIn(FRESH, shared), secondsIn(SHARED, shared)]).toEqual([0, 60.25])
    const narrow = { windows: 1, of: ['default'], below: 1_000 } as const
    expect(secondsIn(FRESH, narrow)).toBe(0)
    expect(secondsIn(FRESH, { ...narrow, below: 1_001 })).toBe(60.25)
    expect(secondsIn(FRESH, { windows: 1, of: ['default'], upToSeconds: 5 })).toBe(0)
  })

  it('waits longer than a window before a replay where the target file says so', () => {
    const late = { windows: 1, of: ['default'], beforeReplay: true } as const
    const given = { ...FRESH, target: { products: {}, replayAfterSeconds: 301 } }
    expect([secondsIn(FRESH, late), secondsIn(given, late)]).toEqual([60.25, 301])
    expect(secondsIn(given, { windows: 1, of: ['default'] })).toBe(60.25)
  })

  it('takes the window of an account of its own where one can be made', () => {
    const own = { windows: 1, of: ['orders.unhide.admission'], ownSeconds: 8 } as const
    expect([secondsIn(FRESH, own), secondsIn(SHARED, own)]).toEqual([8.25, 60.25])
  })

  it('makes room for requests beyond a budget, none for those within it', () => {
    expect(secondsIn(FRESH, { requests: 1_000 })).toBe(0)
    expect(secondsIn(FRESH, { requests: 1_001 })).toBe(60.25)
    const narrow = { ...FRESH, limits: limitsWith({ default: { count: 40, windowSeconds: 2 } }) }
    expect(secondsIn(narrow, { requests: 205 })).toBe(5 * 2.25)
  })

  it('waits for orders as long as the target file states, and a poll', () => {
    const stated = {
      ...FRESH,
      target: { products: { 'voucher-async': { variables: {}, completesWithinSeconds: 60 } } },
    }
    expect(secondsIn(stated, { orders: 2, product: 'voucher-async' })).toBe(150)
    expect(secondsIn(FRESH, { orders: 1, product: 'esim' })).toBe(615)
    expect(secondsIn(FRESH, { orders: 1, product: 'voucher' })).toBe(0)
  })

  it('waits for a pause, where it is tied to a default only there', () => {
    const pause = { seconds: 60, reason: 'polls', onlyDefault: 'orders.unhide.pending' } as const
    expect(secondsIn(FRESH, pause)).toBe(60)
    const other = limitsWith({ 'orders.unhide.pending': { count: 6, windowSeconds: 2 } })
    expect(secondsIn({ ...FRESH, limits: other }, pause)).toBe(0)
    expect(secondsIn(FRESH, { seconds: 1.5, reason: 'contention' })).toBe(1.5)
  })
})
