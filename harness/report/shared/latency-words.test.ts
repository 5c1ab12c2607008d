import { expect, test } from 'vitest'
import { latenciesOf } from '../../load/shared/latencies.ts'
import { answersText, goalName, goalSeen, goalVerdict, percentileTexts } from './latency-words.ts'

const ANSWERS = { admitted: 5, refused: 2, capped: 1, rejected: 0, serverErrors: 0, unanswered: 1 }

function textsOf(count: number): string[] {
  return percentileTexts(latenciesOf(Float64Array.from({ length: count }, (_, index) => index + 1)))
}

test('a percentile is shown only where it is not the maximum', () => {
  expect(textsOf(99)).toEqual(['50', '90', '95', '–', '–', '99'])
  expect(textsOf(1000)).toEqual(['500', '900', '950', '990', '999', '1,000'])
  const { msP90: _none, ...earlier } = latenciesOf(Float64Array.from({ length: 20 }, () => 4))
  expect(percentileTexts(earlier)).toEqual(['4', '–', '4', '–', '–', '4'])
})

test('answers that were not admitted are named with their number', () => {
  expect(answersText({ sent: 9, answers: ANSWERS } as Parameters<typeof answersText>[0])).toBe(
    '9 sent, 2 refused (429), 1 by the cap, 1 without an answer',
  )
})

test('a goal says what was measured, how sure that is, and why nothing follows', () => {
  const goal = {
    name: 'p99',
    operation: 'createOrder',
    expected: 'at most 200 ms',
    observed: '180 ms',
    samples: 400,
    met: false,
  }
  expect(goalName(goal)).toBe('createOrder p99 at most 200 ms')
  expect(goalVerdict(goal)).toBe('missed')
  const open = { ...goal, intervalMs: { low: 150 }, undecided: 'p99 needs 1,000 samples' }
  expect(goalVerdict(open)).toBe('undecided')
  expect(goalSeen(open)).toBe(
    '180 ms of 400 answers, 95 % interval from 150 ms up: p99 needs 1,000 samples',
  )
  expect(goalSeen({ ...goal, intervalMs: { low: 150, high: 210.5 } })).toBe(
    '180 ms of 400 answers, 95 % interval 150 to 211 ms',
  )
})
