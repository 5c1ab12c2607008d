import { expect, it } from 'vitest'
import { secondsIn } from './seconds.ts'

it.each([
  [60, 60],
  ['60', 60],
  ['0.5', 0.5],
  ['60s', 60],
  ['1m0s', 60],
  ['1h0m0s', 3600],
  ['500ms', 0.5],
  ['1 minute', 60],
  ['90 seconds', 90],
  ['PT1M', 60],
  ['PT1M30S', 90],
  ['P1DT1H', 90_000],
  ['00:01:00', 60],
])('reads %j', (value, seconds) => {
  expect(secondsIn(value)).toBe(seconds)
})

it('reads plain numbers in the given unit', () => {
  expect(secondsIn(60_000, 'milliseconds')).toBe(60)
  expect(secondsIn('1500', 'milliseconds')).toBe(1.5)
  expect(secondsIn('1m', 'milliseconds')).toBe(60)
})

it.each([null, undefined, '', 'P', 'PT', 'minute', '60 requests', '1m0', {}, '9'.repeat(50)])(
  'takes %j for no time',
  (value) => {
    expect(secondsIn(value)).toBeUndefined()
  },
)
