import { expect, test } from 'vitest'
import { IMPORT_CASES, measureImport } from './load-import.ts'

test.each(
  IMPORT_CASES.filter(({ streams }) => streams === 1).map((each) => [each.name, each] as const),
)('%s is imported and judged in a process of its own', async (_, each) => {
  const result = await measureImport(each, 10_000)
  expect(result).toMatchObject({ exchanges: 10_000, verdict: each.verdict })
  expect(Math.min(result.seconds, result.cpuSeconds, result.maxRssBytes)).toBeGreaterThan(0)
})
