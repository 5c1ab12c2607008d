import { describe, expect, it } from 'vitest'
import { HarnessError } from '../errors.ts'
import type { SelectableCheck } from './conformance.ts'
import { isProfile, PROFILES, withinRequests, type Profile } from './profiles.ts'
import { select, type Selection } from './selection.ts'

function checkOf(id: string, more: Partial<SelectableCheck> = {}): SelectableCheck {
  return {
    id,
    title: id,
    requirements: [],
    purchases: 0,
    buckets: [],
    capabilities: [],
    isInvariant: false,
    ...more,
  }
}

/** A check that sends so many requests to the listing. */
function costing(id: string, requests: number, ...requirements: string[]): SelectableCheck {
  const shared = { requests: { 'own default listServices': requests }, orders: 0, units: {} }
  return checkOf(id, {
    requirements,
    facts: { costs: { shared } } as NonNullable<SelectableCheck['facts']>,
  })
}

const CHECKS = [
  checkOf('auth.missing-key', { requirements: ['AUTH-01'] }),
  checkOf('orders.create', {
    formerIds: ['orders.made'],
    purchases: 1,
    capabilities: ['shop'],
  }),
  checkOf('esim.pending', { purchases: 1, capabilities: ['esim'] }),
  checkOf('limits.window-listing', { buckets: ['orders.list'], requirements: ['RATE-01'] }),
  checkOf('envelope.every-response', { isInvariant: true }),
]
const SCENARIOS = [{ id: 'rate-limit-windows', title: '', requirements: ['RATE-01'] }]

function pick(wanted: Partial<Parameters<typeof select>[2]>): Selection {
  return select(CHECKS, SCENARIOS, { profile: 'all', only: [], scenarios: [], ...wanted })
}

describe('selection', () => {
  it('is everything when nothing is asked for', () => {
    expect(pick({})).toEqual({
      checks: CHECKS.map(({ id }) => id),
      scenarios: ['rate-limit-windows'],
    })
  })

  it('goes by check, area, requirement and scenario', () => {
    expect(pick({ only: ['auth.missing-key'] }).checks).toEqual(['auth.missing-key'])
    expect(pick({ only: ['orders'] }).checks).toEqual(['orders.create'])
    expect(pick({ only: ['orders.made'] })).toMatchObject({
      checks: ['orders.create'],
      merged: [['orders.made', 'orders.create']],
    })
    expect(pick({ only: ['rate-01'] })).toEqual({
      checks: ['limits.window-listing'],
      scenarios: ['rate-limit-windows'],
    })
    expect(pick({ scenarios: ['rate-limit-windows'] })).toEqual({
      checks: [],
      scenarios: ['rate-limit-windows'],
    })
  })

  it.each([
    [{ only: ['auth.missing-kye'] }, 'Did you mean "auth.missing-key"?'],
    [{ only: ['RATE-99'] }, '"RATE-99" matches no check'],
    [{ scenarios: ['rate-limits'] }, 'matches no check'],
    [{ profile: 'esim' as const, only: ['auth'] }, 'the profile esim leaves out all that "auth"'],
  ])('refuses %j, which matches nothing', (wanted, text) => {
    const attempt = (): Selection => pick(wanted)
    expect(attempt).toThrow(HarnessError)
    try {
      attempt()
    } catch (cause) {
      const error = cause as HarnessError
      expect([error.code, error.exitCode]).toEqual(['E_SELECTION_EMPTY', 5])
      expect(`${error.message} ${error.nextStep}`).toContain(text)
    }
  })

  it.each([
    ['read-only', ['auth.missing-key'], 0],
    ['purchases', ['orders.create', 'esim.pending'], 0],
    ['core', ['auth.missing-key', 'orders.create', 'limits.window-listing'], 1],
    ['limits', ['limits.window-listing'], 1],
    ['esim', ['esim.pending'], 0],
    ['platform-gift', [], 0],
  ] as const)('profile %s has what it says, and the invariants', (profile, checks, scenarios) => {
    const selection = pick({ profile: profile satisfies Profile })
    expect(selection.checks).toEqual([...checks, 'envelope.every-response'])
    expect(selection.scenarios.length).toBe(scenarios)
  })

  it('takes all that buys nothing into read-only where load is permitted, and says what is left out', () => {
    const { checks, leftOut, requestsMax } = pick({ profile: 'read-only', allowLoad: true })
    expect([checks.includes('limits.window-listing'), leftOut, requestsMax]).toEqual([
      true,
      undefined,
      undefined,
    ])
    expect(pick({ profile: 'read-only' }).leftOut).toEqual(['limits.window-listing'])
    expect(() => pick({ profile: 'read-only', only: ['limits.window-listing'] })).toThrow(
      /fewer than 100 requests, and limits.window-listing would take more/,
    )
  })

  it('takes what decides most with each request, as far as the requests reach', () => {
    const all = [
      costing('a.dear', 6, 'A-01', 'A-02'),
      costing('b.cheap', 1, 'B-01'),
      costing('c.same', 1, 'B-01'),
      costing('d.wide', 4, 'D-01', 'D-02', 'D-03'),
    ]
    expect(withinRequests(all, 6).map(({ id }) => id)).toEqual(['b.cheap', 'd.wide'])
    expect(withinRequests(all, 11).map(({ id }) => id)).toEqual(['a.dear', 'b.cheap', 'd.wide'])
  })

  it('knows its profiles', () => {
    expect(Object.keys(PROFILES).every(isProfile)).toBe(true)
    expect(isProfile('toString')).toBe(false)
  })
})
