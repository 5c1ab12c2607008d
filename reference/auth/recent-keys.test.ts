import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RecentKeys } from './recent-keys.ts'

test('finds what it remembers last, and nothing under any other text', () => {
  const texts = fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.boolean()), { maxLength: 200 })
  fc.assert(
    fc.property(texts, (steps) => {
      const recent = new RecentKeys<string>()
      const remembered = new Set<string>()
      for (const [text, remembers] of steps) {
        if (remembers) {
          recent.remember(text, text)
          remembered.add(text)
          expect(recent.find(text)).toBe(text)
        } else expect([undefined, ...remembered]).toContain(recent.find(text))
        expect([undefined, text]).toContain(recent.find(text))
      }
    }),
  )
})

test('remembers so many only', () => {
  const recent = new RecentKeys<number>()
  for (let key = 0; key < 5000; key++) recent.remember(`key-${key}`, key)
  const found = Array.from({ length: 5000 }, (_, key) => recent.find(`key-${key}`))
  expect(found.filter((key) => key !== undefined).length).toBeLessThanOrEqual(256)
  expect(found.at(-1)).toBe(4999)
})
