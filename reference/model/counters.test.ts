import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FixedWindows, SlidingLog, TokenBuckets } from './counters.ts'

const arrivals = fc.array(
  fc.record({ gapMs: fc.integer({ min: 0, max: 700 }), partition: fc.constantFrom('a', 'b') }),
  { maxLength: 60 },
)
const limits = fc.record({
  count: fc.integer({ min: 1, max: 5 }),
  windowSeconds: fc.constantFrom(0.5, 1, 2),
})

/** Counts what was admitted in each window by looking at all of them again each time. */
function naiveAligned(originMs: number): (partition: string, nowMs: number) => string {
  return (partition, nowMs) => `${partition} ${Math.floor(nowMs - originMs)}`
}

test('aligned windows agree with counting by window number', () => {
  fc.assert(
    fc.property(arrivals, limits, fc.integer({ min: 0, max: 999 }), (requests, limit, originMs) => {
      const counter = new FixedWindows('start', originMs)
      const windowMs = limit.windowSeconds * 1000
      const keyOf = naiveAligned(0)
      const admitted = new Map<string, number>()
      let nowMs = originMs
      for (const { gapMs, partition } of requests) {
        nowMs += gapMs
        const number = Math.floor((nowMs - originMs) / windowMs)
        const key = keyOf(partition, number)
        const before = admitted.get(key) ?? 0
        const waitMs = counter.take(partition, limit, nowMs)
        expect(waitMs === 0).toBe(before < limit.count)
        if (waitMs === 0) admitted.set(key, before + 1)
        else expect(nowMs + waitMs).toBe(originMs + (number + 1) * windowMs)
      }
    }),
  )
})

test('windows of the first request start with it and last their whole length', () => {
  fc.assert(
    fc.property(arrivals, limits, (requests, limit) => {
      const counter = new FixedWindows('first-request', 0)
      const windowMs = limit.windowSeconds * 1000
      const started = new Map<string, { atMs: number; count: number }>()
      let nowMs = 0
      for (const { gapMs, partition } of requests) {
        nowMs += gapMs
        let window = started.get(partition)
        if (window === undefined || nowMs - window.atMs >= windowMs)
          started.set(partition, (window = { atMs: nowMs, count: 0 }))
        const isAdmitted = counter.take(partition, limit, nowMs) === 0
        expect(isAdmitted).toBe(window.count < limit.count)
        if (isAdmitted) window.count++
      }
    }),
  )
})

test('what is given back can be taken again in the same window, and changes no later one', () => {
  const counter = new FixedWindows('start', 0)
  const limit = { count: 1, windowSeconds: 1 }
  expect(counter.take('a', limit, 0)).toBe(0)
  counter.giveBack('a', 10)
  expect(counter.take('a', limit, 20)).toBe(0)
  expect(counter.take('a', limit, 30)).toBe(970)
  counter.giveBack('a', 1500)
  expect(counter.take('a', limit, 1600)).toBe(0)
  expect(counter.take('a', limit, 1700)).toBe(300)
})

test.each(['epoch', 'start', 'first-request'] as const)(
  'ended windows are dropped: phase %s',
  (phase) => {
    const counter = new FixedWindows(phase, 0)
    const limit = { count: 1, windowSeconds: 1 }
    for (let index = 0; index < 100_000; index++) counter.take(`order ${index}`, limit, index)
    // A thousand windows live at a time; a sweep may leave one generation of ended ones behind.
    expect(counter.size).toBeLessThan(4_000)
  },
)

test('the counters of the faults are no fixed windows', () => {
  const limit = { count: 2, windowSeconds: 1 }
  for (const counter of [new SlidingLog(), new TokenBuckets()]) {
    expect(counter.take('a', limit, 900)).toBe(0)
    expect(counter.take('a', limit, 950)).toBe(0)
    expect(counter.take('a', limit, 1100)).toBeGreaterThan(0)
    counter.giveBack('a')
    expect(counter.take('a', limit, 1100)).toBe(0)
    expect(counter.size).toBe(1)
  }
})
