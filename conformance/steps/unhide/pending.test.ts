import { expect, test } from 'vitest'
import { delayMs, NO_EXPERIENCE } from './pending.ts'

const WINDOW_MS = 60_000

test('the first order, and those that finish quickly, are read at once', () => {
  expect(delayMs(NO_EXPERIENCE, WINDOW_MS)).toBe(0)
  const quick = { ...NO_EXPERIENCE, pendingMs: 10_000, finishedMs: 12_000 }
  expect(delayMs(quick, WINDOW_MS)).toBe(0)
})

test('where orders take most of a window they are read shortly before the end', () => {
  const slow = { ...NO_EXPERIENCE, pendingMs: 40_000, finishedMs: 50_000 }
  expect(delayMs(slow, WINDOW_MS)).toBe(48_500)
})

test('orders whose time varies are read earlier each time that one had finished, until all is read before', () => {
  const times = [50_000, 38_000, 46_000, 31_000, 35_000]
  const readsMs = 2_000
  const experience = { ...NO_EXPERIENCE, pendingMs: 48_000, finishedMs: 50_000, readsMs }
  const inTime = times.map((endMs) => {
    const startMs = delayMs(experience, WINDOW_MS)
    const isInTime = startMs + readsMs <= endMs
    const seenPendingMs = isInTime ? endMs - 1_000 : Infinity
    experience.pendingMs = Math.min(experience.pendingMs, seenPendingMs)
    experience.finishedMs = Math.min(experience.finishedMs, isInTime ? endMs : startMs)
    if (!isInTime) experience.late += 1
    return isInTime
  })
  expect(inTime.at(-1)).toBe(true)
})
