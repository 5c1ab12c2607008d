import { expect, test } from 'vitest'
import { Allowance } from './allowance.ts'

const MIB = 1024 * 1024
const SHORT = 256 * 1024
const SMALL = 16 * 1024

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

test('when bodies that are neither small nor long have filled their room, the beginning of others is read', () => {
  const allowance = new Allowance(16 * MIB, 20 * MIB, MIB)
  for (let body = 0; body < 8; body++) expect(allowance.take(0, 128 * 1024)).toBe(128 * 1024)
  expect(allowance.take(0, 128 * 1024)).toBe(SMALL)
  expect(allowance.take(0, SMALL)).toBe(SMALL)
})

test('what bodies of middle length are unpacked to takes room, too', () => {
  const allowance = new Allowance(16 * MIB, 20 * MIB, MIB)
  for (let body = 0; body < 8; body++) allowance.keep(128 * 1024)
  expect(allowance.bytesMax).toBe(SMALL)
})

test('any number of small bodies takes no room', () => {
  const allowance = new Allowance(16 * MIB, MIB, MIB)
  for (let body = 0; body < 100; body++) allowance.take(0, SMALL)
  expect(allowance.bytesMax).toBe(16 * MIB)
})
