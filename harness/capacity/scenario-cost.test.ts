import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../test/support/virtual-clock.ts'
import { HarnessError } from '../errors.ts'
import { clientPlansOf } from '../load/open-model/plan.ts'
import { OPEN_MODELS } from '../load/open-model/scenarios.ts'
import { effectiveLimits } from '../quota/effective-limits.ts'
import { embedInProcess } from '../../test/support/in-process.ts'
import type { CapacityScenario } from './page.ts'
import { requestsWithinPurchases, scenarioCost, type Parts } from './scenario-cost.ts'

const { target } = embedInProcess({ faults: [], windowSeconds: 60, clock: new VirtualClock() })

function partsFor(scenario: CapacityScenario): Parts {
  const parts = clientPlansOf(OPEN_MODELS[scenario].mix, target)
  if ('lacks' in parts) throw new Error(parts.lacks)
  return parts
}

describe('what a scenario costs', () => {
  it('is known for clients that browse: the pages there are, and a lookup', () => {
    const browse = { parts: partsFor('browse'), turnSessions: 1 }
    const cost = scenarioCost(browse, 2, effectiveLimits(target), undefined)
    expect(cost).toEqual({
      requestsPerSession: 3,
      waitSeconds: 0,
      spends: [
        { quota: 'listServices', requests: 2, count: 1000, windowSeconds: 60 },
        { quota: 'lookupItems', requests: 1, count: 1000, windowSeconds: 60 },
      ],
    })
  })

  it('shares accounts by turns of the mix where it buys', () => {
    const mixed = { parts: partsFor('mixed'), turnSessions: 10 }
    const cost = scenarioCost(mixed, 2, effectiveLimits(target), 2)
    expect(cost).toMatchObject({ sessionsPerAccount: 10, accounts: 2 })
    expect(cost.waitSeconds).toBeGreaterThan(0)
    expect(cost.spends.map(({ quota }) => quota)).toContain('createOrder')
  })
})

describe('purchases of a search', () => {
  const parts = partsFor('mixed')

  it('are no bound where none is made, or none is set', () => {
    expect(requestsWithinPurchases(partsFor('browse'), undefined)).toBeUndefined()
    expect(requestsWithinPurchases(parts, {})).toBeUndefined()
  })

  it('bound the requests by orders and by money, whichever is less', () => {
    const byOrders = requestsWithinPurchases(parts, { ordersMax: 100 }) ?? Infinity
    const most = parts.reduce((sum, { part, share }) => sum + share * part.ordersMax, 0)
    const least = parts.reduce((sum, { part, share }) => sum + share * part.requestsMin, 0)
    // Even if every request belonged to a session as short as they come, no more could be bought.
    expect((byOrders / least) * most).toBeLessThanOrEqual(100)
    const [currency] = parts.flatMap(({ part }) => part.money?.currency ?? [])
    const spendMax = { currency: currency ?? '', micros: 1_000_000n }
    const byMoney = requestsWithinPurchases(parts, { ordersMax: 100, spendMax }) ?? Infinity
    expect(byMoney).toBeLessThan(byOrders)
    const foreign = { currency: 'JPY', micros: 1_000_000_000n }
    expect(requestsWithinPurchases(parts, { ordersMax: 100, spendMax: foreign })).toBe(0)
  })

  it('are refused where they are not permitted', () => {
    expect(() => requestsWithinPurchases(parts, undefined)).toThrow(HarnessError)
  })
})
