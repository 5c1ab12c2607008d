import { expect, test } from 'vitest'
import { clip } from './describe.ts'

test('a short text stays whole', () => {
  expect(clip('{"pin":"AB12"}', 14)).toBe('{"pin":"AB12"}')
})

test('a JSON text is cut before a value, so that no half of a code is left', () => {
  expect(clip('{"orderId":"o-1","pin":"AB12-CD34-EF56","more":true}', 30)).toBe(
    '{"orderId":"o-1",… and 35 more characters',
  )
})

test('a text without any boundary is cut where it is full', () => {
  expect(clip('abcdefghij', 4)).toBe('abcd… and 6 more characters')
})
