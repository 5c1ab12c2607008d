import { describe, expect, it } from 'vitest'
import { simulatedCapacity } from '../../test/capacity/sample-capacity.ts'
import { CAPACITY_OF } from '../../test/capacity/simulated-step.ts'
import { outcomeOfCapacity } from './outcome.ts'

describe('a search for capacity, from evidence to exit code', () => {
  it.each([
    { workers: 1, serviceMs: 25 },
    { workers: 4, serviceMs: 10 },
    { workers: 8, serviceMs: 60 },
    { workers: 3, serviceMs: 3.1 },
  ])('finds what %o can do', async (service) => {
    const capacity = await simulatedCapacity(service)
    expect(capacity).toMatchObject({ ending: 'found', constraint: 'service' })
    const { goodPerSecond = 0, badPerSecond = Infinity } = capacity.interval
    // Rates are whole: beyond the true one by less than one, a queue grows too slowly to be seen in 10 s.
    expect(goodPerSecond).toBeLessThanOrEqual(1.005 * CAPACITY_OF(service))
    expect(badPerSecond).toBeGreaterThan(CAPACITY_OF(service))
    expect(badPerSecond / goodPerSecond).toBeLessThanOrEqual(1.21)
    expect(outcomeOfCapacity(capacity)).toMatchObject({ exitCode: 0, verdict: 'pass' })
    expect(capacity.reason).toMatch(
      /^[\d.,]+ requests per second held every goal for \d+ s \(p99 .*\); [\d.,]+ requests per second did not: (p99|growth of the median) was .* ms, at most \d+ ms was asked for/,
    )
  })

  it('names the limiter where it refuses', async () => {
    const capacity = await simulatedCapacity({ workers: 100, serviceMs: 5, limitPerSecond: 90 })
    expect(capacity).toMatchObject({ ending: 'found', constraint: 'limiter' })
    expect(capacity.interval.goodPerSecond).toBeLessThanOrEqual(90)
    expect(capacity.interval.badPerSecond).toBeGreaterThan(90)
    expect(capacity.reason).toContain('were refused by a limit (429)')
    const bad = capacity.steps.find(({ verdict }) => verdict === 'bad')
    expect(bad?.refused.count).toBe(bad?.requests.refused)
    expect(bad?.admitted.msP50).toBeCloseTo(5)
  })

  it('names the generator where it is at its end, and calls that no answer', async () => {
    const capacity = await simulatedCapacity({
      workers: 100,
      serviceMs: 5,
      generatorSeconds: 1 / 300,
    })
    expect(capacity).toMatchObject({ ending: 'at-least', constraint: 'generator' })
    expect(outcomeOfCapacity(capacity)).toMatchObject({ exitCode: 6 })
    expect(capacity.reason).toMatch(
      /could not be measured from here: at .* the machine was .* busy/,
    )
    expect(capacity.steps.filter(({ verdict }) => verdict === 'good').length).toBeGreaterThan(2)
    // Named is the rate at which it ended, not one that was measured at a second try.
    const named = Number(/from here: at ([\d.]+) requests/.exec(capacity.reason)?.[1])
    expect(named).toBeGreaterThan(capacity.capacityPerSecond ?? Infinity)
  })

  it('says at least where nothing higher was asked for', async () => {
    const capacity = await simulatedCapacity({ workers: 100, serviceMs: 5 }, { maxPerSecond: 120 })
    expect(capacity).toMatchObject({
      ending: 'at-least',
      capacityPerSecond: 120,
      constraint: 'max-rate',
    })
    expect(outcomeOfCapacity(capacity).exitCode).toBe(0)
  })

  it('names the permission where its requests run out', async () => {
    const capacity = await simulatedCapacity({ workers: 100, serviceMs: 5 }, { requestsMax: 2000 })
    expect(capacity).toMatchObject({ ending: 'at-least', constraint: 'permission' })
    expect(capacity.spent.requests).toBeLessThanOrEqual(2000)
  })

  it.each([
    [35, 0, 'pass'],
    [40, 0, 'pass'],
    [50, 1, 'fail'],
    [400, 1, 'fail'],
  ])(
    'decides whether %d per second are reached by 40',
    async (wantedPerSecond, exitCode, verdict) => {
      const capacity = await simulatedCapacity({ workers: 1, serviceMs: 25 }, { wantedPerSecond })
      expect(outcomeOfCapacity(capacity)).toMatchObject({ exitCode, verdict })
      expect(outcomeOfCapacity(capacity).exitReason).toContain(
        `${wantedPerSecond} requests per second`,
      )
    },
  )

  it('finds no capacity where every answer takes longer than the goal', async () => {
    const capacity = await simulatedCapacity({ workers: 100, serviceMs: 250 })
    expect(capacity).toMatchObject({ ending: 'below', constraint: 'service' })
    expect(capacity.capacityPerSecond).toBeUndefined()
    expect(outcomeOfCapacity(capacity)).toMatchObject({ exitCode: 6 })
    expect(outcomeOfCapacity({ ...capacity, minRatePerSecond: 10 }).exitCode).toBe(1)
  })
})
