import { wholeRun } from '../../../test/support/whole-run.ts'
import { describe, expect, test } from 'vitest'
import { openModelPlan, evidenceOf, sessionOf } from '../../../test/load/sample-open-model.ts'
import { StatementTally } from '../shared/statements.ts'
import type { Judgement } from '../shared/conclusion.ts'
import { openModelResult } from './result.ts'
import type { SessionEvidence } from './session-table.ts'

const JUDGEMENT: Judgement = {
  statements: new StatementTally([
    { requirement: 'RATE-01', verdict: 'pass', observed: 'all of them' },
  ]),
  passReason: 'Everything held.',
}

function resultOf(sessions: readonly SessionEvidence[], judgement: Partial<Judgement> = {}) {
  const run = { ...wholeRun(), evidence: evidenceOf(sessions) }
  return openModelResult(openModelPlan(), run, {
    k6Version: '2.2.0',
    judgement: { ...JUDGEMENT, ...judgement },
  })
}

const FIRST = sessionOf(0, [{ sentMs: 500 }])
const SECOND = sessionOf(1, [{ sentMs: 1500 }])

describe('the result of the open model', () => {
  test('a whole run passes, and says how it can be repeated', () => {
    expect(resultOf([FIRST, SECOND])).toMatchObject({
      verdict: 'pass',
      reason: 'Everything held.',
      workload: 'smoke',
      repeat: 'npm run load -- --scenario browse',
      requests: { sent: 2, admitted: 2, refused: 0, failed: 0 },
      latency: { admitted: { count: 2 }, refused: { count: 0 } },
    })
  })

  test.each([
    ['too few sessions', [FIRST], 'Only 1 of 2 sessions began'],
    ['one without an end', [FIRST, sessionOf(1, [{ sentMs: 1500 }], { end: null })], 'no end'],
    [
      'clients that gave up',
      [FIRST, sessionOf(1, [{ sentMs: 1500, status: 429 }], { end: 'starved' })],
      '1 session gave up',
    ],
    [
      'answers that never came',
      [FIRST, sessionOf(1, [{ sentMs: 1500, status: 0 }], { end: 'lost' })],
      '1 session lost an answer',
    ],
    [
      'a 5xx that breaks no requirement by itself',
      [FIRST, sessionOf(1, [{ sentMs: 1500, status: 503 }], { end: 'rejected' })],
      'a 5xx',
    ],
  ] as const)('%s is no pass', (_, sessions, reason) => {
    const result = resultOf(sessions)
    expect(result.verdict).toBe('inconclusive')
    expect(result.reason).toContain(reason)
    expect(result.findings[0]?.verdict).toBe('untested')
  })

  test('sessions that began late are no pass; what answers show by themselves stands', () => {
    const statements = new StatementTally([
      { requirement: 'CAT-09', verdict: 'pass', observed: 'every page' },
      { requirement: 'CAP-21', verdict: 'pass', observed: 'within the cap' },
    ])
    const late = sessionOf(1, [{ sentMs: 1500 }], { dueMs: 900 })
    const result = resultOf([FIRST, late], { statements })
    expect(result.verdict).toBe('inconclusive')
    expect(result.reason).toContain('this machine could not send in time')
    expect(result.findings.map(({ requirement, verdict }) => [requirement, verdict])).toEqual([
      ['CAP-21', 'inconclusive'],
      ['CAT-09', 'pass'],
    ])
  })

  test('what late sessions broke stands, but for a client that gave up', () => {
    const statements = new StatementTally([
      { requirement: 'BUSY-01', verdict: 'fail', observed: 'HTTP 502' },
      { requirement: 'BUSY-08', verdict: 'fail', observed: 'given up' },
    ])
    const late = sessionOf(1, [{ sentMs: 1500 }], { dueMs: 900 })
    const result = resultOf([FIRST, late], { statements })
    expect(result.verdict).toBe('fail')
    expect(result.findings.map(({ requirement, verdict }) => [requirement, verdict])).toEqual([
      ['BUSY-01', 'fail'],
      ['BUSY-08', 'inconclusive'],
    ])
  })

  test('a pool that was exhausted is told from a slow machine', () => {
    const late = Array.from({ length: 4 }, (_, index) =>
      sessionOf(index, [{ sentMs: 400, receivedMs: 1900 }], { dueMs: 100 }),
    )
    const run = { ...wholeRun(), evidence: evidenceOf(late) }
    const result = openModelResult(openModelPlan({ sessions: 4 }), run, {
      k6Version: '2.2.0',
      judgement: JUDGEMENT,
    })
    expect(result.reason).toContain('all 4 virtual users were busy')
  })

  test('a broken requirement comes before what the run lacked', () => {
    const broken = { requirement: 'RATE-01', verdict: 'fail', observed: 'refused' } as const
    expect(resultOf([FIRST], { statements: new StatementTally([broken]) }).verdict).toBe('fail')
  })

  test('promise against reality: from the moment that was promised to the admission', () => {
    const waited = sessionOf(1, [
      { sentMs: 500, receivedMs: 510, status: 429, retryAfter: '1' },
      { sentMs: 1520, receivedMs: 1530, status: 429, retryAfter: '1', attempt: 1 },
      { sentMs: 2600, receivedMs: 2610, attempt: 2 },
    ])
    expect(resultOf([FIRST, waited]).measurements).toMatchObject({
      promisedWaits: 1,
      promisedWaitsRefusedAgain: 1,
      attemptsMax: 3,
      admittedAfterPromiseMsMax: 1100,
    })
  })
})
