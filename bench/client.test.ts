import { expect, test } from 'vitest'
import { compareClients } from './client.ts'

test('both clients are measured on one server', async () => {
  const result = await compareClients({ repeats: 1, requests: 50, inFlight: 2 })
  for (const { samples, median } of [result.bare, result.ours, result.ratio]) {
    expect(samples).toBe(1)
    expect(median).toBeGreaterThan(0)
  }
})
