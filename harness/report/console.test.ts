import { describe, expect, test } from 'vitest'
import { hostileRecord, largeRecord } from '../../test/report/sample-hostile.ts'
import {
  emptyRecord,
  failingRecord,
  interruptedRecord,
  passingRecord,
} from '../../test/report/sample-record.ts'
import { renderConsole, takesColour } from './console.ts'

const PLAIN = { colour: false, reportPath: 'reports/20260302/index.html' }
const LINES_MAX = 25

test('a passing run is a few lines', () => {
  expect(renderConsole(passingRecord(), PLAIN)).toBe(
    [
      '✓ Pass (exit 0) All requirements in scope were decided and passed.',
      '  staging https://staging.example.test · gate · 41.5 s',
      '  91 checks: 91 pass',
      '  91 requirements: 91 pass',
      '  Checks took 44.2 s of up to 51.8 s · 2,950 requests (3,000 expected) · 58 orders (60 expected) · USD 116.00 (USD 120.00 expected)',
      '  Load took 6.5 s of at most 41 s · 431 of at most 727 requests · 64 of at most 141 orders',
      '  Report: reports/20260302/index.html',
      '  Next: Nothing is left to do; keep the report with the release.',
      '',
    ].join('\n'),
  )
})

test('a failing run names failures, hazards and what is undecided', () => {
  const text = renderConsole(failingRecord(), PLAIN)
  expect(text).toContain(
    '  ✕ RATE-07 Retry-After of the third listing within one window: expected digits only: a whole number of seconds from 1 to 6; observed "1.5"\n',
  )
  expect(text).toContain('! The clock of the target is 1.8 to 2.1 s ahead')
  expect(text).toContain(
    '– undecided: IDEM-11, GET-11, RATE-09 (No credential for role stranger: set ORDERING_KEY_STRANGER.)',
  )
})

test('a check that broke off says why, not what it had found before', () => {
  const record = passingRecord()
  const [first, ...others] = record.checks
  const reason = 'HarnessError: the control side did not make an account\n    at unusable'
  const checks = first ? [{ ...first, verdict: 'error' as const, reason }, ...others] : []
  expect(renderConsole({ ...record, checks }, PLAIN)).toMatch(
    /: expected the check ends; observed HarnessError: the control side did not make an account/,
  )
})

test('says that a run was interrupted, and that one verified nothing', () => {
  expect(renderConsole(interruptedRecord(), PLAIN)).toContain('partial record')
  expect(renderConsole(emptyRecord(), PLAIN)).toMatch(/^– Too little verified \(exit 5\)/)
})

describe('bounds', () => {
  test.for([
    ['large', largeRecord({ checks: 150, exchanges: 10 })],
    ['hostile', hostileRecord()],
  ] as const)('a %s run stays short and sends no control to the terminal', ([, record]) => {
    const text = renderConsole(record, PLAIN)
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(LINES_MAX)
    expect(text).not.toMatch(/[^\P{C}\n]/u)
  })

  test('says how many failures it leaves out', () => {
    const text = renderConsole(largeRecord({ checks: 150, exchanges: 10 }), PLAIN)
    expect(text).toContain('… and 40 more failures in the report')
  })
})

test('colours only when asked to', () => {
  expect(renderConsole(passingRecord(), { colour: true })).toContain('\u001b[32m')
  expect(takesColour({ isTTY: true }, {})).toBe(true)
  expect(takesColour({ isTTY: true }, { NO_COLOR: '1' })).toBe(false)
  expect(takesColour({}, {})).toBe(false)
})

test('what to add is told once, with the number of requirements that it lets decide', () => {
  const toAdd = [
    { what: 'correct line 42 of my.json', requirements: ['CAT-01', 'CAT-02'] },
    { what: 'a key of role sibling', requirements: ['IDEM-10'] },
  ]
  const undecided = ['CAT-01', 'CAT-02', 'IDEM-10'].map((requirement) => ({
    requirement,
    reason: 'a long reason',
  }))
  const lines = renderConsole({ ...passingRecord(), toAdd, undecided }, { colour: false })
  expect(lines).toContain('+ correct line 42 of my.json: decides 2 requirements more')
  expect(lines).toContain('+ add a key of role sibling: decides 1 requirement more')
  expect(lines).not.toContain('a long reason')
})
