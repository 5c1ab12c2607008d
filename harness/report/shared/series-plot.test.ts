import { expect, test } from 'vitest'
import type { LoadSlice } from '../../../schemas/generated/run-record.ts'
import { seriesPlot } from './series-plot.ts'

const NONE = { count: 0, msP50: 0, msP95: 0, msP99: 0, msP999: 0, msMax: 0 }

function slice(fromSeconds: number, counts: Partial<LoadSlice> = {}): LoadSlice {
  const { offered = 10 } = counts
  return {
    fromSeconds,
    seconds: 2,
    offered,
    achieved: offered,
    admitted: offered,
    refused: 0,
    errors: 0,
    latency: { count: offered, msP50: 2, msP95: 5, msP99: 8, msP999: 9, msMax: 10 },
    ...counts,
  }
}

function pathsOf(text: string, className: string): string[] {
  return [...text.matchAll(new RegExp(`class="${className}" d="([^"]*)"`, 'g'))].map(
    (match) => match[1] ?? '',
  )
}

test('tells in words what it draws', () => {
  const { text } = seriesPlot([slice(0), slice(2, { refused: 4, errors: 1 })])
  expect(text).toContain(
    'Over 4 seconds 20 requests offered, 20 achieved, 4 refused, 1 with no answer, a 3xx or a 5xx; the longest latency was 10 ms.',
  )
})

test('rates are per second, whatever the length of a slice', () => {
  const short = seriesPlot([slice(0), { ...slice(2), seconds: 1, offered: 5, achieved: 5 }]).text
  // The second slice is half as long and has half as many: the line stays level.
  const [offered] = pathsOf(short, 'offered')
  const [, level] = /^M0 ([\d.]+)H\d+V([\d.]+)H10000$/.exec(offered ?? '') ?? []
  expect(offered).toBe(`M0 ${level}H6667V${level}H10000`)
})

test('what did not happen is not drawn', () => {
  const { text } = seriesPlot([slice(0), slice(2)])
  expect(pathsOf(text, 'refusals')).toEqual([])
  expect(pathsOf(text, 'losses')).toEqual([])
  expect(pathsOf(seriesPlot([slice(0, { refused: 1 })]).text, 'refusals')).toHaveLength(1)
})

test('the line of latencies is broken where nothing was admitted', () => {
  const series = [slice(0), slice(2, { latency: NONE, admitted: 0 }), slice(4)]
  const [line] = pathsOf(seriesPlot(series).text, 'latency-p50')
  expect(line?.match(/M/g)).toHaveLength(2)
})

test('an empty run is drawn without numbers that are none', () => {
  const { text } = seriesPlot([slice(0, { offered: 0, achieved: 0, admitted: 0, latency: NONE })])
  expect(text).not.toMatch(/NaN|Infinity/)
})

test('what a watched process took is drawn below, and broken where it was not seen', () => {
  const process = { processors: 0.5, memoryBytes: 64 << 20, connections: 12 }
  const seen = [slice(0, { process }), slice(2), slice(4, { process })]
  const { text } = seriesPlot(seen)
  const lines = pathsOf(text, 'process')
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(line.match(/M/g)).toHaveLength(2)
  for (const title of ['0.5 at most', '64 MiB at most', 'connections: 12 at most'])
    expect(text).toContain(title)
  expect(pathsOf(seriesPlot([slice(0)]).text, 'process')).toEqual([])
})

test('a goal is a line, and one of an operation has what it is about beside it', () => {
  const goal = { expected: '', observed: '', met: true, name: 'p99', limitMs: 200 }
  const overTime = [
    { fromSeconds: 0, seconds: 2, ms: 12 },
    { fromSeconds: 2, seconds: 2, ms: 2000 },
  ]
  const asked = [goal, { ...goal, operation: 'createOrder', overTime }]
  const { text } = seriesPlot([slice(0), slice(2)], asked)
  expect(text).toContain('goal p99 200 ms')
  expect(text).toContain('goal createOrder p99 200 ms')
  expect(pathsOf(text, 'goal-series')).toHaveLength(1)
  // The axis reaches as far as the operation does.
  expect(text).toContain('10,000 ms')
})
