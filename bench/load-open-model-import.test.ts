import { expect, test } from 'vitest'
import { OPEN_MODEL_IMPORT_CASES, measureOpenModelImport } from './load-open-model-import.ts'

const NAMES = [
  'mixed, 8 accounts, conforming',
  'polling, 8 accounts, every window and every answer broken',
  'checkout, 8 accounts, every window and every answer broken',
]

test.each(
  OPEN_MODEL_IMPORT_CASES.filter(({ name }) => NAMES.includes(name)).map(
    (each) => [each.name, each] as const,
  ),
)('%s is imported and judged in a process of its own', async (_, each) => {
  const result = await measureOpenModelImport(each, 20_000)
  expect(result.verdict).toBe(each.verdict)
  // Sessions that have begun by then are carried out to their end.
  expect(result.exchanges).toBeGreaterThanOrEqual(20_000)
  expect(Math.min(result.seconds, result.cpuSeconds, result.maxRssBytes)).toBeGreaterThan(0)
})
