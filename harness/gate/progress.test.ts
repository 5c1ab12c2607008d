import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { fitting, ProgressLine } from './progress.ts'

const LINE =
  '[ 15.8 s] mixed: 12 of 12 s · 32.0/s offered · p95 27 ms, 0 failed, 4 refused · 437 sent'

test.each([
  [200, LINE],
  [LINE.length, LINE],
  [
    LINE.length - 1,
    '[ 15.8 s] mixed: 12 of 12 s · 32.0/s offered · p95 27 ms, 0 failed, 4 refused',
  ],
  [66, '[ 15.8 s] mixed: 12 of 12 s · 32.0/s offered · p95 27 ms, 0 failed'],
  [40, '[ 15.8 s] mixed: 12 of 12 s'],
  [10, '[ 15.8 s] '],
])('in %d columns the first parts of a line are shown', (columns, shown) => {
  expect(fitting(LINE, columns)).toBe(shown)
})

test('a log gets the last status after its pause although nothing more happens', () => {
  vi.useFakeTimers()
  try {
    const stream = new PassThrough()
    const progress = new ProgressLine(stream as unknown as NodeJS.WriteStream)
    let ended = 0
    const status = (): string => `${ended} ended`
    progress.status(status)
    ended = 1
    progress.status(status)
    ended = 2
    vi.advanceTimersByTime(10_000)
    progress.status(status)
    progress.status(() => 'of a phase that is over')
    progress.phase('the next phase')
    vi.advanceTimersByTime(10_000)
    const lines = String(stream.read()).trim().split('\n')
    expect(lines.map((line) => line.replace(/^\[.*?\] +/, ''))).toEqual([
      '0 ended',
      '2 ended',
      '2 ended',
      'the next phase',
    ])
  } finally {
    vi.useRealTimers()
  }
})

test('a status is shown again, with the time, while nothing else happens, until the next phase', () => {
  vi.useFakeTimers()
  try {
    const stream = new PassThrough()
    const progress = new ProgressLine(stream as unknown as NodeJS.WriteStream)
    progress.status('20 waiting')
    vi.advanceTimersByTime(31_000)
    progress.phase('the next phase')
    vi.advanceTimersByTime(60_000)
    expect(String(stream.read()).trim().split('\n')).toEqual([
      '[  0.0 s]   20 waiting',
      '[ 15.0 s]   20 waiting',
      '[ 30.0 s]   20 waiting',
      '[ 31.0 s] the next phase',
    ])
  } finally {
    vi.useRealTimers()
  }
})
