import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import type { Observation, RunRecord, Verdict } from '../../schemas/generated/run-record.ts'
import { passingRecord } from '../../test/report/sample-record.ts'
import { compareObservations, compareRuns } from './compare.ts'
import { earlierRun } from './runs.ts'

const answered = (...answers: string[]): Observation[] =>
  answers.map((answer) => ({
    id: 'OPEN-61',
    question: 'When do windows start?',
    check: 'limits.window-listing',
    answer,
    exchanges: [],
  }))

const compared = (before: string[], now: string[]) =>
  compareObservations(
    { runId: 'run-1', startedAt: '2026-01-01T00:00:00Z', observations: answered(...before) },
    answered(...now),
  )

describe('observations of two runs', () => {
  it.each([
    ['the same answer', ['a'], ['a']],
    ['several answers in another order', ['a', 'b'], ['b', 'a']],
    [
      'other identifiers',
      ['{"traceId":"8a22","orderId":"o-1"}'],
      ['{"traceId":"77","orderId":"x"}'],
    ],
    ['other references', ['got 3fa85f64000000007'], ['got 0011aaff000000012']],
    ['other moments', ['until 2026-01-01T00:00:00Z'], ['until 2027-05-01T10:11:12.5+00:00']],
    ['times that scatter', ['edges 1.12 s after'], ['edges 1.31 s after']],
    [
      'times that scatter around the end of a period',
      ['edges 59.94 s after multiples of 60 s'],
      ['edges 0.02 s after multiples of 60 s'],
    ],
  ])('%s: no change', (_, before, now) => {
    expect(compared(before, now)).toMatchObject({ questions: 1, changes: [] })
  })

  it.each([
    ['another number', ['the statusCode of replays is [1]'], ['the statusCode of replays is [0]']],
    ['other windows', ['edges 1.12 s after'], ['edges 1.62 s after']],
    ['a stated second', ['Retry-After of 60 s'], ['Retry-After of 59 s']],
    ['an answer more', ['a'], ['a', 'b']],
    ['an answer less', ['a', 'b'], ['b']],
  ])('%s: a change', (_, before, now) => {
    expect(compared(before, now)).toEqual({
      runId: 'run-1',
      startedAt: '2026-01-01T00:00:00Z',
      questions: 1,
      changes: [
        {
          id: 'OPEN-61',
          question: 'When do windows start?',
          check: 'limits.window-listing',
          before,
          now,
        },
      ],
    })
  })

  it('only what both runs answered is compared', () => {
    expect(compared([], ['a'])).toMatchObject({ questions: 0, changes: [] })
    expect(compared(['a'], [])).toMatchObject({ questions: 0, changes: [] })
  })
})

test('the earlier run is the newest to its end of the same target', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'runs-'))
  afterAll(() => rmSync(dir, { recursive: true }))
  const target = { name: 'staging', kind: 'url', baseUrl: 'https://a.example', faults: [] }
  const write = (runId: string, change: object = {}): void => {
    mkdirSync(path.join(dir, runId))
    const record = { schemaVersion: 1, runId, partial: false, target, checks: [], observations: [] }
    writeFileSync(path.join(dir, runId, 'run.json'), JSON.stringify({ ...record, ...change }))
  }
  write('2026-01-01-0000')
  write('2026-01-02-0000')
  write('2026-01-03-0000', { target: { ...target, baseUrl: 'https://b.example' } })
  write('2026-01-04-0000', { partial: true })
  write('2026-01-05-0000', { target: { ...target, faults: ['some-fault'] } })
  write('2026-01-09-0000')
  mkdirSync(path.join(dir, '2026-01-06-0000'))
  mkdirSync(path.join(dir, 'samples'))
  const current = { runId: '2026-01-07-0000', target } as unknown as RunRecord
  expect((await earlierRun(dir, current))?.runId).toBe('2026-01-02-0000')
  const other = { ...current, target: { ...target, name: 'other' } } as unknown as RunRecord
  expect(await earlierRun(dir, other)).toBeUndefined()
  expect(await earlierRun(path.join(dir, 'nowhere'), current)).toBeUndefined()
})

const withVerdict = (verdict: Verdict): RunRecord => {
  const record = passingRecord()
  const [first, ...others] = record.requirements
  return { ...record, requirements: first ? [{ ...first, verdict }, ...others] : [] }
}

describe('requirements of two runs', () => {
  const none = {
    newlyBroken: 0,
    mended: 0,
    stillBroken: 0,
    noLongerDecided: 0,
    newlyDecided: 0,
    notSelectedNow: 0,
    notSelectedBefore: 0,
  }

  it.each<[Verdict, Verdict, Partial<typeof none>]>([
    ['pass', 'pass', {}],
    ['pass', 'fail', { newlyBroken: 1 }],
    ['untested', 'fail', { newlyBroken: 1 }],
    ['fail', 'pass', { mended: 1 }],
    ['fail', 'warn', { mended: 1 }],
    ['fail', 'fail', { stillBroken: 1 }],
    ['fail', 'untested', { noLongerDecided: 1 }],
    ['pass', 'inconclusive', { noLongerDecided: 1 }],
    ['inconclusive', 'pass', { newlyDecided: 1 }],
  ])('%s, then %s', (before, now, expected) => {
    const { requirements } = compareRuns(withVerdict(before), withVerdict(now))
    const counts = Object.entries(requirements).map(([kind, changes]) => [kind, changes.length])
    expect(Object.fromEntries(counts)).toEqual({ ...none, ...expected })
  })

  it('tells apart what only one of both selected', () => {
    const whole = withVerdict('fail')
    const part = {
      ...whole,
      requirements: whole.requirements.map((each) => ({
        ...each,
        verdict: 'untested' as const,
        checks: [],
      })),
    }
    const decided = whole.requirements.filter(({ verdict }) => verdict !== 'untested').length
    const less = compareRuns(whole, part).requirements
    expect(less.notSelectedNow?.length).toBeGreaterThan(0)
    expect(less).toMatchObject({ noLongerDecided: [], newlyBroken: [], notSelectedBefore: [] })
    const more = compareRuns(part, whole).requirements
    expect(more).toMatchObject({ newlyBroken: [], newlyDecided: [], notSelectedNow: [] })
    expect(more.notSelectedBefore?.length).toBeLessThanOrEqual(decided)
    expect(more.notSelectedBefore).toContainEqual(expect.objectContaining({ now: 'fail' }))
  })

  it('takes one that the earlier run did not have for untested', () => {
    const now = withVerdict('fail')
    const before = { ...now, requirements: [] }
    expect(compareRuns(before, now).requirements.newlyBroken).toMatchObject([
      { before: 'untested', now: 'fail' },
    ])
  })
})
