import { describe, expect, test } from 'vitest'
import type { WindowTrace } from '../../../schemas/generated/run-record.ts'
import { filteredWindow, LISTING_WINDOW } from '../../../test/report/sample-load.ts'
import { windowPlot } from './window-plot.ts'
import { scaleWindow, ticksFor } from './window-scale.ts'

function trace(points: WindowTrace['points'], change: Partial<WindowTrace> = {}): WindowTrace {
  return {
    partition: 'account a',
    bucket: 'orders.list',
    limit: { count: 2, windowSeconds: 1 },
    outcome: { mustAccept: points.length, mustRefuse: 0, ambiguous: 0, violations: 0 },
    points,
    ...change,
  }
}

describe('scaleWindow', () => {
  test('counts admitted requests per window and leaves the others uncounted', () => {
    const points: WindowTrace['points'] = [
      [100, 105, 200],
      [300, 305, 201],
      [400, 405, 429],
      [1_200, 1_205, 404],
      [1_300, 1_305, 0],
      [1_350, 1_360, 503],
    ]
    const scale = scaleWindow(trace(points, { edgesMs: [1_000] }))
    expect(scale.requests.map(({ outcome, window, nth }) => [outcome, window, nth])).toEqual([
      ['admitted', 0, 1],
      ['admitted', 0, 2],
      ['refused', 0, 0],
      ['open', 1, 0],
      ['open', 1, 0],
      ['open', 1, 0],
    ])
    expect(scale.admittedMax).toBe(2)
  })

  test('draws a request that spans the edge of a full window at that edge', () => {
    const points: WindowTrace['points'] = [
      [0, 5, 200],
      [10, 15, 200],
      [995, 1_010, 200],
    ]
    const [, , last] = scaleWindow(trace(points, { edgesMs: [1_000] })).requests
    expect(last).toEqual({ outcome: 'admitted', atMs: 1_000, window: 1, nth: 1 })
  })

  test('takes an empty history and a very long one', () => {
    expect(scaleWindow(trace([])).requests).toEqual([])
    const many = Array.from({ length: 200_000 }, (_, i): [number, number, number] => [
      i,
      i + 1,
      200,
    ])
    expect(scaleWindow(trace(many)).admittedMax).toBe(200_000)
  })
})

test('axis marks are round and few', () => {
  expect(ticksFor(8.6)).toEqual([0, 2, 4, 6, 8])
  expect(ticksFor(0.35)).toEqual([0, 0.1, 0.2, 0.1 * 3])
  for (const span of [0.001, 1, 59, 3_601, 1e9]) expect(ticksFor(span).length).toBeLessThan(8)
})

describe('windowPlot', () => {
  test('marks what lies beyond the budget where violations were judged, in words too', () => {
    const { text } = windowPlot(filteredWindow(3))
    expect(text).toContain('9 violations')
    expect(text).toMatch(/<path class="beyond" d="(?:M\d+ [\d.]+h0){9}"/)
  })

  test('marks nothing where none were judged', () => {
    const { text } = windowPlot(LISTING_WINDOW)
    expect(text).toContain('No violation')
    expect(text).not.toContain('class="beyond"')
  })

  test('describes itself to those who do not see it', () => {
    expect(windowPlot(LISTING_WINDOW).text).toMatch(
      /role="img" aria-label="14 requests over time against a budget of 2 per 6 s: 6 admitted, 8 refused, 0 with another/,
    )
  })

  test('says when edges are unknown, when points were thinned, when there are none', () => {
    expect(windowPlot(trace([[0, 1, 200]])).text).toContain('No window edge was found')
    const outcome = { mustAccept: 9, mustRefuse: 0, ambiguous: 0, violations: 0 }
    expect(windowPlot(trace([[0, 1, 200]], { outcome })).text).toContain(
      '1 of 9 requests are drawn',
    )
    expect(windowPlot(trace([])).text).toContain('No request was recorded')
  })

  test('says so when the drawing shows more than the judgement does', () => {
    const points: WindowTrace['points'] = [0, 10, 20].map((ms) => [ms, ms + 5, 200])
    expect(windowPlot(trace(points, { edgesMs: [900] })).text).toContain(
      'one estimate of the edges',
    )
  })

  test('keeps numbers finite whatever the times are', () => {
    const points: WindowTrace['points'] = [
      [-1e308, 1e308, 200],
      [1e308, 1e308, 429],
    ]
    expect(windowPlot(trace(points, { edgesMs: [0] })).text).not.toMatch(/NaN|Infinity/)
  })
})
