import { expect, test } from 'vitest'
import { overlaps, spreadMs, widest, type Span } from './overlap.ts'

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
