import { expect, test } from 'vitest'
import { PlanWatch } from './plan-watch.ts'

function watchOf(requests: number, micros = 10_000_000n): { said: string[]; watch: PlanWatch } {
  const said: string[] = []
  const watch = new PlanWatch(
    { requests, money: new Map([['USD', micros]]) },
    {
      onHazard: (text) => void said.push(text),
      onStop: (reason) => void said.push(`stop: ${reason}`),
    },
  )
  return { said, watch }
}

test('requests: half as much again is said once, twice as much ends the run once', () => {
  const { said, watch } = watchOf(1000)
  for (let sent = 0; sent < 1500; sent++) watch.sent()
  expect(said).toEqual([])
  for (let sent = 1500; sent < 2000; sent++) watch.sent()
  expect(said).toEqual([
    'The run has exceeded its plan by half (requests 1501; planned at most 1000).',
  ])
  for (let sent = 2000; sent < 2100; sent++) watch.sent()
  expect(said.slice(1)).toEqual([
    'stop: the run was stopped at twice its plan (requests 2001; planned at most 1000)',
  ])
})

test('a small plan may be off by a hundred requests', () => {
  const { said, watch } = watchOf(10)
  for (let sent = 0; sent < 110; sent++) watch.sent()
  expect(said).toEqual([])
  watch.sent()
  expect(said).toHaveLength(1)
})

test('money: the same, by currency; what was planned in none is not compared', () => {
  const { said, watch } = watchOf(1000)
  watch.sent(new Map([['USD', 15_000_000n]]))
  watch.sent(new Map([['EUR', 99_000_000n]]))
  expect(said).toEqual([])
  watch.sent(new Map([['USD', 15_010_000n]]))
  watch.sent(new Map([['USD', 20_000_001n]]))
  expect(said).toEqual([
    'The run has exceeded its plan by half (USD 15.01; planned at most 10.00).',
    'stop: the run was stopped at twice its plan (USD 20.000001; planned at most 10.00)',
  ])
})

test('money: what every declared order could cost ends no run, so that a race at a cap is judged', () => {
  const said: string[] = []
  const watch = new PlanWatch(
    {
      requests: 1000,
      money: new Map([['USD', 10_000_000n]]),
      moneyMax: new Map([['USD', 50_000_000n]]),
    },
    {
      onHazard: (text) => void said.push(text),
      onStop: (reason) => void said.push(`stop: ${reason}`),
    },
  )
  watch.sent(new Map([['USD', 50_000_000n]]))
  expect(said).toEqual([
    'The run has exceeded its plan by half (USD 50.00; planned at most 10.00).',
  ])
  watch.sent(new Map([['USD', 50_000_001n]]))
  expect(said[1]).toMatch(/^stop: /)
})

test('has room for more while neither requests nor money exceed the plan by half', () => {
  const { watch } = watchOf(1000)
  for (let sent = 0; sent < 1400; sent++) watch.sent()
  expect(watch.hasRoomFor(100, new Map([['USD', 15_000_000n]]))).toBe(true)
  expect(watch.hasRoomFor(101, new Map([['USD', 15_000_000n]]))).toBe(false)
  expect(watch.hasRoomFor(100, new Map([['USD', 15_000_001n]]))).toBe(false)
  expect(watch.hasRoomFor(100, new Map([['EUR', 1n]]))).toBe(false)
})
