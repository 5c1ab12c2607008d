import { describe, expect, it } from 'vitest'
import { HarnessError } from '../errors.ts'
import { DEFAULT_GOALS } from '../load/shared/goals.ts'
import {
  accountsFor,
  planCapacity,
  planLines,
  thinkSecondsFor,
  sessionsFor,
  type CapacityRequest,
  type ScenarioCost,
} from './plan.ts'

const REQUESTED: CapacityRequest = {
  scenario: 'browse',
  goals: DEFAULT_GOALS,
  precision: 0.2,
  stepSeconds: 3,
  confirmSeconds: 10,
  stepsMax: 30,
  secondsMax: 180,
}

/** Two pages and a lookup, at the interface's default of 1000 per 60 s and endpoint. */
const FRESH: ScenarioCost = {
  requestsPerSession: 3,
  waitSeconds: 0,
  spends: [
    { quota: 'GET /services', requests: 2, count: 1000, windowSeconds: 60 },
    { quota: 'lookup', requests: 1, count: 1000, windowSeconds: 60 },
  ],
}

function refusal(requested: Partial<CapacityRequest>, cost: ScenarioCost): HarnessError {
  try {
    planCapacity({ ...REQUESTED, ...requested }, cost)
  } catch (error) {
    if (error instanceof HarnessError) return error
    throw error
  }
  throw new Error('the plan was made')
}

describe('plan of a search for capacity', () => {
  it('makes as many accounts as the windows ask for', () => {
    const plan = planCapacity(REQUESTED, FRESH)
    expect(plan.settings).toMatchObject({ startPerSecond: 100, maxPerSecond: 5000 })
    // 5000 / 3 sessions a second for 10 s, two pages each, 900 of 1000 per account.
    expect(plan.accountsMax).toBe(Math.ceil((16_667 * 2) / 900))
    expect(plan.maxSetBy).toBe('max-rate')
    expect(plan.settings.requestsMax).toBe(5000 * 180)
    expect(planLines(plan).at(-1)).toBe('accounts: up to 38 fresh ones per step')
  })

  it('counts what falls into one window, not the whole of a long step', () => {
    const long = { ratePerSecond: 300, seconds: 600 }
    expect(accountsFor(long, FRESH)).toBe(Math.ceil((100 * 60 * 2) / 900))
  })

  it('stays within what the accounts of a target admit', () => {
    const plan = planCapacity(REQUESTED, { ...FRESH, accounts: 2 })
    // 0.9 * 1000 / 60 s / 2 pages = 7.5 sessions a second and account.
    expect(plan.settings).toMatchObject({ startPerSecond: 5.6, maxPerSecond: 45 })
    expect(plan).toMatchObject({ maxSetBy: 'accounts', accountsMax: 2 })
  })

  it.each([
    ['--max-rate', { maxPerSecond: 300 }],
    ['--min-rate', { wantedPerSecond: 300 }],
    ['--start-rate', { startPerSecond: 300 }],
  ] as const)(
    'refuses a %s that would measure the limiter, and says what it takes',
    (flag, more) => {
      const error = refusal(more, { ...FRESH, accounts: 2 })
      expect(error.exitCode).toBe(2)
      expect(error.message).toContain(`${flag} is 300 requests per second, which needs 14 accounts`)
      expect(error.message).toContain('admit 45 per second')
      expect(planCapacity({ ...REQUESTED, ...more }, { ...FRESH, accounts: 14 }).accountsMax).toBe(
        14,
      )
    },
  )

  it('refuses what the permission does not cover', () => {
    expect(refusal({ requestsMax: 1000 }, FRESH).code).toBe('E_PERMISSION')
    expect(refusal({ secondsMax: 5 }, FRESH).code).toBe('E_USAGE')
    expect(refusal({ startPerSecond: 50, maxPerSecond: 20 }, FRESH).code).toBe('E_USAGE')
  })

  it('keeps the permitted requests as the bound of the search', () => {
    expect(planCapacity({ ...REQUESTED, requestsMax: 20_000 }, FRESH).settings.requestsMax).toBe(
      20_000,
    )
  })

  it('gives few sessions an account of their own where they buy', () => {
    const buying = { ...FRESH, sessionsPerAccount: 10 }
    expect(accountsFor({ ratePerSecond: 300, seconds: 10 }, buying)).toBe(100)
    expect(accountsFor({ ratePerSecond: 300, seconds: 10 }, { ...buying, accounts: 2 })).toBe(2)
  })

  it('turns rates into sessions', () => {
    expect(sessionsFor({ ratePerSecond: 100, seconds: 3 }, 3)).toBe(100)
    expect(sessionsFor({ ratePerSecond: 0.1, seconds: 3 }, 3)).toBe(1)
  })
})

function goals(limitMs: number): CapacityRequest['goals'] {
  return {
    ...DEFAULT_GOALS,
    latencies: [
      { name: 'p95', quantile: 0.95, limitMs },
      { name: 'max', quantile: 1, limitMs: 4 * limitMs },
    ],
  }
}

describe('the think time of a search', () => {
  it.each([
    [20, 0.1],
    [200, 0.2],
    [1500, undefined],
  ])('follows the tightest latency of %d ms', (limitMs, seconds) => {
    expect(thinkSecondsFor(goals(limitMs))).toBe(seconds)
  })

  it('draws steps out until as many sessions are under way as will be', () => {
    const { settings } = planCapacity({ ...REQUESTED, goals: goals(400) }, FRESH)
    // Three requests: the last is due 0.8 s after the first, a quarter of 3.2 s.
    expect(settings).toMatchObject({ stepSeconds: 4, confirmSeconds: 10 })
  })
})
