import { describe, expect, test } from 'vitest'
import type { PlannedStream } from '../../load/protocol/plan.ts'
import { drillWindow } from '../../load/workload/window-drill.ts'
import { judgeLimiter } from './limiter.ts'
import type { LimiterVerdict, QuotaRequest } from './limiter.ts'
import {
  answer,
  fixedAnchored,
  fixedLattice,
  leaking,
  perKey,
  seeded,
  slidingCounter,
  slidingLog,
  tokenBucket,
} from '../../test/support/limiter-simulator.ts'
import type { Answered, Attempt, Limiter } from '../../test/support/limiter-simulator.ts'
import { parseRetryAfterSeconds } from '../retry-after.ts'

type Random = () => number

function at(sentMs: number, outcome: QuotaRequest['outcome'], retryAfter?: string): QuotaRequest {
  return { sentMs, receivedMs: sentMs + 1, outcome, retryAfter }
}

/** Four admitted at once. */
function admittedBurst(sentMs: number): QuotaRequest[] {
  return [0, 0, 0, 0].map(() => ({ sentMs, receivedMs: sentMs + 2, outcome: 'admitted' }))
}

function between(random: Random, low: number, high: number): number {
  return low + random() * (high - low)
}

function pick<T>(random: Random, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T
}

/** Bursts, pauses and trickles, with latencies between nothing and a tenth of a window. */
function randomAttempts(random: Random, count: number, windowMs: number): Attempt[] {
  const attempts: Attempt[] = []
  const latencyMs = windowMs * pick(random, [0, 0.001, 0.02, 0.1])
  let nowMs = between(random, 0, 5 * windowMs)
  for (let burst = 0; burst < 12; burst++) {
    const size = Math.floor(between(random, 1, 1.5 * count))
    const gapMs = pick(random, [0, 0.001, 0.05]) * windowMs
    for (let index = 0; index < size; index++) {
      const sentMs = nowMs
      const actedMs = sentMs + random() * latencyMs
      attempts.push({
        sentMs,
        actedMs,
        receivedMs: actedMs + random() * latencyMs,
        key: index % 2,
      })
      nowMs += gapMs * random()
    }
    nowMs += pick(random, [0, 0.1, 0.5, 1, 2.5]) * windowMs * random()
  }
  return attempts
}

/** A client that keeps asking, waits each Retry-After, and asks again. */
function obedientAttempts(limiter: Limiter, random: Random, windowMs: number): QuotaRequest[] {
  const history: QuotaRequest[] = []
  let nowMs = between(random, 0, windowMs)
  for (let index = 0; index < 60; index++) {
    const sentMs = nowMs
    const actedMs = sentMs + random() * 5
    const receivedMs = actedMs + random() * 5
    const [request] = answer(limiter, [{ sentMs, actedMs, receivedMs, key: 0 }])
    history.push(request as QuotaRequest)
    nowMs = receivedMs + (request?.retryAfter ? Number(request.retryAfter) * 1000 + 1 : 1)
  }
  return history
}

function plannedStream(count: number, windowSeconds: number): PlannedStream {
  return {
    name: 'simulated',
    method: 'GET',
    url: 'http://127.0.0.1/',
    headers: {},
    keyEnvs: ['A', 'B'],
    count,
    windowSeconds,
    parallel: Math.max(2, Math.min(20, Math.ceil(count / 20))),
    overBudget: 60,
    slackMs: 50,
    probeGapMs: Math.min(250, Math.max(10, windowSeconds * 20)),
    repeatsMax: 0,
    requestsMin: 0,
  }
}

/** The scenario's own pacing against a simulated limiter, two keys in turns. */
async function drill(limiter: Limiter, stream: PlannedStream, random: Random): Promise<Answered[]> {
  const history: Answered[] = []
  let nowMs = between(random, 0, 10 * 1000 * stream.windowSeconds)
  let sequence = 0
  await drillWindow(stream, {
    nowMs: () => nowMs,
    sleepMs: (milliseconds) => {
      nowMs += milliseconds + random()
    },
    send: (_phase, count) => {
      const sentMs = nowMs
      const receivedMs = sentMs + between(random, 1, 4)
      const attempts = Array.from({ length: count }, () => ({
        sentMs,
        actedMs: between(random, sentMs, receivedMs),
        receivedMs,
        key: sequence++ % 2,
      }))
      const answers = answer(limiter, attempts)
      history.push(...answers)
      nowMs = receivedMs + random()
      const admitted = answers.filter(({ outcome }) => outcome === 'admitted').length
      return { sentMs, receivedMs, admitted, refused: count - admitted, unanswered: 0 }
    },
  })
  return history
}

function complaints(verdict: LimiterVerdict): number {
  return (
    verdict.refusedWithinBudget.length +
    verdict.admittedOverBudget.length +
    verdict.retryAfter.tooEarly.length
  )
}

function conformingLimiter(random: Random, count: number, windowMs: number): Limiter {
  const rounding = pick(random, ['left', 'whole'] as const)
  return pick(random, [
    () => fixedLattice(count, windowMs, between(random, 0, windowMs), rounding),
    () => fixedAnchored(count, windowMs, rounding),
  ])()
}

describe('conforming limiters are never blamed', () => {
  test.each([
    { slackMs: 0, history: 'complete' as const },
    { slackMs: 50, history: 'complete' as const },
    { slackMs: 0, history: 'partial' as const },
    { slackMs: 50, history: 'partial' as const },
  ])('in 1500 random histories with $slackMs ms slack, $history', ({ slackMs, history }) => {
    for (let seed = 0; seed < 1500; seed++) {
      const random = seeded(seed)
      const count = pick(random, [1, 2, 5, 30])
      const windowMs = pick(random, [1000, 2000, 60_000])
      const limiter = conformingLimiter(random, count, windowMs)
      const all = answer(limiter, randomAttempts(random, count, windowMs))
      const requests = history === 'complete' ? all : all.slice(Math.floor(random() * all.length))
      const verdict = judgeLimiter({
        requests,
        limit: { count, windowSeconds: windowMs / 1000 },
        slackMs,
        history,
      })
      expect({ seed, complaints: complaints(verdict) }).toEqual({ seed, complaints: 0 })
    }
  })

  test('when two nodes see the edge up to 40 ms apart and the slack is 50 ms', () => {
    for (let seed = 0; seed < 500; seed++) {
      const random = seeded(seed)
      const limiter = fixedLattice(20, 2000, between(random, 0, 2000))
      const attempts = randomAttempts(random, 20, 2000).map((attempt) => ({
        ...attempt,
        skewMs: between(random, -20, 20),
      }))
      const verdict = judgeLimiter({
        requests: answer(limiter, attempts),
        limit: { count: 20, windowSeconds: 2 },
        slackMs: 50,
        history: 'complete',
      })
      expect({ seed, complaints: complaints(verdict) }).toEqual({ seed, complaints: 0 })
    }
  })

  test('when some answers are missing or are other refusals that may have been counted', () => {
    for (let seed = 0; seed < 500; seed++) {
      const random = seeded(seed)
      const limiter = conformingLimiter(random, 10, 2000)
      const requests = answer(limiter, randomAttempts(random, 10, 2000)).map((request) => {
        if (request.outcome === 'refused' || random() > 0.1) return request
        const outcome = pick(random, ['other', 'unknown'] as const)
        return { sentMs: request.sentMs, receivedMs: request.receivedMs, outcome }
      })
      const limit = { count: 10, windowSeconds: 2 }
      const verdict = judgeLimiter({ requests, limit, slackMs: 0, history: 'complete' })
      expect({ seed, complaints: complaints(verdict) }).toEqual({ seed, complaints: 0 })
    }
  })

  test('when every Retry-After is waited out', () => {
    for (let seed = 0; seed < 300; seed++) {
      const random = seeded(seed)
      const limiter = conformingLimiter(random, 5, 3000)
      const requests = obedientAttempts(limiter, random, 3000)
      const limit = { count: 5, windowSeconds: 3 }
      const verdict = judgeLimiter({ requests, limit, slackMs: 0, history: 'complete' })
      expect({ seed, complaints: complaints(verdict) }).toEqual({ seed, complaints: 0 })
    }
  })

  test.each([2, 20, 200])('when only one key of two is looked at, %i per window', async (count) => {
    for (let seed = 0; seed < 150; seed++) {
      const random = seeded(seed)
      const limiter = perKey(() => conformingLimiter(random, count, 1500))
      const both = await drill(limiter, plannedStream(count, 1.5), random)
      const requests = both.filter(({ key }) => key === 0)
      const limit = { count, windowSeconds: 1.5 }
      const verdict = judgeLimiter({ requests, limit, slackMs: 50, history: 'partial' })
      expect({ seed, complaints: complaints(verdict) }).toEqual({ seed, complaints: 0 })
    }
  })

  test.each([1, 2, 60, 1000])('in the scenario itself, %i per window', async (count) => {
    for (let seed = 0; seed < 60; seed++) {
      const random = seeded(seed)
      const stream = plannedStream(count, 4)
      const limiter = conformingLimiter(random, count, 4000)
      const verdict = judgeLimiter({
        requests: await drill(limiter, stream, random),
        limit: { count, windowSeconds: 4 },
        slackMs: 50,
        history: 'complete',
      })
      expect({ seed, complaints: complaints(verdict) }).toEqual({ seed, complaints: 0 })
      expect(verdict.counts.mustAccept, `seed ${seed}`).toBeGreaterThanOrEqual(count)
      expect(verdict.counts.mustRefuse, `seed ${seed}`).toBeGreaterThanOrEqual(40)
      expect(verdict.fullWindows, `seed ${seed}`).toBeGreaterThanOrEqual(1)
    }
  })
})

/** Wrong limiters that the scenario has to find, with the largest share of runs that may miss them. */
const WRONG: readonly {
  name: string
  make: (count: number, windowMs: number, random: Random) => Limiter
  missedShareMax?: number
  counts?: readonly number[]
}[] = [
  { name: 'N + 1', make: (count, w, random) => fixedLattice(count + 1, w, w * random()) },
  { name: 'N + 1, anchored', make: (count, w) => fixedAnchored(count + 1, w) },
  { name: 'N - 1', make: (count, w, random) => fixedLattice(count - 1, w, w * random()) },
  { name: 'N - 1, anchored', make: (count, w) => fixedAnchored(count - 1, w) },
  { name: 'sliding log', make: slidingLog },
  { name: 'sliding counter', make: slidingCounter },
  { name: 'token bucket', make: tokenBucket },
  {
    name: 'per key',
    make: (count, w, random) => perKey(() => fixedLattice(count, w, w * random())),
    missedShareMax: 0.05,
    counts: [10, 60, 200],
  },
  {
    name: 'per key, same lattice',
    make: (count, w) => perKey(() => fixedLattice(count, w, 0)),
    missedShareMax: 0.05,
    counts: [10, 60, 200],
  },
  {
    name: 'per key, anchored',
    make: (count, w) => perKey(() => fixedAnchored(count, w)),
    counts: [10, 60, 200],
  },
  {
    name: '5 % leak',
    make: (count, w, random) => leaking(fixedLattice(count, w, w * random()), 0.05, random),
    missedShareMax: 0.05,
  },
  {
    name: 'window 0.9 W',
    make: (count, w, random) => fixedLattice(count, 0.9 * w, w * random()),
    missedShareMax: 0.1,
  },
  {
    name: 'window 1.1 W',
    make: (count, w, random) => fixedLattice(count, 1.1 * w, w * random()),
    missedShareMax: 0.05,
  },
  { name: 'window 0.9 W, anchored', make: (count, w) => fixedAnchored(count, 0.9 * w) },
  { name: 'window 1.1 W, anchored', make: (count, w) => fixedAnchored(count, 1.1 * w) },
  { name: 'no limit', make: () => () => undefined },
  { name: 'refuses everything', make: () => () => 1 },
]

describe.each(['complete', 'partial'] as const)(
  'wrong limiters are found by the scenario, %s history',
  (history) => {
    const RUNS = 30
    test.each(WRONG)(
      '$name',
      async ({ name, make, missedShareMax = 0, counts = [2, 10, 60, 200] }) => {
        let missed = 0
        for (const count of counts) {
          for (let seed = 0; seed < RUNS; seed++) {
            const random = seeded(1000 + seed)
            const requests = await drill(make(count, 4000, random), plannedStream(count, 4), random)
            const limit = { count, windowSeconds: 4 }
            const verdict = judgeLimiter({ requests, limit, slackMs: 50, history })
            if (verdict.explained) missed++
          }
        }
        if (process.env['SHOW_POWER'])
          process.stderr.write(`${history}, ${name}: ${missed} of ${RUNS * counts.length} missed\n`)
        expect(missed / (RUNS * counts.length)).toBeLessThanOrEqual(missedShareMax)
      },
    )
  },
)

describe('labels and Retry-After', () => {
  const limit = { count: 2, windowSeconds: 10 }
  function judge(requests: QuotaRequest[]): LimiterVerdict {
    return judgeLimiter({ requests, limit, slackMs: 0, history: 'complete' })
  }

  test('a request within the budget had to be accepted, one beyond it to be refused', () => {
    const verdict = judge([at(0, 'admitted'), at(5, 'admitted'), at(10, 'refused', '10')])
    expect(verdict.explained).toBe(true)
    expect(verdict.labels.at(-1)).toBe('must-refuse')
    expect(verdict.labels.slice(0, 2)).toEqual(['must-accept', 'must-accept'])
  })

  test('more admitted at once than the budget is a violation although no single one shows it', () => {
    // One edge can divide one burst, not both, a quarter of a window apart.
    const verdict = judge([...admittedBurst(0), ...admittedBurst(2500)])
    expect(verdict.explained).toBe(false)
    expect(verdict.admittedOverBudget.length).toBeGreaterThanOrEqual(2)
  })

  test('a refusal after the promised wait, in the same window, is too early', () => {
    const verdict = judge([
      at(0, 'admitted'),
      at(2000, 'admitted'),
      at(3000, 'refused', '2'),
      at(5100, 'refused', '5'),
      at(5200, 'refused', '5'),
      at(10_500, 'admitted'),
    ])
    expect(verdict.explained).toBe(true)
    expect(verdict.retryAfter.tooEarly).toContainEqual({ refused: 2, retried: 3 })
  })

  test('a refusal after the promised wait is right when the next window was spent meanwhile', () => {
    const verdict = judge([
      at(0, 'admitted'),
      at(1, 'admitted'),
      at(9000, 'refused', '1'),
      at(10_002, 'admitted'),
      at(10_003, 'admitted'),
      at(10_004, 'refused', '10'),
    ])
    expect(verdict.explained).toBe(true)
    expect(verdict.retryAfter).toMatchObject({ retried: 1, tooEarly: [] })
  })

  test('a wait that is too long is no violation', () => {
    const verdict = judge([
      at(0, 'admitted'),
      at(1, 'admitted'),
      at(9000, 'refused', '60'),
      at(10_002, 'admitted'),
    ])
    expect(verdict).toMatchObject({ explained: true, retryAfter: { tooEarly: [] } })
  })

  test.each([undefined, '', '1.5', '-1', '1s', 'Wed, 21 Oct 2026 07:28:00 GMT'])(
    'Retry-After %j is malformed',
    (header) => expect(parseRetryAfterSeconds(header)).toBeUndefined(),
  )

  test('a Retry-After of 0 is a promise that a second refusal breaks', () => {
    const verdict = judge([
      at(0, 'admitted'),
      at(1, 'admitted'),
      at(2, 'refused', '0'),
      at(500, 'refused', '0'),
      at(900, 'refused', '0'),
    ])
    expect(verdict.retryAfter.tooEarly).toContainEqual({ refused: 2, retried: 3 })
  })

  test('whole seconds are read', () => {
    expect(parseRetryAfterSeconds('60')).toBe(60)
    expect(parseRetryAfterSeconds(' 7 ')).toBe(7)
  })

  test('questions without an answer are refused', () => {
    expect(() => judgeLimiter({ requests: [], limit, slackMs: 5000, history: 'complete' })).toThrow(
      'under half',
    )
    const backwards = { sentMs: 2, receivedMs: 1, outcome: 'admitted' as const }
    expect(() => judge([backwards])).toThrow('received before it was sent')
  })

  test('an empty history is explained and decides nothing', () => {
    expect(judge([])).toMatchObject({
      explained: true,
      counts: { mustAccept: 0, mustRefuse: 0, ambiguous: 0 },
    })
  })
})
