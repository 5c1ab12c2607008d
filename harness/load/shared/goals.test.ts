import { describe, expect, test } from 'vitest'
import { HarnessError } from '../../errors.ts'
import { judgeErrors, judgeLatency, parseGoals, parseLoadGoals } from './goals.ts'

const OPERATIONS = ['createOrder', 'getOrders', 'unhide']
const P99 = { name: 'p99', quantile: 0.99, limitMs: 200 }

function problemOf(run: () => unknown): HarnessError {
  try {
    run()
  } catch (error) {
    if (error instanceof HarnessError) return error
    throw error
  }
  return expect.unreachable('no error was thrown')
}

describe('goals of load', () => {
  test('are of one operation, or of all', () => {
    expect(
      parseLoadGoals(['createOrder p99=200ms', 'p95=1.5s', 'unhide errors=0.1%'], OPERATIONS),
    ).toEqual([
      { operation: 'createOrder', latency: P99 },
      { latency: { name: 'p95', quantile: 0.95, limitMs: 1500 } },
      { operation: 'unhide', errorShareMax: 0.001 },
    ])
  })

  test.each([
    ['createOder p99=200ms', 'createOder', 'createOrder'],
    ['p99=200', 'a percentile with a time', '--goal p99=200ms'],
    ['createOrder', 'a percentile with a time', '--goal p99=200ms'],
    ['achieved=95%', 'search for capacity', 'errors=0.1%'],
  ])('%s is refused', (text, message, nextStep) => {
    const problem = problemOf(() => parseLoadGoals([text], OPERATIONS))
    expect(problem).toMatchObject({ code: 'E_USAGE' })
    expect(problem.message).toContain(message)
    expect(problem.nextStep).toContain(nextStep)
  })

  test('of one operation are none of a search for capacity', () => {
    expect(problemOf(() => parseGoals(['createOrder p99=200ms'])).message).toContain('createOrder')
  })
})

/** So many answers, the slowest of which take 500 ms. */
function times(count: number, slow: number): Float64Array {
  return Float64Array.from({ length: count }, (_, index) => (index < count - slow ? 20 : 500))
}

describe('a percentile', () => {
  test.each([
    ['met with all of its interval', times(1000, 2), { met: true, observed: '20 ms' }],
    [
      'missed with all of its interval',
      times(1000, 20),
      { met: false, observed: '500 ms', intervalMs: { low: 500, high: 500 } },
    ],
    [
      'undecided between, although it was met as measured',
      times(1000, 9),
      {
        met: false,
        observed: '20 ms',
        undecided: 'with 1,000 samples p99 lies between 20 ms and 500 ms',
      },
    ],
    [
      'never met with too few samples',
      times(999, 0),
      { met: false, undecided: 'p99 needs 1,000 samples, there are 999' },
    ],
    ['missed with few samples that leave no doubt', times(100, 100), { met: false, samples: 100 }],
    ['undecided of nothing', times(0, 0), { met: false, undecided: 'no request was admitted' }],
  ])('is %s', (_, ascending, expected) => {
    const judged = judgeLatency(ascending, P99)
    expect(judged).toMatchObject(expected)
    expect('undecided' in judged).toBe('undecided' in expected)
  })

  test('that is the maximum needs no interval', () => {
    const max = { name: 'max', quantile: 1, limitMs: 200 }
    expect(judgeLatency(times(5, 0), max)).toMatchObject({ met: true })
    expect(judgeLatency(times(5, 1), max)).toMatchObject({ met: false, observed: '500 ms' })
  })
})

test('errors are a share of what was sent', () => {
  expect(judgeErrors(1, 1000, 0.001)).toMatchObject({ met: true, observed: '0.1 %' })
  expect(judgeErrors(2, 1000, 0.001)).toMatchObject({ met: false })
  expect(judgeErrors(0, 0, 0.001).undecided).toBe('no request was sent')
})
