import { describe, expect, it } from 'vitest'
import { dueSeconds, keyIndexOf, mixOf, sessionsOf } from './arrival-schedule.ts'

const steady = [{ seconds: 10, fromPerSecond: 2, toPerSecond: 2 }]
const ramp = [{ seconds: 10, fromPerSecond: 0, toPerSecond: 4 }]

describe('arrival schedule', () => {
  it('starts as many sessions as the rate has area', () => {
    expect(sessionsOf(steady)).toBe(20)
    expect(sessionsOf(ramp)).toBe(20)
    expect(sessionsOf([...steady, ...ramp])).toBe(40)
    expect(sessionsOf([{ seconds: 3, fromPerSecond: 0.1, toPerSecond: 0.1 }])).toBe(0)
    expect(sessionsOf([])).toBe(0)
  })

  it('spaces an even rate evenly, from the middle of the first share', () => {
    expect([0, 1, 2, 19].map((index) => dueSeconds(steady, index))).toEqual([
      0.25, 0.75, 1.25, 9.75,
    ])
    expect(dueSeconds(steady, 20)).toBeUndefined()
  })

  it('follows a ramp up and down, through the stages', () => {
    const dueUp = dueSeconds(ramp, 9) as number
    // Area until t is 0.2 t².
    expect(0.2 * dueUp ** 2).toBeCloseTo(9.5, 9)
    const down = [...steady, { seconds: 10, fromPerSecond: 2, toPerSecond: 0 }]
    const dueDown = (dueSeconds(down, 29) as number) - 10
    expect(2 * dueDown - 0.1 * dueDown ** 2).toBeCloseTo(9.5, 9)
  })

  it('never goes back', () => {
    const stages = [...ramp, ...steady, { seconds: 5, fromPerSecond: 9, toPerSecond: 0 }]
    const due = Array.from({ length: sessionsOf(stages) }, (_, index) => dueSeconds(stages, index))
    expect(due).not.toContain(undefined)
    expect(due).toEqual((due as number[]).toSorted((a, b) => a - b))
  })
})

describe('the mix of a schedule', () => {
  const mix = [
    { kind: 'browse', weight: 7 },
    { kind: 'buyer', weight: 2 },
    { kind: 'shopper', weight: 1 },
  ] as const

  it('gives each kind its weight, spread over the turn', () => {
    const turn = mixOf(mix)
    expect(turn).toHaveLength(10)
    for (const { kind, weight } of mix)
      expect(turn.filter((each) => each === kind)).toHaveLength(weight)
    const [first, second] = [turn.indexOf('buyer'), turn.lastIndexOf('buyer')]
    expect(second - first).toBeGreaterThanOrEqual(4)
  })

  it('gives every key whole turns, one after the other', () => {
    const turn = mixOf(mix)
    const keys = Array.from({ length: 60 }, (_, index) => keyIndexOf(index, turn.length, 3))
    expect(keys.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 0))
    for (const key of [0, 1, 2]) {
      const kinds = keys.flatMap((each, index) => (each === key ? [turn[index % 10]] : []))
      expect(kinds.filter((kind) => kind === 'shopper')).toHaveLength(2)
    }
  })
})
