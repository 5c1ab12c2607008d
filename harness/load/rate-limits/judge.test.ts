import type { Evidence, RefusalMessages } from './import.ts'
import { describe, expect, test } from 'vitest'
import { drillWindow } from '../../../load/workload/window-drill.ts'
import {
  answer,
  fixedAnchored,
  fixedLattice,
  leaking,
  seeded,
  slidingCounter,
  slidingLog,
  tokenBucket,
} from '../../../test/support/limiter-simulator.ts'
import type { Limiter } from '../../../test/support/limiter-simulator.ts'
import type { LoadResult } from '../../../schemas/generated/run-record.ts'
import { wholeRun } from '../../../test/support/whole-run.ts'
import { judgeLoad } from './judge.ts'
import { planLoad } from './plan.ts'
import type { LoadStream } from './plan.ts'
import type { K6Run } from '../evidence/k6-run.ts'
import { listOf, samplesFrom, type LoadSample } from '../../../test/support/samples.ts'

const LIMIT = { count: 40, windowSeconds: 4 }

const STREAM: LoadStream = {
  name: 'services',
  bucket: 'default',
  partition: 'account a services',
  limit: LIMIT,
  method: 'GET',
  path: '/api/v1/services',
  keys: [{ role: 'full', env: 'KEY', secret: 'secret', account: 'a' }],
}

const PLAN = planLoad('rate-limit-windows', { baseUrl: 'http://127.0.0.1:1', timing: 'strict' }, [
  STREAM,
])

/** Nothing is answered in between; where the machine halts, nobody wakes up either. */
type Halt = { readonly fromMs: number; readonly toMs: number; readonly ofMachine?: true }

type Surroundings = {
  readonly halt?: Halt
  readonly plan?: typeof PLAN
  readonly latencyMs?: number
}

/** What k6 would record of the scenario against a simulated limiter. */
async function record(
  limiter: Limiter,
  { halt, plan = PLAN, latencyMs = 2 }: Surroundings = {},
): Promise<K6Run<Evidence>> {
  const random = seeded(3)
  const samples: LoadSample[] = []
  const keys = plan.streams[0]?.keys.length ?? 1
  let nowMs = 500
  const [planned] = plan.file.streams
  const end = await drillWindow(planned as NonNullable<typeof planned>, {
    nowMs: () => nowMs,
    sleepMs: (milliseconds) => {
      nowMs += milliseconds
      if (halt?.ofMachine && nowMs >= halt.fromMs && nowMs < halt.toMs) nowMs = halt.toMs
    },
    send: (phase, count) => {
      const sentMs = nowMs
      const isHalted = halt && sentMs >= halt.fromMs && sentMs < halt.toMs
      const receivedMs = (isHalted ? halt.toMs : sentMs) + latencyMs
      const attempts = Array.from({ length: count }, () => ({
        sentMs,
        receivedMs,
        actedMs: receivedMs - latencyMs * random(),
        key: 0,
      }))
      const answers = answer(limiter, attempts)
      for (const { outcome, retryAfter } of answers)
        samples.push({
          key: samples.length % keys,
          phase,
          sentMs,
          receivedMs,
          ...(outcome === 'admitted' ? { status: 200 } : { status: 429, code: 8, retryAfter }),
        })
      nowMs = receivedMs
      const admitted = answers.filter(({ outcome }) => outcome === 'admitted').length
      return { sentMs, receivedMs, admitted, refused: count - admitted, unanswered: 0 }
    },
  })
  return { ...wholeRun(), evidence: { streams: [{ samples: samplesFrom(samples), end }] } }
}

const RIGHT = await record(fixedLattice(LIMIT.count, 4000, 700))

function judge(run: K6Run<Evidence>): LoadResult {
  return judgeLoad(PLAN, run, '2.2.0')
}

function withSamples(change: (sample: LoadSample) => LoadSample): K6Run<Evidence> {
  const [stream] = RIGHT.evidence.streams
  const samples = samplesFrom(listOf(stream?.samples).map(change))
  return { ...RIGHT, evidence: { streams: [{ ...stream, samples }] } }
}

function failures(result: LoadResult): string[] {
  return result.findings
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ requirement }) => requirement)
}

describe('a scenario passes', () => {
  test('when fixed windows explain everything that was sent', () => {
    const result = judge(RIGHT)
    expect(result.verdict).toBe('pass')
    expect(result.requests.sent).toBeGreaterThanOrEqual(result.requests.planned)
    expect(result.requests.admitted + result.requests.refused).toBe(result.requests.sent)
    const [window] = result.windows
    expect(window?.outcome.violations).toBe(0)
    expect(window?.edgesMs?.length).toBeGreaterThanOrEqual(2)
    expect(window?.points.length).toBeLessThanOrEqual(600)
  })
})

/** A halt that begins anywhere in the time that an undisturbed drill takes. */
const HALTS = Array.from({ length: 50 }, (_, index) => 500 + 200 * index)

async function undecided(haltMs: number, plan: typeof PLAN, limiter: () => Limiter) {
  const verdicts = await Promise.all(
    HALTS.map(async (fromMs) => {
      const run = await record(limiter(), { halt: { fromMs, toMs: fromMs + haltMs }, plan })
      return judgeLoad(plan, run, '2.2.0').verdict
    }),
  )
  return HALTS.filter((_, index) => verdicts[index] === 'inconclusive').length
}

describe('a service or a machine that halts for a moment', () => {
  const once = {
    ...PLAN,
    file: { ...PLAN.file, streams: PLAN.file.streams.map((each) => ({ ...each, repeatsMax: 0 })) },
  }

  test.each([
    ['windows by the clock', () => fixedLattice(LIMIT.count, 4000, 700)],
    ['windows from the first request', () => fixedAnchored(LIMIT.count, 4000)],
  ])('leaves no run open, with %s, for its edges are spent around again', async (_, limiter) => {
    expect(await undecided(600, once, limiter)).toBeGreaterThan(0)
    expect(await undecided(600, PLAN, limiter)).toBe(0)
    expect(await undecided(3000, PLAN, limiter)).toBe(0)
  })
})

describe('a service that answers slowly, of short windows', () => {
  const limit = { count: 24, windowSeconds: 4 }
  const plan = planLoad(
    'rate-limit-windows',
    { baseUrl: 'http://127.0.0.1:1', timing: 'partner' },
    [{ ...STREAM, limit }],
  )

  test.each([
    ['windows by the clock', fixedLattice(limit.count, 4000, 700)],
    ['windows from the first request', fixedAnchored(limit.count, 4000)],
  ])('leaves no run open, with %s, for more is sent at once', async (_, limiter) => {
    const run = await record(limiter, { plan, latencyMs: 150 })
    expect(judgeLoad(plan, run, '2.2.0').verdict).toBe('pass')
  })

  test('is found to admit one too many', async () => {
    const run = await record(fixedLattice(limit.count + 1, 4000, 700), { plan, latencyMs: 150 })
    expect(failures(judgeLoad(plan, run, '2.2.0'))).toContain('RATE-02')
  })
})

test('a window that admits one too many is called that, not a budget of each key, wherever a halt of the machine blurs it', async () => {
  const limit = { count: 20, windowSeconds: 3 }
  const [key] = STREAM.keys
  const keys = [key, { ...key, role: 'sibling', secret: 'second' }] as LoadStream['keys']
  const plan = planLoad(
    'rate-limit-windows',
    { baseUrl: 'http://127.0.0.1:1', timing: 'partner' },
    [{ ...STREAM, limit, keys }],
  )
  const blamed = await Promise.all(
    HALTS.flatMap((fromMs) =>
      [700, 1700, 2900].map(async (haltMs) => {
        const halt = { fromMs, toMs: fromMs + haltMs, ofMachine: true } as const
        const limiter = fixedLattice(limit.count + 1, 3000, 700)
        return failures(
          judgeLoad(plan, await record(limiter, { halt, plan, latencyMs: 150 }), '2.2.0'),
        ).join(' ')
      }),
    ),
  )
  expect(new Set(blamed)).toEqual(new Set(['RATE-02', '']))
})

describe('a scenario fails', () => {
  test.each<[string, Limiter, string[]]>([
    ['one too many', fixedLattice(LIMIT.count + 1, 4000, 700), ['RATE-02']],
    ['one too many, from the first request', fixedAnchored(LIMIT.count + 1, 4000), ['RATE-02']],
    ['one too few', fixedLattice(LIMIT.count - 1, 4000, 700), ['RATE-01']],
    ['one too few, from the first request', fixedAnchored(LIMIT.count - 1, 4000), ['RATE-01']],
    ['half the budget', fixedLattice(LIMIT.count / 2, 4000, 700), ['RATE-01']],
    ['a leak', leaking(fixedLattice(LIMIT.count, 4000, 700), 0.05, seeded(9)), ['RATE-02']],
    ['no limit at all', () => undefined, ['RATE-02']],
    ['nothing admitted', () => 1, ['RATE-01']],
    ['a sliding log', slidingLog(LIMIT.count, 4000), ['RATE-03']],
    ['a sliding counter', slidingCounter(LIMIT.count, 4000), ['RATE-03']],
    ['a token bucket', tokenBucket(LIMIT.count, 4000), ['RATE-03']],
    ['windows that are too long', fixedLattice(LIMIT.count, 4400, 700), ['RATE-03']],
  ])('for %s', async (_, limiter, requirements) => {
    const result = judge(await record(limiter))
    expect(result.verdict).toBe('fail')
    expect(failures(result), result.reason).toEqual(requirements)
    expect(result.windows[0]?.outcome.violations).toBeGreaterThan(0)
  })

  test.each([
    ['another statusCode', { code: 7 }, 'RATE-05'],
    ['a Retry-After that is a date', { retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT' }, 'RATE-07'],
    ['a Retry-After of nothing', { retryAfter: '0' }, 'RATE-08'],
  ])('for %s', (_, change, requirement) => {
    const result = judge(
      withSamples((sample) => (sample.status === 429 ? { ...sample, ...change } : sample)),
    )
    expect(failures(result)).toEqual([requirement])
  })

  test('for a 429 without Retry-After', () => {
    const bare = withSamples((sample) => {
      const { retryAfter, ...rest } = sample
      return retryAfter === undefined ? sample : rest
    })
    const result = judge(bare)
    expect(failures(result)).toEqual(['RATE-06'])
  })

  test('for a promise that is too short', () => {
    const shortened = withSamples((sample) =>
      sample.status === 429 ? { ...sample, retryAfter: '1' } : sample,
    )
    expect(failures(judge(shortened))).toEqual(['RATE-08'])
  })

  test('for another status than 429 now and then', () => {
    let refusals = 0
    const result = judge(
      withSamples((sample) =>
        sample.status === 429 && ++refusals % 4 === 0 ? { ...sample, status: 503 } : sample,
      ),
    )
    expect(failures(result)).toEqual(['RATE-04'])
    expect(result.requests.failed).toBe(Math.floor(refusals / 4))
  })
})

describe('a scenario is inconclusive, and nothing in it a pass,', () => {
  const [stream] = RIGHT.evidence.streams
  const half = samplesFrom(listOf(stream?.samples).slice(0, 60))

  test.each<[string, Partial<K6Run<Evidence>>, string]>([
    ['when the clock was set', { clockStepMs: 900 }, "The machine's clock was set by 900 ms"],
    ['when k6 was stopped', { stopped: 'timed out' }, 'took longer than planned'],
    ['when a threshold was crossed', { thresholdsCrossed: ['x: count>=3'] }, 'x: count>=3'],
    [
      'when nothing was sent',
      { evidence: { streams: [{ samples: samplesFrom([]) }] } },
      'no request was sent',
    ],
    [
      'when it came to no end',
      { evidence: { streams: [{ samples: half }] } },
      'k6 stopped before the end',
    ],
    [
      'when too little was sent',
      { evidence: { streams: [{ samples: half, end: 'done' }] } },
      'were certain to be',
    ],
  ])('%s', (_, change, reason) => {
    const result = judge({ ...RIGHT, ...change })
    expect(result.verdict).toBe('inconclusive')
    expect(result.reason).toContain(reason)
    expect(result.findings.filter(({ verdict }) => verdict === 'pass')).toEqual([])
  })

  test('when the target answers neither with success nor with 429', () => {
    const result = judge(withSamples((sample) => ({ ...sample, status: 404 })))
    expect(result.verdict).toBe('inconclusive')
    expect(result.reason).toContain('HTTP 404')
  })
})

test('early refusals of checks say nothing of their bucket where some do not name it', () => {
  const plan = planLoad('rate-limit-windows', { baseUrl: 'http://127.0.0.1:1', timing: 'strict' }, [
    { ...STREAM, bucket: 'orders.check' },
  ])
  let admitted = 0
  const { evidence } = withSamples((sample) =>
    sample.status === 200 && sample.phase === 'edge' && ++admitted === 3
      ? { ...sample, status: 429, code: 8, retryAfter: '2' }
      : sample,
  )
  const failuresWith = (messages: RefusalMessages): string[] => {
    const streams = evidence.streams.map((each) => ({ ...each, messages }))
    return failures(judgeLoad(plan, { ...RIGHT, evidence: { streams } }, '2.2.0'))
  }
  expect(failuresWith({ named: 90, unnamed: 1 })).toEqual([])
  expect(failuresWith({ named: 91, unnamed: 0 })).toEqual(['RATE-03'])
})
