import { expect, test } from 'vitest'
import { headerValue, indexOfHeader, pairsOf } from './headers.ts'

const headers = ['Host', 'a', 'X-API-Key', 'one', 'x-api-key', 'two', 'Origin', '']

test('a name does not distinguish case, and a value is never taken for one', () => {
  expect(headerValue(headers, 'x-API-key')).toBe('one')
  expect(indexOfHeader(headers, 'X-API-Key', 4)).toBe(4)
  expect(indexOfHeader(headers, 'X-API-Key', 6)).toBe(-1)
  expect(headerValue(headers, 'Origin')).toBe('')
  expect(headerValue(headers, 'two')).toBeUndefined()
})

test('pairs are the names with their values', () => {
  expect(pairsOf(headers).slice(1, 3)).toEqual([
    ['X-API-Key', 'one'],
    ['x-api-key', 'two'],
  ])
})
