import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { capacityOf, paced } from './paced.ts'
import { type ServiceRequest, createService } from './service.ts'

const REQUEST: ServiceRequest = {
  method: 'GET',
  url: '/whoami',
  headers: [],
  body: new Uint8Array(),
  remoteAddress: '127.0.0.1',
  isGone: () => false,
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('serves what its workers can, in the order of arrival, whatever comes', async () => {
  const pace = { workers: 2, serviceMs: 50 }
  const service = paced(createService(), pace)
  const ended: number[] = []
  const startMs = performance.now()
  for (let index = 0; index < 100; index++)
    void service.handle(REQUEST).then(() => ended.push(performance.now() - startMs))
  await vi.advanceTimersByTimeAsync(1000)
  expect(ended).toHaveLength(capacityOf(pace))
  expect(ended.slice(0, 4)).toEqual([50, 50, 100, 100])
})

it('does not save up idle time', async () => {
  const service = paced(createService(), { workers: 1, serviceMs: 100 })
  await vi.advanceTimersByTimeAsync(5000)
  let ended = 0
  for (let index = 0; index < 10; index++) void service.handle(REQUEST).then(() => ended++)
  await vi.advanceTimersByTimeAsync(250)
  expect(ended).toBe(2)
})

it('answers what the service answers', async () => {
  const service = createService()
  const answer = paced(service, { workers: 1, serviceMs: 1 }).handle(REQUEST)
  await vi.advanceTimersByTimeAsync(5)
  expect((await answer).status).toBe((await service.handle(REQUEST)).status)
})

it.each([
  { workers: 0, serviceMs: 10 },
  { workers: 1.5, serviceMs: 10 },
  { workers: 1, serviceMs: 0 },
])('refuses %o', (pace) => {
  expect(() => paced(createService(), pace)).toThrow(RangeError)
})
