import { expect, test } from 'vitest'
import { isExplained, judgeHistory, prepareHistory } from './limiter.ts'
import {
  answer,
  fixedAnchored,
  fixedLattice,
  leaking,
  seeded,
  slidingLog,
} from '../../test/support/limiter-simulator.ts'
import type { Attempt } from '../../test/support/limiter-simulator.ts'

function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)] as T
}

/** Bursts and pauses, for windows of a second. */
function attempts(random: () => number, count: number): Attempt[] {
  let nowMs = 1000 * random()
  return Array.from({ length: 12 * count }, () => {
    nowMs += random() < 1 / count ? 1500 * random() : 5 * random()
    const actedMs = nowMs + 20 * random()
    return { sentMs: nowMs, actedMs, receivedMs: actedMs + 20 * random(), key: 0 }
  })
}

test('whether a history is explained can be asked alone, of limits that explain it and of others', () => {
  const random = seeded(7)
  const answers = { yes: 0, no: 0 }
  for (let round = 0; round < 300; round++) {
    const count = 1 + Math.floor(random() * 10)
    const limiter = pick(random, [
      fixedLattice(count, 1000, 300),
      fixedAnchored(count, 1000),
      slidingLog(count, 1000),
      leaking(fixedAnchored(count, 1000), 0.1, random),
    ])
    const requests = answer(limiter, attempts(random, count))
    const prepared = prepareHistory({ requests, slackMs: pick(random, [0, 50]) })
    for (const other of [count, count + 1]) {
      const asked = {
        limit: { count: other, windowSeconds: 1 },
        history: pick(random, ['complete', 'partial'] as const),
      }
      const { explained } = judgeHistory(prepared, asked)
      expect(isExplained(prepared, asked)).toBe(explained)
      answers[explained ? 'yes' : 'no']++
    }
  }
  expect(Math.min(answers.yes, answers.no)).toBeGreaterThan(100)
})
