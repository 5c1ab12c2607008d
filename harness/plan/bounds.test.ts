import { describe, expect, it } from 'vitest'
import { HarnessError } from '../errors.ts'
import type { LoadBudget } from '../load/shared/budget.ts'
import { requireFit, requireTime, type Bounds } from './bounds.ts'
import { joinPlan, outlook, type RunPlan } from './run-plan.ts'
import type { SuitePlan } from './suite-plan.ts'

const SUITE: SuitePlan = {
  selected: 10,
  lacking: [],
  isFresh: true,
  chains: [],
  requests: [],
  requestsTotal: 100,
  requestsMax: 100,
  purchases: {
    orders: 12,
    ordersMax: 40,
    money: new Map([['USD', 30_000_000n]]),
    moneyMax: new Map(),
    unpriced: [],
  },
  expectedSeconds: 100,
  boundSeconds: 115,
}
const LOAD: LoadBudget = {
  requestsMax: 900,
  ordersMax: 20,
  money: { currency: 'USD', micros: 50_000_000n },
  expectedSeconds: 20,
  wallSecondsMax: 60,
}
const HERE: Parameters<typeof requireFit>[2] = {
  baseUrl: 'http://127.0.0.1:1',
  environment: 'production',
  origins: { environment: 'default' },
}
const ELSEWHERE = { ...HERE, baseUrl: 'https://orders.example' }
const BOUNDS: Bounds = { requestsMax: 20_000, requestsMaxStated: false, scenarios: [] }

function planWith(
  permission: Partial<RunPlan['permission']> = {},
  suite: Partial<SuitePlan> = {},
  load: RunPlan['load'] = [{ scenario: 'mixed', budget: LOAD }],
): RunPlan {
  const all = { purchases: {}, load: true, reason: 'it is a sandbox', ...permission }
  return joinPlan({ suite: { ...SUITE, ...suite }, load, permission: all })
}

function refusal(plan: RunPlan, bounds: Partial<Bounds> = {}, where = HERE): string {
  try {
    requireFit(plan, { ...BOUNDS, ...bounds }, where)
    return ''
  } catch (cause) {
    const { code, exitCode, message } = cause as HarnessError
    expect(cause).toBeInstanceOf(HarnessError)
    expect(exitCode).toBe(2)
    return `${code}: ${message}`
  }
}

describe('requireFit', () => {
  it('lets a plan pass that is permitted, to the last order, cent, request and second', () => {
    expect(refusal(planWith())).toBe('')
    const permission = {
      purchases: { ordersMax: 20, spendMax: { currency: 'USD', micros: 100_000_000n } },
    }
    const bounds = { requestsMax: 900, requestsMaxStated: true, secondsMax: 175 }
    expect(refusal(planWith(permission), bounds)).toBe('')
  })

  it('names orders and money of the checks that are not permitted', () => {
    const spendMax = { currency: 'USD', micros: 29_990_000n }
    const text = refusal(planWith({ purchases: { ordersMax: 11, spendMax } }, {}, []))
    expect(text).toContain('E_BUDGET')
    expect(text).toContain('the checks make 12 orders, 11 are permitted (--max-orders)')
    expect(text).toContain('the checks spend USD 30.00, USD 29.99 are permitted (--max-spend)')
  })

  it('refuses money in another currency, and products without a price', () => {
    const purchases = { spendMax: { currency: 'EUR', micros: 90_000_000n } }
    expect(refusal(planWith({ purchases }, {}, []))).toContain('buy in USD, permitted is EUR')
    const unpriced = { ...SUITE.purchases, unpriced: ['esim' as const] }
    const usd = { spendMax: { currency: 'USD', micros: 90_000_000n } }
    expect(refusal(planWith({ purchases: usd }, { purchases: unpriced }, []))).toContain(
      'no unitPrice and currency for esim',
    )
  })

  it('does not refuse checks whose purchases are not permitted at all: they stay untested', () => {
    const permission = { load: false, reason: 'production' }
    const plan = joinPlan({ suite: SUITE, load: [], permission })
    expect(refusal(plan, {}, ELSEWHERE)).toBe('')
  })

  it('counts requests of the load elsewhere, and on loopback where a number was given', () => {
    const bounds = { requestsMax: 899 }
    const wanted = 'the load sends up to 900 requests, 899 are permitted (--max-requests)'
    expect(refusal(planWith(), bounds)).toBe('')
    const declared = { ...HERE, origins: { environment: 'file' as const } }
    expect(refusal(planWith(), bounds, declared)).toContain(wanted)
    expect(refusal(planWith(), bounds, ELSEWHERE)).toContain(wanted)
    expect(refusal(planWith(), { ...bounds, requestsMaxStated: true })).toContain(wanted)
  })

  it('names what the load may spend beyond the permission', () => {
    expect(refusal(planWith({ purchases: { ordersMax: 19 } }))).toContain(
      'of the load, it buys up to 20 orders, 19 are permitted',
    )
  })

  it('refuses load that was asked for by name and is not permitted, and leaves out what was not', () => {
    const lacks = [{ scenario: 'mixed', lacks: 'load on this target needs --allow-load' }]
    const plan = planWith({ load: false }, {}, lacks)
    expect(refusal(plan, {}, ELSEWHERE)).toBe('')
    expect(refusal(plan, { scenarios: ['mixed'] }, ELSEWHERE)).toMatch(/^E_PERMISSION.*: mixed/)
  })

  it('adds up checks and load for --max-seconds', () => {
    const wanted = 'it takes up to 175 s (115 s of checks, 60 s of load), 174 s are permitted'
    expect(refusal(planWith(), { secondsMax: 174 })).toContain(wanted)
    expect(() => requireTime(planWith(), { secondsMax: 174 })).toThrow(wanted)
    expect(() => requireTime(planWith(), { secondsMax: 175 })).not.toThrow()
    expect(() => requireTime(planWith(), {})).not.toThrow()
  })
})

describe('outlook', () => {
  it('says how long checks and load take', () => {
    expect(outlook(planWith())).toBe(
      'expects up to 100 s of checks, then about 20 s of load (at most 60 s)',
    )
    expect(outlook(planWith({}, {}, []))).toBe('expects up to 100 s of checks')
    expect(outlook(planWith({}, { expectedSeconds: 0, boundSeconds: 0 }, []))).toBeUndefined()
  })

  it('tells how a long run is made shorter', () => {
    const long = planWith({}, { expectedSeconds: 54_240, boundSeconds: 62_376 }, [])
    expect(outlook(long)).toMatch(/^expects up to 15 h 4 min of checks; npm run plan says why, /)
  })
})
