import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Identifiers } from './identifiers.ts'

const word = fc.integer({ min: 0, max: 2 ** 32 - 1 })

test('identifiers and codes have the shapes that clients were given', () => {
  fc.assert(
    fc.property(word, word, fc.nat({ max: 1000 }), (seed, serial, index) => {
      const identifiers = new Identifiers(seed)
      expect(identifiers.orderId(serial)).toMatch(/^ord-[\da-f]{16}$/)
      expect(identifiers.traceId()).toMatch(/^[\da-f]{32}$/)
      expect(identifiers.code(serial, index)).toMatch(/^([A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/)
      for (const length of [1, 9, 10, 12, 17, 18])
        expect(identifiers.digits(serial, index, length)).toMatch(
          new RegExp(String.raw`^\d{${length}}$`),
        )
    }),
  )
})

/** They stand in recorded runs: a change of them is a change of the service. */
test('the same seed and serial number give the same texts as ever', () => {
  const identifiers = new Identifiers(7)
  expect([
    identifiers.orderId(1),
    identifiers.code(1, 0),
    identifiers.digits(1, 0, 17),
    identifiers.traceId(),
  ]).toMatchInlineSnapshot(`
    [
      "ord-2845abf0704d4c37",
      "4A34-D56J-338B-RPRL",
      "63420583441945050",
      "ce3d0641e0f1c92bf5def35b00000001",
    ]
  `)
})
