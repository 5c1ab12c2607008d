import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layOutJson } from './json-layout.ts'

test('lays out by structure and keeps every token as it came', () => {
  const body = '{"price":1.00,"price":1e2,"list":[],"o":{},"text":"a, {b}: \\"c\\"","n":[1,null]}'
  expect(layOutJson(body)).toBe(
    [
      '{',
      '  "price": 1.00,',
      '  "price": 1e2,',
      '  "list": [],',
      '  "o": {},',
      '  "text": "a, {b}: \\"c\\"",',
      '  "n": [',
      '    1,',
      '    null',
      '  ]',
      '}',
    ].join('\n'),
  )
})

test.for(['', 'plain', '"text"', '12', '{"cut":', '<html>'])('leaves %j as it is', (text) => {
  expect(layOutJson(text)).toBe(text)
})

test('agrees with the layout of JSON.stringify for any value', () => {
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.object()), (value) => {
      const text = JSON.stringify(value)
      expect(layOutJson(text)).toBe(JSON.stringify(JSON.parse(text), null, 2))
    }),
  )
})
