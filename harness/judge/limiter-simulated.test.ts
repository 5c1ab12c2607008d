/** The limiter oracle against simulated limiters: right ones are never blamed, wrong ones are found. */
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

type Random = () => number

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

/** Judges the answers of a right limiter: nothing is held against it. */
function expectBlameless(
  seed: number,
  question: Parameters<typeof judgeLimiter>[0],
): LimiterVerdict {
  const verdict = judgeLimiter(question)
  const { refusedWithinBudget, admittedOverBudget, retryAfter } = verdict
  const complaints = [...refusedWithinBudget, ...admittedOverBudget, ...retryAfter.tooEarly]
  expect({ seed, complaints: complaints.length }).toEqual({ seed, complaints: 0 })
  return verdict
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
      expectBlameless(seed, {
        requests,
        limit: { count, windowSeconds: windowMs / 1000 },
        slackMs,
        history,
      })
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
      expectBlameless(seed, {
        requests: answer(limiter, attempts),
        limit: { count: 20, windowSeconds: 2 },
        slackMs: 50,
        history: 'complete',
      })
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
      expectBlameless(seed, { requests, limit, slackMs: 0, history: 'complete' })
    }
  })

  test('when every Retry-After is waited out', () => {
    for (let seed = 0; seed < 300; seed++) {
      const random = seeded(seed)
      const limiter = conformingLimiter(random, 5, 3000)
      const requests = obedientAttempts(limiter, random, 3000)
      const limit = { count: 5, windowSeconds: 3 }
      expectBlameless(seed, { requests, limit, slackMs: 0, history: 'complete' })
    }
  })

  test.each([2, 20, 200])('when only one key of two is looked at, %i per window', async (count) => {
    for (let seed = 0; seed < 150; seed++) {
      const random = seeded(seed)
      const limiter = perKey(() => conformingLimiter(random, count, 1500))
      const both = await drill(limiter, plannedStream(count, 1.5), random)
      const requests = both.filter(({ key }) => key === 0)
      const limit = { count, windowSeconds: 1.5 }
      expectBlameless(seed, { requests, limit, slackMs: 50, history: 'partial' })
    }
  })

  test.each([1, 2, 60, 1000])('in the scenario itself, %i per window', async (count) => {
    for (let seed = 0; seed < 60; seed++) {
      const random = seeded(seed)
      const stream = plannedStream(count, 4)
      const limiter = conformingLimiter(random, count, 4000)
      const verdict = expectBlameless(seed, {
        requests: await drill(limiter, stream, random),
        limit: { count, windowSeconds: 4 },
        slackMs: 50,
        history: 'complete',
      })
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
