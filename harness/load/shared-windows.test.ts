import { expect, test } from 'vitest'
import type { PlannedAttempt } from './planned-attempt.ts'
import { requireNarrow } from './shared-windows.ts'

const LIMITS = {
  default: { count: 40, windowSeconds: 2 },
  'orders.filtered': { count: 12, windowSeconds: 60 },
}

function openModel(...operations: string[]): PlannedAttempt {
  const plan = { file: { operations: Object.fromEntries(operations.map((each) => [each, {}])) } }
  const context = { target: { timing: 'strict' }, limits: LIMITS }
  return { kind: 'open-model', plan, context } as unknown as PlannedAttempt
}

function windows(...partitions: string[]): PlannedAttempt {
  const streams = partitions.map((partition) => ({ partition }))
  const file = { streams: partitions.map(() => ({ windowSeconds: 2, slackMs: 50 })) }
  return { kind: 'windows', plan: { file, streams } } as unknown as PlannedAttempt
}

test('clocks that differ by half of the shortest window leave nothing to judge', () => {
  expect(() => requireNarrow(openModel('services', 'masked'), 949)).not.toThrow()
  expect(() => requireNarrow(openModel('services', 'masked'), 950)).toThrow(
    '--clock-skew-ms was 950, which leaves nothing to judge of windows of 2 s: less than 950 was expected',
  )
  expect(() => requireNarrow(openModel('masked', 'unhide'), 29_949)).not.toThrow()
  expect(() => requireNarrow(openModel('masked', 'unhide'), 29_950)).toThrow(/windows of 60 s/)
})

test('a window that one instance spends alone is not blurred by the clocks of others', () => {
  expect(() => requireNarrow(windows('a', 'b'), 5000)).not.toThrow()
  expect(() => requireNarrow(windows('a', 'b', 'a'), 5000)).toThrow(/--clock-skew-ms was 5000/)
  expect(() => requireNarrow({ kind: 'bursts' } as PlannedAttempt, 5000)).not.toThrow()
})
