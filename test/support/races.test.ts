import { describe, expect, it } from 'vitest'
import type { Check, Verdict } from '../../schemas/generated/run-record.ts'
import { finding, sampleCheck } from '../report/sample-parts.ts'
import { checksOf, exitCodeOf, raceRunOf, sumOf, tableOf, type RaceRun } from './races.ts'

function checkWith(verdict: Verdict, findings: readonly (readonly [string, Verdict])[]): Check {
  return sampleCheck('contention.decided-capped', {
    verdict,
    observed: 'what was seen',
    findings: findings.map(([requirement, each]) => finding(requirement, each)),
  })
}

describe('a run of the checks named for a race', () => {
  const cases = [
    ['contention-livelock', checkWith('fail', [['BUSY-08', 'fail']]), 'found'],
    ['contention-long-wait', checkWith('warn', [['BUSY-03', 'warn']]), 'found'],
    ['contention-livelock', checkWith('pass', [['BUSY-08', 'pass']]), 'missed'],
    ['contention-livelock', checkWith('inapplicable', []), 'missed'],
    // Red for another reason is not found.
    ['contention-livelock', checkWith('fail', [['BUSY-01', 'fail']]), 'missed'],
    ['contention-livelock', checkWith('inconclusive', []), 'inconclusive'],
    ['contention-livelock', checkWith('untested', []), 'inconclusive'],
    ['clean', checkWith('pass', [['BUSY-08', 'pass']]), 'passed'],
    ['clean', checkWith('fail', [['BUSY-08', 'fail']]), 'alarm'],
    ['clean', checkWith('inconclusive', [['BUSY-08', 'pass']]), 'inconclusive'],
  ] as const

  it.each(cases)('of %s %#', (name, check, end) => {
    expect(raceRunOf(name, [check]).end).toBe(end)
  })

  it('says why it did not end as it should', () => {
    const { reason } = raceRunOf('clean', [checkWith('fail', [['BUSY-08', 'fail']])])
    expect(reason).toBe('contention.decided-capped fail: what was seen')
  })

  it('is carried out by checks that are there', () => {
    expect(checksOf('duplicates-race').toSorted()).toEqual([
      'idempotency.copies-of-esim',
      'idempotency.copies-of-gift',
      'idempotency.copies-of-later',
      'idempotency.copies-of-long-order',
      'idempotency.copies-of-many',
      'idempotency.copies-of-one',
      'idempotency.copies-of-top-up',
      'idempotency.copies-of-units',
      'idempotency.siblings-at-once-esim',
      'idempotency.siblings-at-once-top-up',
      'idempotency.siblings-at-once-voucher',
    ])
    expect(checksOf('clean').length).toBeGreaterThan(5)
  })
})

function runs(end: RaceRun['end'], count: number): RaceRun[] {
  return Array.from({ length: count }, () => ({ name: 'contention-livelock', end, reason: '' }))
}

function codeOf(...all: RaceRun[]): number {
  return exitCodeOf([sumOf('contention-livelock', all)])
}

describe('the sums', () => {
  it('count the ends of one service, with the exact bound of what is right', () => {
    const sum = sumOf('contention-livelock', [
      ...runs('found', 20),
      { name: 'clean', end: 'alarm', reason: '' },
    ])
    expect(sum).toMatchObject({ runs: 20, right: 20, inconclusive: 0, wrong: 0 })
    expect(sum.rightRateMin).toBeCloseTo(0.05 ** (1 / 20), 6)
  })

  it('end with 1 after a miss, with 6 after an open one, else with 0', () => {
    expect(codeOf(...runs('found', 2))).toBe(0)
    expect(codeOf(...runs('found', 2), ...runs('inconclusive', 1))).toBe(6)
    expect(codeOf(...runs('inconclusive', 1), ...runs('missed', 1))).toBe(1)
  })

  it('are a table', () => {
    const text = tableOf([
      sumOf('contention-livelock', [...runs('found', 1), ...runs('missed', 1)]),
    ])
    expect(text).toContain('| `contention-livelock` | BUSY-08 | 2 | 1 | 0 | 1 | 2.5 % |')
  })
})
