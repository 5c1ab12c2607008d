import { expect, test } from 'vitest'
import { strangeIdLike } from './reading.ts'

test.each([
  ['ord-0a1', 'ord-0a6'],
  ['ord-0a9', 'ord-0a4'],
  ['0198f6aa-2bd1-7c3e-8f00-0123456789ab', '0198f6aa-2bd1-7c3e-8f00-0123456789aa'],
  ['ORDER_A', 'ORDER_B'],
  ['{ord/7}', '{ord/2}'],
  ['---', '---0'],
])('%s becomes another identifier of the same form', (orderId, other) => {
  expect(strangeIdLike(orderId)).toBe(other)
})
