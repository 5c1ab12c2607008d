import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  disturbed,
  hardCeiling,
  latencyP99Seconds,
  queue,
  weakGenerator,
  type SimulatedService,
} from '../../test/capacity/simulated-services.ts'
import {
  ATTEMPTS_MAX,
  nextMove,
  requestsOf,
  type SearchEnd,
  type SearchSettings,
  type SearchStep,
  type StepVerdict,
} from './search.ts'

const SETTINGS: SearchSettings = {
  startPerSecond: 10,
  maxPerSecond: 1000,
  minPerSecond: 1,
  stepSeconds: 3,
  confirmSeconds: 10,
  confirmRequestsMin: 1,
  requestsMin: 0,
  precision: 0.1,
  stepsMax: 60,
  secondsMax: 600,
  requestsMax: 1e9,
}

function search(
  service: SimulatedService,
  more: Partial<SearchSettings> = {},
): { steps: SearchStep[]; end: SearchEnd } {
  const settings = { ...SETTINGS, ...more }
  const steps: SearchStep[] = []
  for (;;) {
    const move = nextMove(settings, steps)
    if ('end' in move) return { steps, end: move.end }
    steps.push({ ...move.step, verdict: service(move.step, steps.length) })
    expect(steps.length).toBeLessThanOrEqual(settings.stepsMax)
  }
}

/** Holds one rate for a short step, and a lower one for a longer step. */
function tiring(shortPerSecond: number, longPerSecond: number): SimulatedService {
  return ({ ratePerSecond, purpose }) =>
    ratePerSecond <= (purpose === 'confirm' ? longPerSecond : shortPerSecond) ? 'good' : 'bad'
}

function trail(steps: readonly SearchStep[]): string[] {
  return steps.map(
    ({ purpose, ratePerSecond, verdict }) => `${purpose} ${ratePerSecond} ${verdict}`,
  )
}

describe('search for capacity', () => {
  it('doubles, repeats what missed, halves the gap and confirms with a longer step', () => {
    const { steps, end } = search(hardCeiling(57))
    expect(trail(steps)).toEqual([
      'ramp 10 good',
      'ramp 20 good',
      'ramp 40 good',
      'ramp 80 bad',
      'ramp 80 bad',
      'narrow 57 good',
      'narrow 68 bad',
      'narrow 68 bad',
      'narrow 62 bad',
      'narrow 62 bad',
      'confirm 57 good',
    ])
    expect(steps.at(-1)?.seconds).toBe(SETTINGS.confirmSeconds)
    expect(end).toEqual({ ending: 'found', goodPerSecond: 57, badPerSecond: 62 })
  })

  it('does not believe one miss', () => {
    const once = disturbed(hardCeiling(57), (attempt) => (attempt === 1 ? 'bad' : undefined))
    const { steps, end } = search(once)
    expect(trail(steps).slice(0, 4)).toEqual([
      'ramp 10 good',
      'ramp 20 bad',
      'ramp 20 good',
      'ramp 40 good',
    ])
    expect(end).toMatchObject({ ending: 'found', goodPerSecond: 57 })
  })

  it('steps down and confirms again where the longer step misses', () => {
    const { steps, end } = search(tiring(57, 50))
    expect(trail(steps).slice(-5)).toEqual([
      'confirm 57 bad',
      'confirm 57 bad',
      'confirm 52 bad',
      'confirm 52 bad',
      'confirm 43 good',
    ])
    expect(end).toEqual({ ending: 'found', goodPerSecond: 43, badPerSecond: 52 })
  })

  it('gives up where nothing can be confirmed', () => {
    const { end } = search(tiring(57, 0))
    expect(end).toMatchObject({ ending: 'inconclusive', stoppedBy: 'unconfirmed' })
    expect(end.goodPerSecond).toBeUndefined()
  })

  it('goes down from a start rate that misses, and finds what is below it', () => {
    const { steps, end } = search(hardCeiling(3))
    expect(trail(steps).slice(0, 4)).toEqual([
      'ramp 10 bad',
      'ramp 10 bad',
      'ramp 5 bad',
      'ramp 5 bad',
    ])
    expect(end.ending).toBe('found')
    expect(end.goodPerSecond).toBeLessThanOrEqual(3)
    expect(end.badPerSecond).toBeGreaterThan(3)
  })

  it('says below where even the lowest rate misses', () => {
    expect(search(() => 'bad').end).toEqual({ ending: 'below', badPerSecond: 1 })
  })

  it('says at least the highest permitted rate where nothing misses', () => {
    const { steps, end } = search(() => 'good')
    expect(steps.at(-1)).toMatchObject({ purpose: 'confirm', ratePerSecond: 1000 })
    expect(end).toEqual({ ending: 'at-least', goodPerSecond: 1000 })
  })

  it('says at least what could be measured where the generator is at its end', () => {
    const { end } = search(weakGenerator(hardCeiling(700), 130))
    expect(end).toMatchObject({ ending: 'at-least', stoppedBy: 'generator' })
    expect(end.badPerSecond).toBeUndefined()
    expect(end.goodPerSecond).toBeGreaterThan(118)
    expect(end.goodPerSecond).toBeLessThanOrEqual(130)
  })

  it('is inconclusive where nothing can be measured at all', () => {
    const { steps, end } = search(() => 'inconclusive')
    expect(end).toEqual({ ending: 'inconclusive', stoppedBy: 'generator' })
    expect(new Set(steps.map(({ ratePerSecond }) => ratePerSecond)).size).toBe(2)
  })

  it('draws steps out that would hold too few requests', () => {
    const { steps } = search(hardCeiling(57), { requestsMin: 120 })
    expect(steps.slice(0, 3).map(({ seconds }) => seconds)).toEqual([12, 6, 3])
  })

  it.each([
    ['requests', { requestsMax: 800 }],
    ['seconds', { secondsMax: 28 }],
    ['steps', { stepsMax: 5 }],
  ] as const)('confirms what it knows before the %s run out', (stoppedBy, bound) => {
    const { steps, end } = search(hardCeiling(900), bound)
    expect(steps.at(-1)?.purpose).toBe('confirm')
    expect(end).toMatchObject({ ending: 'at-least', stoppedBy })
  })

  it('decides a rate that is asked for by itself', () => {
    const met = search(hardCeiling(57), { wantedPerSecond: 55, precision: 1 })
    expect(trail(met.steps).slice(-2)).toEqual(['narrow 55 good', 'confirm 55 good'])
    const missed = search(hardCeiling(54), { wantedPerSecond: 55, precision: 1 })
    expect(missed.end).toEqual({ ending: 'found', goodPerSecond: 40, badPerSecond: 55 })
    const tired = search(tiring(70, 55), { wantedPerSecond: 55 })
    expect(trail(tired.steps).slice(-2)).toEqual(['confirm 63 bad', 'confirm 55 good'])
    expect(tired.end).toEqual({ ending: 'found', goodPerSecond: 55, badPerSecond: 63 })
  })

  it('keeps what was bad when it has to confirm early', () => {
    const { end } = search(hardCeiling(57), { stepsMax: 7 })
    expect(end).toEqual({ ending: 'found', goodPerSecond: 57, badPerSecond: 80 })
  })

  it('ends without a word of capacity where there is no room to confirm', () => {
    const { end } = search(hardCeiling(57), { secondsMax: 12 })
    expect(end).toMatchObject({ ending: 'inconclusive', stoppedBy: 'seconds' })
  })
})

const settings = fc.record({
  startPerSecond: fc.integer({ min: 1, max: 200 }),
  maxPerSecond: fc.integer({ min: 200, max: 5000 }),
  precision: fc.constantFrom(0.05, 0.1, 0.25, 0.5),
})
const SEED = 20_261_121
const verdicts = fc.constantFrom<StepVerdict>('good', 'bad', 'inconclusive')

describe('search for capacity, of any service', () => {
  it('encloses a hard ceiling as narrowly as asked for', () => {
    fc.assert(
      fc.property(settings, fc.double({ min: 1, max: 4999, noNaN: true }), (more, ceiling) => {
        const { end } = search(hardCeiling(ceiling), more)
        if (ceiling >= more.maxPerSecond) {
          expect(end).toEqual({ ending: 'at-least', goodPerSecond: more.maxPerSecond })
          return
        }
        const { goodPerSecond: good = Number.NaN, badPerSecond: bad = Number.NaN } = end
        expect(end.ending).toBe('found')
        expect(good).toBeLessThanOrEqual(ceiling)
        expect(bad).toBeGreaterThan(ceiling)
        // Rates are whole, or tenths below 20.
        expect(bad).toBeLessThanOrEqual(Math.max(good * (1 + more.precision), good + 1) + 1e-9)
      }),
    )
  })

  it('encloses the knee of a queue with several servers', () => {
    fc.assert(
      fc.property(
        settings,
        fc.integer({ min: 1, max: 30 }),
        fc.double({ min: 0.002, max: 0.1, noNaN: true }),
        fc.double({ min: 1.5, max: 20, noNaN: true }),
        (more, servers, serviceSeconds, patience) => {
          const goalSeconds = serviceSeconds * patience
          const { end } = search(queue(servers, serviceSeconds, goalSeconds), more)
          const p99 = (rate: number): number => latencyP99Seconds(servers, serviceSeconds, rate)
          if (end.goodPerSecond !== undefined)
            expect(p99(end.goodPerSecond)).toBeLessThanOrEqual(goalSeconds)
          if (end.badPerSecond !== undefined)
            expect(p99(end.badPerSecond)).toBeGreaterThan(goalSeconds)
          expect(['found', 'at-least', 'below']).toContain(end.ending)
        },
      ),
      { seed: SEED },
    )
  })

  it('is not moved by single hiccups', () => {
    fc.assert(
      fc.property(
        settings,
        fc.integer({ min: 5, max: 190 }),
        fc.integer({ min: 3, max: 9 }),
        fc.constantFrom<StepVerdict>('bad', 'inconclusive'),
        (more, ceiling, every, hiccup) => {
          const service = disturbed(hardCeiling(ceiling), (attempt) =>
            attempt % every === 0 ? hiccup : undefined,
          )
          const { end } = search(service, { ...more, secondsMax: 1e6, stepsMax: 1000 })
          expect(end.ending).toBe('found')
          expect(end.goodPerSecond).toBeLessThanOrEqual(ceiling)
          expect(end.badPerSecond).toBeGreaterThan(ceiling)
        },
      ),
      { seed: SEED },
    )
  })

  it('ends within its bounds and contradicts no step, whatever the steps show', () => {
    fc.assert(
      fc.property(
        settings,
        fc.record({
          stepsMax: fc.integer({ min: 1, max: 40 }),
          secondsMax: fc.integer({ min: 1, max: 200 }),
          requestsMax: fc.integer({ min: 1, max: 100_000 }),
        }),
        fc.infiniteStream(verdicts),
        (more, bounds, stream) => {
          const { steps, end } = search(() => stream.next().value, { ...more, ...bounds })
          const sum = (of: (step: SearchStep) => number): number =>
            steps.reduce((total, step) => total + of(step), 0)
          expect(sum(({ seconds }) => seconds)).toBeLessThanOrEqual(bounds.secondsMax)
          expect(sum(requestsOf)).toBeLessThanOrEqual(bounds.requestsMax)
          const attempts = Map.groupBy(steps, (step) =>
            step.purpose === 'confirm' ? `c${step.ratePerSecond}` : step.ratePerSecond,
          )
          for (const each of attempts.values())
            expect(each.length).toBeLessThanOrEqual(ATTEMPTS_MAX)
          const { goodPerSecond: good, badPerSecond: bad } = end
          if (good === undefined) return
          expect(steps.at(-1)).toMatchObject({ purpose: 'confirm', verdict: 'good' })
          expect(steps.at(-1)?.ratePerSecond).toBe(good)
          expect(good).toBeLessThan(bad ?? Infinity)
          expect(good).toBeLessThanOrEqual(more.maxPerSecond)
        },
      ),
      { numRuns: 500, seed: SEED },
    )
  })
})
