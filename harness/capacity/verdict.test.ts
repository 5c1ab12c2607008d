import { describe, expect, it } from 'vitest'
import { sessionOf } from '../../test/load/sample-open-model.ts'
import { HarnessError } from '../errors.ts'
import { type SessionEvidence, sessionTable } from '../load/open-model/session-table.ts'
import { DEFAULT_GOALS, formatMs, goalTexts, parseGoals } from '../load/shared/goals.ts'
import { quantile } from '../load/shared/latencies.ts'
import { measureStep } from './measure.ts'
import { generatorBounds, judgeStep, type MachineUse, type StepJudgement } from './verdict.ts'

const SECONDS = 4
const RATE = 50
const GOALS = parseGoals(['p99=100ms'])

type Answered = {
  readonly lateMs?: number
  readonly tookMs: number
  readonly status?: number
  readonly code?: number
}

/** A step of one request per session; `answered` says what became of each, undefined: it never began. */
function judged(
  answered: (index: number) => Answered | undefined,
  machine: MachineUse = {},
  why?: string,
  isFirm = false,
): StepJudgement {
  const sessions = Array.from({ length: SECONDS * RATE }, (_, index) =>
    answeredSession(index, answered(index)),
  ).filter((session) => session !== undefined)
  const measured = measureStep(
    { sessions: sessionTable(sessions) },
    { seconds: SECONDS, sessions: SECONDS * RATE, requestsPerSession: 1, waits: false },
  )
  const evidence = { measured, machine, ...(why !== undefined && { void: why }) }
  return judgeStep(evidence, { goals: GOALS, bounds: generatorBounds(GOALS), isFirm })
}

function answeredSession(index: number, answer: Answered | undefined): SessionEvidence | undefined {
  if (!answer) return undefined
  const dueMs = (1000 * (index + 0.5)) / RATE
  const { lateMs = 0, tookMs, status = 200, code } = answer
  const sentMs = dueMs + lateMs
  const exchange = { dueMs, sentMs, receivedMs: sentMs + tookMs, status, code }
  return { ...sessionOf(index, [exchange], { dueMs }), startedMs: sentMs }
}

describe('judgement of a step', () => {
  it('is good where every goal is reached', () => {
    expect(judged(() => ({ tookMs: 20 }))).toMatchObject({
      verdict: 'good',
      reason: 'P99 20 ms, errors 0 %, achieved 100 %.',
    })
  })

  it('that confirms needs samples to be good, but none to be bad', () => {
    const short = judged(() => ({ tookMs: 20 }), {}, undefined, true)
    expect(short).toMatchObject({
      verdict: 'inconclusive',
      reason: 'P99 needs 1,000 samples, there are 200.',
    })
    expect(short.constraint).toBeUndefined()
    const slow = judged(() => ({ tookMs: 120 }), {}, undefined, true)
    expect(slow).toMatchObject({ verdict: 'bad', constraint: 'service' })
  })

  it.each<[string, (index: number) => Answered | undefined, object]>([
    ['a slow service', () => ({ tookMs: 120 }), { verdict: 'bad', constraint: 'service' }],
    [
      'three slow answers of 200',
      (index) => ({ tookMs: index % 70 === 0 ? 120 : 20 }),
      { verdict: 'bad', constraint: 'service' },
    ],
    [
      'one slow answer of 200',
      (index) => ({ tookMs: index === 7 ? 3000 : 20 }),
      { verdict: 'good' },
    ],
    [
      'a queue that builds up in the service',
      (index) => ({ tookMs: 10 + 5 * index }),
      { verdict: 'bad', constraint: 'service' },
    ],
    [
      'a queue that builds up slowly, within every goal',
      (index) => ({ tookMs: 20 + 0.3 * index }),
      {
        verdict: 'bad',
        reason: expect.stringMatching(/^Growth of the median was \d+ ms, at most 10 ms/),
      },
    ],
    [
      'errors',
      (index) => ({ tookMs: 20, status: index % 50 === 0 ? 503 : 200 }),
      { verdict: 'bad', constraint: 'service' },
    ],
    [
      'requests with no answer, a 3xx or a 5xx',
      (index) => ({ tookMs: 20, status: index % 50 === 0 ? 0 : 200 }),
      { verdict: 'bad', constraint: 'service' },
    ],
    [
      'refusals by a limit',
      (index) => ({ tookMs: 2, status: index % 10 === 0 ? 429 : 200, code: 8 }),
      { verdict: 'bad', constraint: 'limiter' },
    ],
    [
      'refusals by a spend cap',
      (index) => ({ tookMs: 2, status: index % 10 === 0 ? 409 : 200, code: 13 }),
      { verdict: 'bad', constraint: 'cap' },
    ],
    [
      'another conflict, which is an error',
      (index) => ({ tookMs: 2, status: index % 10 === 0 ? 409 : 200 }),
      { verdict: 'bad', constraint: 'service' },
    ],
    [
      'sessions that start late',
      () => ({ tookMs: 20, lateMs: 40 }),
      { verdict: 'inconclusive', constraint: 'generator' },
    ],
    [
      'sessions that start so late that a goal is missed by it',
      () => ({ tookMs: 20, lateMs: 140 }),
      { verdict: 'inconclusive', constraint: 'generator' },
    ],
    [
      'sessions that start late because the service keeps everybody waiting',
      (index) => ({ tookMs: 150, lateMs: index }),
      { verdict: 'bad', constraint: 'service' },
    ],
    [
      'sessions that never start',
      (index) => (index < 190 ? { tookMs: 20 } : undefined),
      { verdict: 'inconclusive', constraint: 'generator' },
    ],
    ['nothing sent', () => undefined, { verdict: 'inconclusive', constraint: 'generator' }],
  ])('of %s', (_, answered, expected) => {
    expect(judged(answered)).toMatchObject(expected)
  })

  it('never says good of a saturated machine, nor blames the service there', () => {
    const busy = { busyShare: 0.97, k6Cores: 1.1, harnessCores: 0.8 }
    expect(judged(() => ({ tookMs: 20 }), busy)).toMatchObject({
      verdict: 'inconclusive',
      constraint: 'generator',
      reason: 'The machine was 97 % busy (k6 took 1.10 processors, this process 0.80).',
    })
    expect(judged(() => ({ tookMs: 120 }), busy).verdict).toBe('inconclusive')
  })

  it('names the machine where others took its processors', () => {
    const taken = { busyShare: 0.99, k6Cores: 0.02, harnessCores: 0.1, othersCores: 1.9 }
    expect(judged(() => ({ tookMs: 20 }), taken)).toMatchObject({
      verdict: 'inconclusive',
      constraint: 'machine',
      reason: expect.stringContaining('others 1.90') as string,
    })
  })

  it('says why a run is void', () => {
    expect(judged(() => ({ tookMs: 20 }), {}, 'the clock was set')).toMatchObject({
      verdict: 'inconclusive',
      reason: 'The clock was set.',
    })
  })

  it('keeps the latencies of what was admitted and what was refused apart', () => {
    const sessions = [
      answeredSession(0, { tookMs: 30 }),
      answeredSession(1, { tookMs: 2, status: 429 }),
    ]
    const measured = measureStep(
      { sessions: sessionTable(sessions.filter((session) => session !== undefined)) },
      { seconds: 1, sessions: 2, requestsPerSession: 1, waits: false },
    )
    expect([...measured.admittedMs].map(Math.round)).toEqual([30])
    expect([...measured.refusedMs].map(Math.round)).toEqual([2])
  })
})

function bought(index: number, ids: string[]): SessionEvidence | undefined {
  const session = answeredSession(index, { tookMs: 9 })
  const buys = { operation: 'cart', ids } as const
  return (
    session && { ...session, exchanges: session.exchanges.map((each) => ({ ...each, ...buys })) }
  )
}

describe('orders of a step', () => {
  it('are counted once, and not at all where nothing was to be bought', () => {
    const schedule = { seconds: 1, sessions: 2, requestsPerSession: 1, waits: true }
    const sessions = [bought(0, ['a', 'b']), bought(1, ['b', 'c'])].filter(
      (each) => each !== undefined,
    )
    expect(measureStep({ sessions: sessionTable(sessions) }, schedule).orders).toBe(3)
    const browsing = [answeredSession(0, { tookMs: 9 })].filter((each) => each !== undefined)
    expect(measureStep({ sessions: sessionTable(browsing) }, schedule).orders).toBeUndefined()
  })
})

describe('quantile', () => {
  it('is the smallest value that the share does not exceed', () => {
    const values = Float64Array.from({ length: 200 }, (_, index) => index + 1)
    expect(quantile(values, 0.5)).toBe(100)
    expect(quantile(values, 0.99)).toBe(198)
    expect(quantile(values, 0.999)).toBe(200)
    expect(quantile(values, 1)).toBe(200)
    expect(quantile(new Float64Array(), 0.5)).toBe(0)
  })
})

describe('goals', () => {
  it('are read as they are printed', () => {
    const texts = ['p99=150ms', 'p99.9=1.5s', 'max=3s', 'errors=0.5%', 'achieved=90%']
    const goals = parseGoals(texts)
    expect(goals).toEqual({
      latencies: [
        { name: 'p99', quantile: 0.99, limitMs: 150 },
        { name: 'p99.9', quantile: 0.9990000000000001, limitMs: 1500 },
        { name: 'max', quantile: 1, limitMs: 3000 },
      ],
      errorShareMax: 0.005,
      achievedShareMin: 0.9,
    })
    expect(goalTexts(goals)).toEqual([
      'p99=150ms',
      'p99.9=1500ms',
      'max=3000ms',
      'errors=0.5%',
      'achieved=90%',
    ])
    expect(parseGoals(goalTexts(goals))).toEqual(goals)
  })

  it('have sensible defaults for what is left out', () => {
    expect(parseGoals([])).toEqual(DEFAULT_GOALS)
    expect(parseGoals(['errors=1%']).latencies).toEqual(DEFAULT_GOALS.latencies)
  })

  it.each([
    'p99',
    'p99=200',
    'p0=1ms',
    'p100=1ms',
    'p99=0ms',
    'errors=1',
    'errors=200%',
    'x=1ms',
    '',
  ])('refuse %j', (text) => {
    expect(() => parseGoals([text])).toThrow(HarnessError)
  })

  it('print times with the digits that matter', () => {
    expect([0.844, 15.44, 312.4, 1250].map(formatMs)).toEqual([
      '0.84 ms',
      '15.4 ms',
      '312 ms',
      '1,250 ms',
    ])
  })
})
