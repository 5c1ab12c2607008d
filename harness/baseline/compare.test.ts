import { describe, expect, test } from 'vitest'
import type { LoadResult } from '../../schemas/generated/run-record.ts'
import { seeded } from '../../test/support/limiter-simulator.ts'
import { ALPHA, type CompareOptions, compareWithBaseline } from './compare.ts'
import type { Figures } from '../record/load-figures.ts'

const EARLIER = { runId: 'earlier', startedAt: '2026-01-01T00:00:00.000Z' }

function loadResult(scenario: string, repeats: readonly Figures[]): LoadResult {
  return {
    scenario,
    verdict: 'pass',
    reason: '',
    requirements: [],
    findings: [],
    measurements: {},
    windows: [],
    k6: { thresholdsCrossed: [] },
    requests: { planned: 100 * repeats.length, sent: 0, admitted: 0, refused: 0, failed: 0 },
    repeats: repeats.map((figures) => ({ verdict: 'pass', figures: { ...figures } })),
  }
}

type Random = () => number

/** Of mean 0 and deviation 1. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** Repeats of one run: figures that go together, as they do; now and then one that is far off. */
function repeatsOf(random: Random, count: number, noise: number, factor = 1): Figures[] {
  return Array.from({ length: count }, () => {
    const common = normal(random)
    const part = (): number => Math.exp(noise * (0.6 * common + 0.8 * normal(random)))
    const outlier = random() < 0.05 ? 2 : 1
    return {
      admittedMsP50: 4 * factor * part(),
      admittedMsP95: 9 * factor * part(),
      admittedMsP99: 20 * factor * outlier * part(),
      achievedPerSecond: 50 / part(),
      unanswered: 0,
    }
  })
}

function compare(
  before: readonly Figures[],
  now: readonly Figures[],
  options?: CompareOptions,
): ReturnType<typeof compareWithBaseline> {
  const load = [loadResult('browse', before)]
  return compareWithBaseline({ ...EARLIER, load }, [loadResult('browse', now)], options)
}

describe('over a thousand pairs of runs', () => {
  const REPEATS = 6
  const PAIRS = 1000

  function shareOfPairs(factor: number, noise: number, seed: number): number {
    const random = seeded(seed)
    let worse = 0
    for (let pair = 0; pair < PAIRS; pair++) {
      const before = repeatsOf(random, REPEATS, noise)
      const { figures } = compare(before, repeatsOf(random, REPEATS, noise, factor))
      if (figures.some(({ verdict }) => verdict === 'worse')) worse++
    }
    return worse / PAIRS
  }

  test.each([0.02, 0.05, 0.3])('equal ones at a noise of %f seldom differ', (noise) => {
    expect(shareOfPairs(1, noise, 11)).toBeLessThanOrEqual(ALPHA)
  })

  test('a fifth more latency is found nine times in ten at a noise of 5 %', () => {
    expect(shareOfPairs(1.2, 0.05, 12)).toBeGreaterThanOrEqual(0.9)
  })
})

const RATE = 'achievedPerSecond'
const VALUES = [100, 101, 102, 103, 104, 105]

/** Repeats with one figure. */
function times(factor: number, figure: keyof Figures = 'admittedMsP50'): Figures[] {
  return VALUES.map((value) => ({ [figure]: factor * value }))
}

function unanswered(count: number): Figures[] {
  return VALUES.map(() => ({ unanswered: count }))
}

describe('a figure', () => {
  test.each([
    [1, 'within noise'],
    [1.01, 'within noise'],
    [1.5, 'worse'],
    [0.5, 'better'],
  ])('that is %f times as large is %s', (factor, verdict) => {
    const [figure] = compare(times(1), times(factor)).figures
    expect(figure).toMatchObject({ verdict, repeats: { before: 6, now: 6 } })
    expect(figure?.change?.isPercent).toBe(true)
    expect(figure?.change?.estimate).toBeCloseTo(100 * (factor - 1), 6)
  })

  test('is a regression only where all of its interval is beyond what is permitted', () => {
    // The estimate is 50 %, but it may be less.
    const verdicts = [40, 49.9, 60].map(
      (regressionPercentMax) =>
        compare(times(1), times(1.5), { regressionPercentMax }).figures[0]?.verdict,
    )
    // The interval reaches beyond 49.9 %, so a larger regression is not excluded.
    expect(verdicts).toEqual(['regression', 'undecided', 'worse'])
  })

  test('that is within noise is undecided where a regression may hide in it', () => {
    const figures = [1, 20].map(
      (regressionPercentMax) => compare(times(1), times(1.01), { regressionPercentMax }).figures[0],
    )
    expect(figures.map((figure) => figure?.verdict)).toEqual(['undecided', 'within noise'])
    expect(figures[0]?.change?.high).toBeGreaterThan(1)
  })

  test('that is to be large is worse when it is small', () => {
    expect(compare(times(1, RATE), times(0.5, RATE)).figures[0]?.verdict).toBe('worse')
    expect(compare(times(1, RATE), times(1.5, RATE)).figures[0]?.verdict).toBe('better')
  })

  test('that counts is compared by its difference', () => {
    const [figure] = compare(unanswered(0), unanswered(3), { regressionPercentMax: 10 }).figures
    expect(figure).toMatchObject({
      verdict: 'regression',
      change: { estimate: 3, isPercent: false },
    })
    expect(compare(unanswered(0), unanswered(0)).figures[0]?.verdict).toBe('within noise')
  })
})

describe('nothing is concluded', () => {
  const many = Array.from({ length: 6 }, () => ({ admittedMsP50: 1, admittedMsP99: 2 }))

  test('from too few repeats, and it is said how many it takes', () => {
    const { figures } = compare(many.slice(0, 2), many)
    expect(figures.map(({ verdict }) => verdict)).toEqual(['not comparable', 'not comparable'])
    expect(figures[0]?.reason).toBe(
      '6 repeats and 2 in the baseline are too few to tell a difference from noise; 4 of both are enough (--repeats 4)',
    )
  })

  test('from repeats that did not pass', () => {
    const result = loadResult('browse', many)
    const repeats = (result.repeats ?? []).map((each) => ({ ...each, verdict: 'fail' as const }))
    const load = [loadResult('browse', many)]
    const { figures } = compareWithBaseline({ ...EARLIER, load }, [{ ...result, repeats }])
    expect(figures.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['not comparable', 'this run did not measure it'],
      ['not comparable', 'this run did not measure it'],
    ])
  })

  test('from a figure that the baseline lacks, by any name', () => {
    const [known, ...others] = compare([{}, {}], many).figures
    expect(known).toMatchObject({
      verdict: 'not comparable',
      reason: 'the baseline did not measure it',
    })
    expect(others).toHaveLength(1)
  })

  test('where another workload was offered, or another number of requests planned', () => {
    const load = [loadResult('browse', many)]
    const [now] = load as [LoadResult]
    const spike = compareWithBaseline({ ...EARLIER, load }, [{ ...now, workload: 'spike' }])
    expect(spike.figures[0]).toMatchObject({
      verdict: 'not comparable',
      reason: "the workload is spike, the baseline's was none",
    })
    const [slow, fast] = [
      'browse=1; sessions 1 to 1/s in 3 s',
      'browse=1; sessions 2 to 2/s in 3 s',
    ]
    const changed = compareWithBaseline(
      { ...EARLIER, load: [{ ...now, workload: 'spike', workloadShape: slow }] },
      [{ ...now, workload: 'spike', workloadShape: fast }],
    )
    expect(changed.figures[0]).toMatchObject({
      verdict: 'not comparable',
      reason: `the workload was changed: it is ${fast}; the baseline's was ${slow}`,
    })
    const requests = { ...now.requests, planned: 606 }
    const more = compareWithBaseline({ ...EARLIER, load }, [{ ...now, requests }])
    expect(more.figures[0]?.reason).toBe('101 requests were planned, 100 in the baseline')
  })

  test('of a scenario that the baseline lacks', () => {
    const load = [loadResult('mixed', many)]
    expect(compareWithBaseline({ ...EARLIER, load }, [loadResult('browse', many)]).figures).toEqual(
      [],
    )
  })
})
