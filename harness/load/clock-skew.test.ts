import { describe, expect, it } from 'vitest'
import { evidenceOf, sessionOf } from '../../test/load/sample-open-model.ts'
import type { OpenModelEvidence } from './open-model/import.ts'
import type { Judgement } from './shared/conclusion.ts'
import { judgeWithSkew, withClockSkew } from './clock-skew.ts'
import type { PlannedAttempt } from './planned-attempt.ts'
import { StatementTally, type Statement } from './shared/statements.ts'

/** One request of each of two sessions, which two machines sent. */
function evidence(spans: readonly (readonly [number, number])[]): OpenModelEvidence {
  return evidenceOf(
    spans.map(([sentMs, receivedMs], index) => sessionOf(index, [{ sentMs, receivedMs }])),
  )
}

type Verdict = Statement['verdict']

function say(requirement: Statement['requirement'], verdict: Verdict): Statement {
  return { requirement, verdict, observed: 'seen' }
}

/** Says of two requests whether they overlapped, whether the first came before the other, and one thing that no time decides. */
function judge({ sessions }: OpenModelEvidence): Judgement {
  const [a, b] = Array.from(sessions, ({ exchanges: [exchange] }) => exchange)
  const overlap = a && b ? b.sentMs < a.receivedMs && a.sentMs < b.receivedMs : false
  const isBefore = a && b ? a.receivedMs <= b.sentMs : false
  return {
    statements: new StatementTally([
      ...(overlap ? [say('BUSY-01', 'fail')] : []),
      say('CAP-01', isBefore ? 'fail' : 'pass'),
      say('CAP-13', 'fail'),
    ]),
    passReason: '',
  }
}

function verdicts(spans: readonly (readonly [number, number])[], skewMs: number): object {
  const { statements } = judgeWithSkew(evidence(spans), skewMs, judge)
  return Object.fromEntries(statements.verdicts())
}

describe('sessions of several machines', () => {
  it('decides as ever where clocks agree', () => {
    const overlapping = verdicts(
      [
        [0, 20],
        [10, 30],
      ],
      0,
    )
    expect(overlapping).toEqual({ 'BUSY-01': 'fail', 'CAP-01': 'pass', 'CAP-13': 'fail' })
    expect(
      verdicts(
        [
          [0, 20],
          [25, 30],
        ],
        0,
      ),
    ).toEqual({ 'CAP-01': 'fail', 'CAP-13': 'fail' })
  })

  it('leaves open what a difference of the clocks could have made, and keeps the rest', () => {
    const overlapping = { 'BUSY-01': 'inconclusive', 'CAP-01': 'pass', 'CAP-13': 'fail' }
    expect(
      verdicts(
        [
          [0, 20],
          [10, 30],
        ],
        50,
      ),
    ).toEqual(overlapping)
    expect(
      verdicts(
        [
          [0, 20],
          [25, 30],
        ],
        50,
      ),
    ).toEqual({ 'CAP-01': 'inconclusive', 'CAP-13': 'fail' })
  })

  it('still decides what no such difference explains', () => {
    const certain = { 'BUSY-01': 'fail', 'CAP-01': 'pass', 'CAP-13': 'fail' }
    expect(
      verdicts(
        [
          [0, 200],
          [10, 210],
        ],
        50,
      ),
    ).toEqual(certain)
    expect(
      verdicts(
        [
          [0, 20],
          [100, 130],
        ],
        50,
      ),
    ).toEqual({ 'CAP-01': 'fail', 'CAP-13': 'fail' })
  })

  it('says by how much', () => {
    const { statements } = judgeWithSkew(
      evidence([
        [0, 20],
        [25, 30],
      ]),
      50,
      judge,
    )
    expect(statements.findings()[0]?.observed).toBe(
      'seen (clocks that differ by 50 ms leave it open)',
    )
  })
})

function attempt(kind: string, plan: object): PlannedAttempt {
  return { kind, plan, context: {} } as unknown as PlannedAttempt
}

describe('windows of several machines', () => {
  it('are blurred where streams share one', () => {
    const { plan } = withClockSkew(
      attempt('windows', {
        file: { streams: [{ slackMs: 50 }, { slackMs: 50 }, { slackMs: 50 }] },
        streams: [{ partition: 'a' }, { partition: 'b' }, { partition: 'a' }],
      }),
      100,
    ) as Extract<PlannedAttempt, { kind: 'windows' }>
    expect(plan.file.streams.map(({ slackMs }) => slackMs)).toEqual([150, 50, 150])
  })

  it('are as they were for scripts, which one process carries out', () => {
    const bursts = attempt('bursts', { scripts: [] })
    expect(withClockSkew(bursts, 100)).toBe(bursts)
    expect(withClockSkew(attempt('open-model', {}), 100).plan).toEqual({ clockSkewMs: 100 })
  })
})
