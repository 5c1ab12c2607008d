import { describe, expect, test } from 'vitest'
import type { Verdict } from '../../schemas/generated/run-record.ts'
import { judgeRun, type Decided } from './outcome.ts'

const PASSED = { id: 'AUTH-01', verdict: 'pass' } as const
const CLEAN: Decided = {
  problems: [],
  requirements: [PASSED],
  checks: [{ id: 'auth.missing-key', verdict: 'pass' }],
  floor: 1,
}

/** What holds of a run, by the exit code that it alone leads to. */
const HOLDING = {
  129: { interruptedBy: 'SIGHUP' },
  130: { interruptedBy: 'SIGINT' },
  143: { interruptedBy: 'SIGTERM' },
  2: { problems: [problem('E_PERMISSION')] },
  4: { problems: [problem('E_HARNESS')] },
  3: { problems: [problem('E_ENVIRONMENT_LOST')] },
  1: { requirements: [{ id: 'AUTH-03', verdict: 'fail' }] },
  5: { requirements: [{ id: 'AUTH-04', verdict: 'untested' }] },
  6: { requirements: [{ id: 'RATE-01', verdict: 'inconclusive' }] },
} as const satisfies Record<number, Partial<Decided>>

/** Design: if several hold, the first of these. */
const PRECEDENCE = [130, 2, 3, 1, 4, 5, 6] as const

function problem(code: string): Decided['problems'][number] {
  return { code, message: 'm', nextStep: 'n' }
}

function runWith(parts: readonly Partial<Decided>[]): Decided {
  return {
    ...Object.assign({}, CLEAN, ...parts),
    problems: parts.flatMap((part) => part.problems ?? []),
    requirements: [PASSED, ...parts.flatMap((part) => part.requirements ?? [])],
  }
}

function exitCodeOfChecks(...verdicts: Verdict[]): number {
  return judgeRun({ ...CLEAN, checks: verdicts.map((verdict) => ({ id: 'c', verdict })) }).exitCode
}

const SERVER_ERROR = {
  id: 'C1',
  kind: 'server-error' as const,
  text: 'GET /item answers HTTP 500',
  nextStep: 'Look at the log.',
  operations: ['getItem'],
  requests: 5,
  blocked: ['a.b'],
  exchanges: [],
}

const pairs = PRECEDENCE.flatMap((first, index) =>
  PRECEDENCE.slice(index).map((second) => [first, second] as const),
)

describe('the exit code', () => {
  test('is 0 when all is decided and nothing broken', () => {
    expect(judgeRun(CLEAN)).toMatchObject({ exitCode: 0, verdict: 'pass' })
  })

  test.each(pairs)('%i before %i', (first, second) => {
    const parts = first === second ? [HOLDING[first]] : [HOLDING[second], HOLDING[first]]
    const { exitCode, verdict, exitReason, nextStep } = judgeRun(runWith(parts))
    expect(exitCode).toBe(first)
    expect(['pass', 'warn']).not.toContain(verdict)
    expect(exitReason.length + nextStep.length).toBeGreaterThan(10)
  })

  test.each([129, 143] as const)('%i, before everything', (exitCode) => {
    const others = PRECEDENCE.slice(1).map((code) => HOLDING[code])
    expect(judgeRun(runWith([...others, HOLDING[exitCode]])).exitCode).toBe(exitCode)
  })

  test.each<[Verdict[], number]>([
    [[], 5],
    [['untested'], 5],
    [['observed'], 5],
    [['inapplicable'], 5],
    [['inconclusive'], 6],
    [['warn'], 0],
    [['pass', 'untested'], 5],
    [['pass', 'inconclusive'], 6],
    [['pass', 'error'], 0],
  ])('of requirements that are %j: %i', (verdicts, exitCode) => {
    const requirements = verdicts.map((verdict, index) => ({ id: `R-${index}`, verdict }))
    expect(judgeRun({ ...CLEAN, requirements }).exitCode).toBe(exitCode)
  })

  test('4 for a check that could not be carried out, 1 for one that failed', () => {
    expect(exitCodeOfChecks('error', 'pass')).toBe(4)
    expect(exitCodeOfChecks('error', 'fail')).toBe(1)
    expect(exitCodeOfChecks('fail', 'pass')).toBe(1)
  })

  test.each([
    [0.5, 0],
    [0.51, 5],
    [1, 5],
  ])('one of two decided and a floor of %d: %i', (floor, exitCode) => {
    const requirements = [PASSED, { id: 'AUTH-04', verdict: 'untested' as const }]
    expect(judgeRun({ ...CLEAN, requirements, floor }).exitCode).toBe(exitCode)
  })

  test('4 for a problem whose code nobody knows', () => {
    expect(judgeRun({ ...CLEAN, problems: [problem('E_NEW')] }).exitCode).toBe(4)
  })

  test.each<[Verdict[], number]>([
    [[], 5],
    [['untested', 'inapplicable'], 5],
    [['untested', 'pass'], 0],
    [['warn'], 0],
  ])('of checks that are %j, where a requirement was decided: %i', (verdicts, exitCode) => {
    expect(exitCodeOfChecks(...verdicts)).toBe(exitCode)
  })

  test('says the share first where less than all was decided', () => {
    const untested = { id: 'AUTH-04', verdict: 'untested' as const }
    const failed = { id: 'AUTH-03', verdict: 'fail' as const }
    const pass = judgeRun({ ...CLEAN, requirements: [PASSED, untested], floor: 0.01 })
    expect(pass.exitReason).toBe(
      '1 of 2 requirements in scope were decided (50 %). None of these is broken.',
    )
    expect(pass.nextStep).not.toContain('Nothing to do')
    const fail = judgeRun({ ...CLEAN, requirements: [PASSED, untested, failed] })
    expect(fail.exitReason).toBe(
      '2 of 3 requirements in scope were decided (66 %). The target breaks 1 of the 2 decided requirements: AUTH-03.',
    )
  })

  test('tells a fault of the harness beside a failure', () => {
    const { exitReason } = judgeRun(runWith([HOLDING[1], HOLDING[4]]))
    expect(exitReason).toContain('AUTH-03. Beside it: E_HARNESS: m')
  })

  test('tells that the run was stopped beside the failure that came before', () => {
    const stopped = { problems: [problem('E_STOPPED')] }
    expect(judgeRun(runWith([stopped])).exitCode).toBe(5)
    const { exitCode, exitReason } = judgeRun(runWith([stopped, HOLDING[1]]))
    expect(exitCode).toBe(1)
    expect(exitReason).toMatch(/^The target breaks 1 .*AUTH-03. Beside it: E_STOPPED: m/)
  })

  test('tells nothing that applies from nothing that was selected', () => {
    const none = { ...CLEAN, requirements: [] }
    expect(judgeRun({ ...none, checks: [] }).exitReason).toContain('Nothing was selected')
    const inapplicable = judgeRun({ ...none, checks: [{ id: 'c', verdict: 'inapplicable' }] })
    expect(inapplicable.exitReason).toMatch(/^None of the 1 selected checks .* applies/)
    expect(inapplicable.nextStep).toContain('capabilities')
  })

  test.each([
    ['server-error', undefined, 1],
    ['throttled', undefined, 0],
    ['server-error', 'LOOK-08', 0],
    ['no-route', undefined, 0],
  ] as const)('of a cause %s that stays failed as %s: %i', (kind, requirement, exitCode) => {
    const cause = {
      ...SERVER_ERROR,
      kind,
      ...(requirement && { requirement }),
    }
    const outcome = judgeRun({ ...CLEAN, causes: [cause], floor: 0.01 })
    expect(outcome.exitCode).toBe(exitCode)
    if (exitCode === 1)
      expect(outcome).toMatchObject({ verdict: 'fail', nextStep: 'Look at the log.' })
  })

  test.each([
    [0, 'a quote, which may fail closed', ['createGiftQuote'], []],
    [5, 'an operation that the target file has wrong', ['getItem'], ['getItem']],
  ])('%i for an error of %s', (exitCode, _, operations, mistaken) => {
    const cause = { ...SERVER_ERROR, operations }
    const mistake = { ...SERVER_ERROR, kind: 'target-file' as const, operations: mistaken }
    const causes = mistaken.length > 0 ? [cause, mistake] : [cause]
    expect(judgeRun({ ...CLEAN, causes }).exitCode).toBe(exitCode)
  })

  test('5 for a mistake of the target file, though all was decided', () => {
    const mistake = { ...SERVER_ERROR, kind: 'target-file' as const, blocked: [] }
    const causes = [{ ...mistake, text: 'target file: a, line 3: b' }, mistake]
    expect(judgeRun({ ...CLEAN, causes, floor: 0.01 })).toEqual({
      exitCode: 5,
      verdict: 'untested',
      exitReason: 'Target file: a, line 3: b. And 1 more mistake in it.',
      nextStep: mistake.nextStep,
    })
    const failed = { ...runWith([HOLDING[1]]), causes }
    expect(judgeRun(failed).exitCode).toBe(1)
  })

  test('says what left a run open, and its remedy', () => {
    const throttled = { ...SERVER_ERROR, kind: 'throttled' as const, text: 'All is 429' }
    for (const holding of [HOLDING[5], HOLDING[6]])
      expect(judgeRun({ ...runWith([holding]), causes: [throttled] })).toMatchObject({
        exitReason: expect.stringContaining('All is 429.') as string,
        nextStep: 'Look at the log.',
      })
  })

  test('names what failed and what is open', () => {
    const failed = judgeRun(runWith([HOLDING[1]]))
    expect(failed.exitReason).toBe('The target breaks 1 of the 2 decided requirements: AUTH-03.')
    expect(judgeRun(runWith([HOLDING[5]])).exitReason).toContain('Not decided: AUTH-04.')
  })

  test('1 for a goal of load that is missed, 6 for one that stays open', () => {
    const missed = { missed: ['browse p99 was 300 ms'], undecided: ['browse p95 (few samples)'] }
    expect(judgeRun({ ...CLEAN, goals: missed })).toMatchObject({
      exitCode: 1,
      exitReason: 'Goals of load were missed: browse p99 was 300 ms.',
    })
    const open = { ...missed, missed: [] }
    expect(judgeRun({ ...CLEAN, goals: open })).toMatchObject({
      exitCode: 6,
      exitReason: expect.stringContaining('browse p95 (few samples)') as string,
    })
    expect(judgeRun({ ...CLEAN, goals: { missed: [], undecided: [] } }).exitCode).toBe(0)
  })

  test('1 for what is worse than the baseline permits, 6 for what could not be compared', () => {
    const worse = { regressions: ['admittedMsP99 of browse'] }
    const open = { uncompared: ['admittedMsP50 of browse'] }
    expect(judgeRun({ ...CLEAN, ...worse, ...open })).toMatchObject({
      exitCode: 1,
      verdict: 'fail',
      exitReason: 'Worse than the baseline by more than is permitted: admittedMsP99 of browse.',
    })
    expect(judgeRun({ ...CLEAN, ...open })).toMatchObject({ exitCode: 6, verdict: 'inconclusive' })
    expect(judgeRun({ ...runWith([HOLDING[1]]), ...worse }).exitReason).toContain('AUTH-03')
  })
})
