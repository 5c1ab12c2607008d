import { describe, expect, test } from 'vitest'
import type { KnownFailures } from '../../schemas/generated/known-failures.ts'
import type { Verdict } from '../../schemas/generated/run-record.ts'
import { finding } from '../../test/report/sample-parts.ts'
import { applyExceptions, type Excepted } from './exceptions.ts'

const KNOWN = { reason: 'OPS-1', owner: 'platform', expires: '2027-01-31' }

/** A-01 fails in one of two checks, B-01 passes. */
function applied(
  list: KnownFailures,
  change: { today?: string; isSelection?: boolean } = {},
): Excepted {
  return applyExceptions(list, {
    requirements: [
      { id: 'A-01', verdict: 'fail' },
      { id: 'B-01', verdict: 'pass' },
      { id: 'C-01', verdict: 'untested' },
    ],
    sources: [
      { id: 'a.one', verdict: 'fail', findings: [finding('A-01', 'fail')] },
      {
        id: 'a.two',
        verdict: 'pass',
        findings: [finding('A-01', 'pass'), finding('B-01', 'pass')],
      },
    ],
    today: '2026-11-22',
    isSelection: false,
    ...change,
  })
}

const verdictOf = ({ requirements }: Excepted, id: string): Verdict | undefined =>
  requirements.find((each) => each.id === id)?.verdict

describe('a known failure', () => {
  test.each([
    ['of the requirement', { requirement: 'A-01', ...KNOWN }],
    ['of the check that finds it', { requirement: 'A-01', check: 'a.one', ...KNOWN }],
  ])('%s is accepted', (_name, entry) => {
    const excepted = applied({ failures: [entry] })
    expect(excepted.exceptions).toMatchObject([{ state: 'accepted', owner: 'platform' }])
    expect(verdictOf(excepted, 'A-01')).toBe('warn')
    expect(excepted.sources).toContainEqual(
      expect.objectContaining({ id: 'a.one', verdict: 'warn' }),
    )
  })

  test('of another check accepts nothing, and is stale where that check passes', () => {
    const excepted = applied({ failures: [{ requirement: 'A-01', check: 'a.two', ...KNOWN }] })
    expect(excepted.exceptions).toMatchObject([{ state: 'stale' }])
    expect(verdictOf(excepted, 'A-01')).toBe('fail')
  })

  test('is accepted on its last day, and expired on the next', () => {
    const list = { failures: [{ requirement: 'A-01', ...KNOWN }] }
    expect(applied(list, { today: '2027-01-31' }).exceptions[0]?.state).toBe('accepted')
    const later = applied(list, { today: '2027-02-01' })
    expect(later.exceptions[0]?.state).toBe('expired')
    expect(verdictOf(later, 'A-01')).toBe('fail')
  })

  test('that passes is stale', () => {
    const { exceptions } = applied({ failures: [{ requirement: 'B-01', ...KNOWN }] })
    expect(exceptions).toMatchObject([{ state: 'stale' }])
    expect(exceptions[0]?.text).toContain('passes now')
  })

  test('that was not decided is unmatched, but not where a part was selected', () => {
    const list = { failures: [{ requirement: 'C-01', ...KNOWN }] }
    expect(applied(list).exceptions[0]?.state).toBe('unmatched')
    expect(applied(list, { isSelection: true }).exceptions[0]?.state).toBe('not selected')
  })

  test('does not hide another failure of the same check', () => {
    const excepted = applyExceptions(
      { failures: [{ requirement: 'A-01', ...KNOWN }] },
      {
        requirements: [
          { id: 'A-01', verdict: 'fail' },
          { id: 'B-01', verdict: 'fail' },
        ],
        sources: [
          {
            id: 'a.one',
            verdict: 'fail',
            findings: [finding('A-01', 'fail'), finding('B-01', 'fail')],
          },
        ],
        today: '2026-11-22',
        isSelection: false,
      },
    )
    expect(verdictOf(excepted, 'B-01')).toBe('fail')
    expect(excepted.sources).toMatchObject([{ id: 'a.one', verdict: 'fail' }])
  })
})

describe('a severity', () => {
  test('warn makes a failure a warning', () => {
    const list: KnownFailures = {
      severity: [{ requirement: 'A-01', level: 'warn', reason: 'minor' }],
    }
    expect(verdictOf(applied(list), 'A-01')).toBe('warn')
  })

  test('off leaves the requirement out of the scope', () => {
    const excepted = applied({
      severity: [{ requirement: 'A-01', level: 'off', reason: 'not sold' }],
    })
    expect(verdictOf(excepted, 'A-01')).toBeUndefined()
    expect(excepted.exceptions[0]?.text).toBe('A-01 is not scored (not sold).')
  })

  test('error changes nothing', () => {
    const excepted = applied({ severity: [{ requirement: 'A-01', level: 'error', reason: 'x' }] })
    expect(verdictOf(excepted, 'A-01')).toBe('fail')
    expect(excepted.exceptions).toEqual([])
  })
})
