import { expect, test } from 'vitest'
import { fitting } from './progress.ts'

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
