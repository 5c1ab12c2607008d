import { expect, test } from 'vitest'
import { baselineOptions } from './options.ts'

test('nothing given compares nothing', () => {
  expect(baselineOptions({})).toEqual({ repeats: 1 })
})

test('what is given is read', () => {
  const given = { repeats: '6', baseline: 'run.json', 'max-regression': '12.5%' }
  expect(baselineOptions(given)).toEqual({
    repeats: 6,
    baselineFile: 'run.json',
    regressionPercentMax: 12.5,
  })
})

test.each([
  [{ repeats: '0' }, '--repeats was "0"'],
  [{ repeats: 'many' }, '--repeats was "many"'],
  [{ repeats: '101' }, '--repeats was "101"'],
  [{ baseline: ' ' }, 'without a file'],
  [{ baseline: 'run.json', 'max-regression': '-1' }, '--max-regression was "-1"'],
  [{ 'max-regression': '10' }, 'without --baseline'],
])('%j is refused', (values, message) => {
  expect(() => baselineOptions(values)).toThrow(message)
})
