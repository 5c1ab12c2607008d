import { expect, test } from 'vitest'
import { hashOf } from './text-hash.ts'

test('texts that are alike are spread over all places', () => {
  const places = new Map<number, number>()
  for (let number = 0; number < 64 * 100; number++) {
    const hash = hashOf(`order-${number}`)
    expect(hash).toBe(hash >>> 0)
    places.set(hash % 64, (places.get(hash % 64) ?? 0) + 1)
  }
  expect(places.size).toBe(64)
  expect(Math.max(...places.values())).toBeLessThan(200)
})
