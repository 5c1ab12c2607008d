import { expect, test } from 'vitest'
import type { Call } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'
import { VirtualClock } from '../../test/support/virtual-clock.ts'
import { Courtesy, shareOf, Withheld, type CourtesyOptions } from './courtesy.ts'
import { NO_QUOTA } from './turn-first.ts'

const CALL = { operation: 'listServices' } as Call

function answer(status: number, headers: [string, string][] = []): Exchange {
  return { response: { status, headers } } as unknown as Exchange
}

function courtesyOf(options: Partial<CourtesyOptions> = {}): {
  clock: VirtualClock
  said: string[]
  courtesy: Courtesy
} {
  const clock = new VirtualClock()
  const said: string[] = []
  const say = (text: string): void => void said.push(text)
  const words = { onHazard: say, onStop: (reason: string) => say(`stop: ${reason}`) }
  const courtesy = new Courtesy(NO_QUOTA, { clock, isGentle: true, ...words, ...options })
  return { clock, said, courtesy }
}

test('a share is below a quarter', () => {
  for (const count of [1, 2, 4, 5, 8, 9, 60, 61, 1000])
    expect(shareOf({ count, windowSeconds: 60 })).toBeLessThan(count / 4)
  expect([2, 8, 60, 1000].map((count) => shareOf({ count, windowSeconds: 60 }))).toEqual([
    0, 1, 14, 249,
  ])
})

test('a 429 that the run did not cause is waited out by all calls, and told once', async () => {
  const { clock, said, courtesy } = courtesyOf()
  expect(courtesy.admit(CALL)).toBeUndefined()
  courtesy.settle(CALL, answer(429, [['Retry-After', '7']]))
  const startedMs = clock.nowMs()
  await courtesy.admit(CALL)
  expect(clock.nowMs() - startedMs).toBe(7_000)
  courtesy.settle(CALL, answer(429, [['Retry-After', '1']]))
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('answered 429 to listServices')
})

test('brief contention of purchases is no sign of others', () => {
  const { said, courtesy } = courtesyOf()
  const purchase = { operation: 'createOrder' } as Call
  courtesy.settle(purchase, answer(429, [['Retry-After', '1']]))
  expect(courtesy.admit(CALL)).toBeUndefined()
  expect(said).toEqual([])
})

test('server errors in a row are paused for, longer each time, and end the run in the end', async () => {
  const { clock, said, courtesy } = courtesyOf()
  const pauses: number[] = []
  for (let round = 0; round < 4; round++) {
    for (let error = 0; error < 5; error++) courtesy.settle(CALL, answer(503))
    const startedMs = clock.nowMs()
    await courtesy.admit(CALL)
    pauses.push((clock.nowMs() - startedMs) / 1000)
  }
  expect(pauses).toEqual([5, 10, 20, 0])
  expect(said.at(-1)).toMatch(/^stop: the target seems overloaded/)
})

test('an answer between them, and a provider that does not answer, are no distress', () => {
  const { said, courtesy } = courtesyOf()
  for (let round = 0; round < 20; round++)
    courtesy.settle(CALL, answer(round % 4 === 3 ? 404 : 500))
  const silent = { ...answer(504), json: { statusCode: 14 } }
  for (let round = 0; round < 20; round++) courtesy.settle(CALL, silent)
  expect(said).toEqual([])
})

test('where load is permitted nothing is backed off from', () => {
  const { said, courtesy } = courtesyOf({ isGentle: false })
  for (let error = 0; error < 50; error++) courtesy.settle(CALL, answer(503))
  courtesy.settle(CALL, answer(429, [['Retry-After', '60']]))
  expect(courtesy.admit(CALL)).toBeUndefined()
  expect(said).toEqual([])
})

test('a number of requests is kept', () => {
  const { courtesy } = courtesyOf({ requestsMax: 2, isGentle: false })
  expect(courtesy.admit(CALL)).toBeUndefined()
  expect(courtesy.admit(CALL)).toBeUndefined()
  expect(() => courtesy.admit(CALL)).toThrow(Withheld)
})
