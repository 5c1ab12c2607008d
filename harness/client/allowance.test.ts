import { expect, test } from 'vitest'
import { Allowance } from './allowance.ts'

const MIB = 1024 * 1024
const SHORT = 256 * 1024

test('a body is read to the bound, whatever comes before and after', () => {
  const allowance = new Allowance(10_000)
  expect([
    allowance.take(0, 4_000),
    allowance.take(4_000, 9_000),
    allowance.take(10_000, 1),
  ]).toEqual([4_000, 6_000, 0])
})

test('when long bodies have filled their room, the beginning of others is read, and short ones wholly', () => {
  const allowance = new Allowance(16 * MIB, 20 * MIB)
  for (let body = 0; body < 2; body++) expect(allowance.take(0, 12 * MIB)).toBe(12 * MIB)
  expect(allowance.take(0, 12 * MIB)).toBe(SHORT)
  expect(allowance.take(0, SHORT)).toBe(SHORT)
  expect(allowance.bytesMax).toBe(SHORT)
})

test('any number of short bodies takes no room', () => {
  const allowance = new Allowance(16 * MIB, MIB)
  for (let body = 0; body < 100; body++) allowance.take(0, SHORT)
  expect(allowance.bytesMax).toBe(16 * MIB)
})
