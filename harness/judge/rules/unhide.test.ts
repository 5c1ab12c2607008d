import { describe, expect, test } from 'vitest'
import {
  admissionOf,
  canAllHoldEdge,
  isBeyondEdges,
  unexplainedRefusals,
  unhideOutcomeOf,
  type UnhideRead,
} from './unhide.ts'

const BUDGETS = {
  pending: { count: 3, windowSeconds: 10 },
  completed: { count: 2, windowSeconds: 10 },
  admission: { count: 5, windowSeconds: 10 },
}

/** One read every 10 ms, each answered after 2 ms. */
function reads(outcomes: string, startMs = 0): UnhideRead[] {
  const names = { p: 'pending', c: 'completed', x: 'refused' } as const
  return outcomes.split('').map((letter, index) => ({
    sentMs: startMs + index * 10,
    receivedMs: startMs + index * 10 + 2,
    outcome: names[letter as keyof typeof names],
  }))
}

test.each([
  [12, 90, 2, 60, 14, 30],
  [60, 60, 1, 60, 61, 60],
  [6, 2, 1, 2, 7, 2],
  [3, 41, 2, 40, 5, 1],
  [3, 1.5, 2, 1, 5, 0.5],
])('admission of %d per %d s and %d per %d s is %d per %d s', (p, pw, c, cw, count, window) => {
  expect(admissionOf({ count: p, windowSeconds: pw }, { count: c, windowSeconds: cw })).toEqual({
    count,
    windowSeconds: window,
  })
})

describe('refusals', () => {
  test.each([
    ['pending spent', 'pppx', []],
    ['completed spent', 'ccx', []],
    ['admission spent by refusals', 'pppxxx', []],
    ['pending whole', 'ppx', [2]],
    ['completed whole', 'cx', [1]],
    ['a mix in which no budget is spent', 'ppcx', [3]],
    ['the first read', 'x', [0]],
    ['all admitted', 'ppp', []],
  ])('%s', (_, outcomes, expected) => {
    expect(unexplainedRefusals(reads(outcomes), BUDGETS, 50)).toEqual(expected)
  })

  test('what was spent a window ago explains nothing', () => {
    const history = [...reads('ppp'), ...reads('x', 10_200)]
    expect(unexplainedRefusals(history, BUDGETS, 50)).toEqual([3])
    expect(unexplainedRefusals([...reads('ppp'), ...reads('x', 10_100)], BUDGETS, 50)).toEqual([])
  })

  test('reads that overlap a refusal may have come first', () => {
    const together = reads('xppp').map((read) => ({ ...read, sentMs: 0, receivedMs: 50 }))
    expect(unexplainedRefusals(together, BUDGETS, 50)).toEqual([])
  })
})

function span(fromMs: number, toMs = fromMs + 100): { fromMs: number; toMs: number } {
  return { fromMs, toMs }
}

describe('a common edge', () => {
  test.each([
    ['one span always can', [span(0)], true],
    ['spans a window apart can', [span(0), span(10_050)], true],
    ['spans at other phases cannot', [span(0), span(3_000)], false],
    ['a span longer than a window is no obstacle', [span(0), span(3_000, 14_000)], true],
    ['three spans of which two agree cannot', [span(0), span(10_000), span(5_000)], false],
    ['nothing to explain', [], false],
  ])('%s', (_, spans, expected) => {
    expect(canAllHoldEdge(spans, 10_000, 50)).toBe(expected)
  })
})

describe('edges of several orders', () => {
  test.each([
    ['one long span may hold one', [span(0)], false],
    ['two short spans may, by chance', [span(0, 5), span(3_000, 3_005)], false],
    ['three short spans that share none cannot', [0, 3_000, 6_000].map((ms) => span(ms)), true],
    ['three that share one can', [0, 10_000, 20_000].map((ms) => span(ms)), false],
    ['three that are long may', [0, 3_000, 6_000].map((ms) => span(ms, ms + 1_000)), false],
    ['long spans may each hold one of their own', [span(0, 2_000), span(4_000, 6_000)], false],
    [
      'many long spans cannot',
      Array.from({ length: 6 }, (_, index) => span(2_500 * index, 2_500 * index + 2_000)),
      true,
    ],
  ])('%s', (_, spans, expected) => {
    expect(isBeyondEdges(spans, 10_000, 50)).toBe(expected)
  })
})

test.each([
  [429, [], 'refused'],
  [200, [], undefined],
  [404, [], undefined],
  [200, ['SHIPPED'], undefined],
  [200, ['IN_PROGRESS', 'SHIPPED'], undefined],
  [200, ['PARTIALLY_COMPLETED', 'IN_PROGRESS'], 'pending'],
  [200, ['PARTIALLY_COMPLETED', 'CANCELLED'], 'completed'],
  [200, ['SUCCESS'], 'completed'],
])('a read answered by %d with orders %j counts as %s', (status, statuses, outcome) => {
  expect(unhideOutcomeOf({ status }, statuses)).toBe(outcome)
})
