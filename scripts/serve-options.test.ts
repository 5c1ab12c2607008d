import { expect, test } from 'vitest'
import { readArguments, readLimits, readList, readPace, UsageError } from './serve-options.ts'

test('a variable gives what no flag does', () => {
  const env = { REFERENCE_PORT: '9000', REFERENCE_HOST: '0.0.0.0', REFERENCE_CONTROL_PORT: '' }
  const values = readArguments(['--port', '9001', '--platform-gift'], env)
  expect(values).toEqual({ port: '9001', host: '0.0.0.0', 'platform-gift': true })
})

test('a variable that is neither true nor false is refused', () => {
  expect(() => readArguments([], { REFERENCE_PLATFORM_GIFT: 'yes' })).toThrow(
    'Got REFERENCE_PLATFORM_GIFT=yes; expected true or false.',
  )
})

test('names come by commas, from a variable too', () => {
  expect(readList(readArguments([], { REFERENCE_FAULT: 'a,b' }).fault)).toEqual(['a', 'b'])
  expect(readList(readArguments(['--fault', 'c', '--fault', 'd'], {}).fault)).toEqual(['c', 'd'])
})

test('a single rule beats the length of all windows', () => {
  const values = readArguments(['--window-seconds', '2', '--limit', 'default=40/3'], {})
  const limits = readLimits(values)
  expect(limits?.default).toEqual({ count: 40, windowSeconds: 3 })
  expect(limits?.['orders.check']).toEqual({ count: 120, windowSeconds: 2 })
})

test('without any rule the limits are those of the interface', () => {
  expect(readLimits(readArguments([], {}))).toBeUndefined()
})

test.each(['default', 'default=40', 'nothing=1/2', 'orders.unhide.admission=1/2', 'default=a/2'])(
  'refuses the rule %s',
  (rule) => {
    const values = readArguments(['--limit', rule], {})
    expect(() => readLimits(values)).toThrow(UsageError)
  },
)

test('a pace needs both of its numbers', () => {
  const pace = readPace(readArguments(['--workers', '2', '--service-ms', '12.5'], {}))
  expect(pace).toEqual({ workers: 2, serviceMs: 12.5 })
  expect(readPace(readArguments([], {}))).toBeUndefined()
  expect(() => readPace(readArguments(['--workers', '2'], {}))).toThrow(UsageError)
})
