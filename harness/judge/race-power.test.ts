import { expect, test } from 'vitest'
import { seeded } from '../../test/support/limiter-simulator.ts'
import { powerOf, powerText, burstsFor } from './race-power.ts'

test.each([
  [0, 0],
  [1, 0.5],
  [5, 0.96875],
])('%d bursts find a service that goes wrong in every second one with %d', (bursts, power) => {
  expect(powerOf(bursts)).toBe(power)
})

test('takes as many bursts as the power asks for, and not one more', () => {
  expect(burstsFor()).toBe(5)
  for (const power of [0.5, 0.9, 0.99])
    for (const chance of [0.1, 0.5, 0.87]) {
      const bursts = burstsFor(power, chance)
      expect(powerOf(bursts, chance)).toBeGreaterThanOrEqual(power)
      expect(powerOf(bursts - 1, chance)).toBeLessThan(power)
    }
})

test('is what simulated services show', () => {
  const random = seeded(1)
  const services = 20_000
  let found = 0
  for (let service = 0; service < services; service++)
    if (Array.from({ length: 5 }, random).some((draw) => draw < 0.5)) found += 1
  expect(found / services).toBeCloseTo(powerOf(5), 2)
})

test('says what bursts are worth', () => {
  expect(powerText(2)).toBe(
    '2 bursts overlapped; so many find a service that goes wrong in every second burst with a probability of 75.0 %',
  )
})
