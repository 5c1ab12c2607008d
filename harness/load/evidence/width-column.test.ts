import { expect, test } from 'vitest'
import { WidthColumn } from './width-column.ts'

test('counts come back as they were, in the narrowest kind that holds the largest', () => {
  const column = new WidthColumn()
  const counts: number[] = []
  const push = (count: number): void => {
    counts.push(count)
    column.push(count)
  }
  for (let number = 0; number < 3000; number++) push(number % 256)
  expect(column.values()).toEqual(Uint8Array.from(counts))
  push(256)
  push(0xffff)
  expect(column.values()).toEqual(Uint16Array.from(counts))
  push(0x10000)
  push(0xffffffff)
  for (let number = 0; number < 3000; number++) push(number)
  expect(column.values()).toEqual(Uint32Array.from(counts))
})

test('the first may be the widest', () => {
  const column = new WidthColumn()
  column.push(0xffffffff)
  column.push(1)
  expect(column.values()).toEqual(Uint32Array.of(0xffffffff, 1))
})
