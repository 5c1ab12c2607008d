import { describe, expect, it } from 'vitest'
import { HarnessError } from '../errors.ts'
import { DEFAULT_GOALS } from '../load/shared/goals.ts'
import { parseCapacityOptions } from './options.ts'

describe('the command line of a search for capacity', () => {
  it('has defaults for everything', () => {
    const { run, requested, pace, planOnly } = parseCapacityOptions([])
    expect(requested).toMatchObject({
      scenario: 'browse',
      goals: DEFAULT_GOALS,
      precision: 0.2,
      stepSeconds: 3,
      confirmSeconds: 10,
    })
    expect(requested.maxPerSecond).toBeUndefined()
    expect({ pace, planOnly }).toEqual({ pace: undefined, planOnly: false })
    // Windows of two seconds have budgets that a handful of accounts spends at once.
    expect(run.windowSeconds).toBe(60)
  })

  it('reads its own options, and hands on what all runs share', () => {
    const { run, requested, pace, busyShareMax } = parseCapacityOptions(
      [
        '--goal p99=50ms --goal errors=1% --min-rate 120 --precision 5% --workers 2',
        '--service-ms 12.5 --max-cpu 80% --window-seconds=2 --base-url http://127.0.0.1:1',
        '--fault a --fault b --allow-load --max-requests 700 --max-seconds 33 --capability x',
      ].flatMap((line) => line.split(' ')),
    )
    expect(requested).toMatchObject({ wantedPerSecond: 120, precision: 0.05, secondsMax: 33 })
    expect(requested.goals).toMatchObject({ errorShareMax: 0.01 })
    expect({ pace, busyShareMax }).toEqual({
      pace: { workers: 2, serviceMs: 12.5 },
      busyShareMax: 0.8,
    })
    expect(run).toMatchObject({
      windowSeconds: 2,
      faults: ['a', 'b'],
      allowLoad: true,
      requestsMax: 700,
      requestsMaxStated: true,
      target: { baseUrl: 'http://127.0.0.1:1', capabilities: ['x'] },
    })
  })

  it.each([
    [['--scenario', 'brwose'], /--scenario was "brwose"/],
    [['--workers', '1'], /belong together/],
    [['--workers', '1.5', '--service-ms', '10'], /belong together/],
    [['--start-rate', '0'], /--start-rate was "0"/],
    [['--max-rate', '1e3'], /--max-rate was "1e3"/],
    [['--precision', '120%'], /--precision/],
    [['--profile', 'core'], /profile/],
    [['--max-requests', 'many'], /--max-requests/],
    [['--baseline', 'run.json'], /--baseline compares repeated runs of load/],
    [['--baseline=run.json'], /--baseline compares repeated runs of load/],
  ])('refuses %j', (argv, sentence) => {
    expect(() => parseCapacityOptions(argv)).toThrow(HarnessError)
    expect(() => parseCapacityOptions(argv)).toThrow(sentence)
  })
})
