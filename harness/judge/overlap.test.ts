import { expect, test } from 'vitest'
import {
  fastestMs,
  arriveTogether,
  mostWithin,
  overlaps,
  spreadMs,
  widest,
  type Span,
} from './overlap.ts'

const span = (sentAtMs: number, receivedAtMs: number): Span => ({ sentAtMs, receivedAtMs })

test.each([
  [span(0, 5), span(3, 8), true],
  [span(0, 5), span(1, 2), true],
  [span(0, 5), span(5, 9), true],
  [span(0, 5), span(0, 0), true],
  [span(0, 5), span(6, 9), false],
  [span(3, 3), span(3, 3), false],
])('%j and %j overlap: %j', (a, b, expected) => {
  expect(overlaps(a, b)).toBe(expected)
  expect(overlaps(b, a)).toBe(expected)
})

test('counts the most that were under way at once, and how far apart they were sent', () => {
  const spans = [span(0, 10), span(2, 4), span(4, 6), span(7, 9)]
  expect(widest(spans)).toBe(3)
  expect(spreadMs(spans)).toBe(7)
  expect(widest([])).toBe(0)
  expect(spreadMs([])).toBe(0)
})

test('counts the most that were sent within a time, its end not included', () => {
  const spans = [span(0, 9), span(7, 8), span(3, 8), span(5, 8), span(20, 30)]
  expect(mostWithin(spans, 5)).toBe(3)
  expect(mostWithin(spans, 4)).toBe(2)
  expect(mostWithin(spans, 100)).toBe(5)
  expect(mostWithin(spans, 0)).toBe(0)
  expect(mostWithin([], 5)).toBe(0)
})

const sentAt = (...ms: number[]): Span[] => ms.map((each) => span(each, each + 50))

test.each([
  ['all within the time of the fastest', sentAt(0, 1, 2, 3), 5, true],
  ['half of them', sentAt(0, 1, 20, 40), 5, true],
  ['fewer than half, although all were under way at once', sentAt(0, 10, 20, 30), 5, false],
  ['more than half of an odd number', sentAt(0, 1, 2, 20, 40), 5, true],
  ['a lone request', sentAt(0), 5, false],
  ['one of two', sentAt(0, 6), 5, false],
  ['no request', [], 5, false],
  ['no time to go by', sentAt(0, 0, 0), 0, false],
])('requests arrived together or not: %s', (_, spans, ms, isTogether) => {
  expect(arriveTogether(spans, ms)).toBe(isTogether)
})

test('knows the time of the fastest', () => {
  expect(fastestMs([span(0, 9), span(3, 5)])).toBe(2)
  expect(fastestMs([])).toBe(0)
})
