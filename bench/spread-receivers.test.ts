import { expect, test } from 'vitest'
import { startService } from './spread-receivers.ts'

test('the service notes purchases, not reads, and forgets what was taken', async () => {
  await using service = await startService()
  const url = `http://127.0.0.1:${service.port}/api/v1/orders`
  for (const method of ['POST', 'GET', 'POST']) {
    const answer = await fetch(url, { method, ...(method === 'POST' && { body: '{}' }) })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ status: 'SUCCESS', statusCode: 0 })
  }
  const [first = 0, second = 0, ...more] = await service.take()
  expect(second).toBeGreaterThan(first)
  expect(more).toEqual([])
  expect(await service.take()).toEqual([])
})
