import { wholeRun } from '../../../test/support/whole-run.ts'
import { expect, test } from 'vitest'
import { openModelPlan, evidenceOf, sessionOf } from '../../../test/load/sample-open-model.ts'
import type { Target } from '../../target-file/target.ts'
import type { SessionEvidence } from '../open-model/session-table.ts'
import { underLoadOf, type BackgroundRun } from './result.ts'

const ASKED = { workload: 'browse:10/s', ratePerSecond: 10 }
const TARGET = { products: {}, operations: {}, capabilities: [] } as unknown as Target
const SECONDS = 12

/** Ten clients a second, each with one answered page, all in time unless it is said otherwise. */
function clients(change: (index: number) => SessionEvidence | undefined = onTime) {
  return Array.from({ length: 10 * SECONDS }, (_, index) => index).flatMap((index) => {
    return change(index) ?? []
  })
}

function onTime(index: number, lateMs = 0): SessionEvidence {
  const dueMs = 100 * index + 50
  const page = { sentMs: dueMs + lateMs, items: 1, total: '1', ids: ['p1'] }
  return { ...sessionOf(index, [page], { dueMs }), startedMs: dueMs + lateMs }
}

const SENT = { sentMs: Float64Array.of(2000, 9000), receivedMs: Float64Array.of(2100, 10_000) }

function judged(
  sessions: readonly SessionEvidence[],
  run: Partial<BackgroundRun> = {},
  stretch = { fromMs: 2000, toMs: 10_000 },
  times = SENT,
) {
  const requests = { ...times, statuses: Uint16Array.from(times.sentMs, () => 200) }
  return underLoadOf(
    openModelPlan(),
    { ...wholeRun(), evidence: evidenceOf(sessions), isEnough: true, ...run },
    ASKED,
    {
      checks: { stretch, requests },
      target: TARGET,
      k6Version: 'test',
    },
  )
}

test('a load that was kept up, with what it and the checks sent meanwhile', () => {
  const { result, underLoad } = judged(clients())
  expect(result).toMatchObject({ scenario: 'under-load', verdict: 'pass', findings: [] })
  expect(underLoad).toMatchObject({
    isKeptUp: true,
    seconds: 8,
    clients: { offered: 60, started: 60, lateMsP99: 0 },
    background: { sent: 80, sentPerSecond: 10, errors: 0 },
    checks: { sent: 2 },
    together: { sent: 82 },
  })
})

test.each([
  [
    'clients that never started',
    clients((index) => (index % 10 === 0 ? undefined : onTime(index))),
    {},
    'Only 54 of 60',
  ],
  [
    'clients that started late',
    clients((index) => onTime(index, index > 30 ? 1450 : 0)),
    {},
    'started 1450 ms late',
  ],
  ['a load that ended first', clients(), { isEnough: false }, 'ended before the checks'],
  [
    'an interruption',
    clients(),
    { isEnough: false, stopped: 'aborted' as const },
    'was interrupted',
  ],
  [
    'requests without an answer',
    clients((index) =>
      index === 40
        ? sessionOf(index, [{ sentMs: 4050, status: 0 }], { dueMs: 4050 })
        : onTime(index),
    ),
    {},
    '1 background requests got no answer',
  ],
])('decides nothing after %s', (_, sessions, run, reason) => {
  const { result } = judged(sessions, run)
  expect(result.verdict).toBe('inconclusive')
  expect(result.reason).toContain(reason)
})

test('decides nothing where the checks met nobody', () => {
  const late = clients().filter(({ dueMs }) => dueMs > 5000)
  const { result } = judged(late, {}, { fromMs: 2000, toMs: 2500 })
  expect(result.reason).toContain('No background request was sent')
})

test('tells of the background where the checks were ended before they told what they sent', () => {
  const nothing = { sentMs: new Float64Array(), receivedMs: new Float64Array() }
  const ended = { isEnough: false, stopped: 'aborted' as const }
  const { result, underLoad } = judged(clients(), ended, { fromMs: 2000, toMs: 10_000 }, nothing)
  expect(result).toMatchObject({ verdict: 'inconclusive', requests: { sent: 80 } })
  expect(underLoad).toMatchObject({
    seconds: 8,
    isKeptUp: true,
    background: { sent: 80 },
    checks: { sent: 0 },
  })
})

test('decides nothing where no check sent anything', () => {
  const nothing = { sentMs: new Float64Array(), receivedMs: new Float64Array() }
  const { result } = judged(clients(), {}, { fromMs: 5, toMs: 5 }, nothing)
  expect(result).toMatchObject({ verdict: 'inconclusive' })
  expect(result.reason).toContain('No request of the checks')
})

test('a refusal without its code is a finding, though the session was cut off elsewhere', () => {
  const refused = clients((index) =>
    index === 50
      ? sessionOf(index, [{ sentMs: 5050, status: 429, code: 8 }], { dueMs: 5050 })
      : index === 51
        ? sessionOf(index, [{ sentMs: 5150, status: 429, code: 3, retryAfter: '1' }], { end: null })
        : onTime(index),
  )
  const { result } = judged(refused)
  expect(result.verdict).toBe('fail')
  expect(result.findings.map(({ requirement }) => requirement)).toEqual(['RATE-06'])
})
