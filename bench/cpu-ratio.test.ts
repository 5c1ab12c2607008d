import { expect, test } from 'vitest'
import { WORKLOADS, compare } from './cpu-ratio.ts'

test.each(WORKLOADS.map((workload) => [workload.name, workload] as const))(
  '%s is measured on both servers, which answer alike',
  async (name, workload) => {
    const result = await compare(workload, { repeats: 1, requests: 50, connections: 2 })
    expect(result.name).toBe(name)
    for (const { samples, median } of [result.bare, result.reference, result.ratio]) {
      expect(samples).toBe(1)
      expect(median).toBeGreaterThan(0)
    }
  },
)
