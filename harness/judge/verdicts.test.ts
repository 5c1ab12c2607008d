import { describe, expect, it } from 'vitest'
import type { Verdict } from '../../schemas/generated/run-record.ts'
import { finding } from '../../test/report/sample-parts.ts'
import { judgeCheck, judgeRequirement } from './verdicts.ts'

describe('judgeCheck', () => {
  it.each<[string, [string, Verdict][], Verdict]>([
    [
      'all held',
      [
        ['A', 'pass'],
        ['B', 'pass'],
      ],
      'pass',
    ],
    [
      'one broken',
      [
        ['A', 'pass'],
        ['B', 'fail'],
      ],
      'fail',
    ],
    [
      'one open',
      [
        ['A', 'pass'],
        ['B', 'inconclusive'],
      ],
      'inconclusive',
    ],
    [
      'one only typical',
      [
        ['A', 'pass'],
        ['B', 'warn'],
      ],
      'warn',
    ],
    [
      'one left open with a reason',
      [
        ['A', 'pass'],
        ['B', 'untested'],
      ],
      'pass',
    ],
    [
      'all left open',
      [
        ['A', 'untested'],
        ['B', 'untested'],
      ],
      'untested',
    ],
    ['one never looked at', [['A', 'pass']], 'untested'],
    ['nothing', [], 'error'],
  ])('%s', (_name, findings, verdict) => {
    const judged = judgeCheck(
      ['A', 'B'],
      findings.map(([requirement, each]) => finding(requirement, each)),
    )
    expect(judged.verdict).toBe(verdict)
  })

  it('keeps a broken finding whatever ended the check, and says why it ended otherwise', () => {
    const ending = { verdict: 'untested', reason: 'gone' } as const
    expect(judgeCheck(['A'], [finding('A', 'fail')], ending)).toEqual({ verdict: 'fail' })
    expect(judgeCheck(['A'], [finding('A', 'pass')], ending)).toEqual(ending)
  })
})

describe('judgeRequirement', () => {
  it.each<[Verdict[], Verdict[], Verdict]>([
    [['pass', 'fail'], [], 'fail'],
    [['pass'], ['untested'], 'pass'],
    [['pass', 'untested'], [], 'pass'],
    [['pass', 'inconclusive'], [], 'inconclusive'],
    [['untested'], ['pass'], 'untested'],
    [[], ['untested', 'inapplicable'], 'untested'],
    [[], ['inapplicable'], 'inapplicable'],
    [[], [], 'untested'],
  ])('findings %j, checks without one %j: %s', (findings, undecided, verdict) => {
    expect(judgeRequirement(findings, undecided)).toBe(verdict)
  })
})
