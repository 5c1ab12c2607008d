import { describe, expect, it } from 'vitest'
import { FAULTS, FAULT_NAMES, type FaultName } from '../../reference/faults/faults.ts'
import { isFound, rowOf } from './fault-matrix.ts'
import { readMatrix, type StoredRow } from './stored-matrix.ts'

/** Checks named for a requirement that one test runs: any of them is to find the fault. */
const NAMED_MAX = 2

/**
 * Every `of`-th fault from `shard` on, against the checks that the matrix names for what it breaks: one of them finds it. That
 * nothing else turns red is compared by `npm run faults -- --compare`, which runs all checks.
 */
export function matrixTests(shard: number, of: number): void {
  const matrix = readMatrix()
  const mine = FAULT_NAMES.filter((_, index) => index % of === shard)

  describe(`faults against the checks named for them, part ${shard + 1} of ${of}`, () => {
    it.each(mine)('%s', async (fault: FaultName) => {
      const stored = matrix[fault]
      expect(stored, 'run npm run faults -- --write, and review what changed').toBeDefined()
      if (!stored) return
      const row = await rowOf(fault, new Set(), namedFor(stored))
      expect(isFound(row), `no check found that ${FAULTS[fault].breaks} is broken`).toBe(true)
      expect(row.errors).toEqual([])
    })
  })
}

/** Where what an invariant holds exchanges against comes from, and purchases that succeed beside those that must not. */
const CONTROLS: Readonly<Record<string, string>> = {
  'idempotency.every-mark': 'idempotency.replay',
  'orders.every-replayed-code': 'reading.revealed-codes',
  'reading.no-code-leaks-unhide-false': 'reading.revealed-codes',
  'validation.kinds': 'orders.top-up-create',
}

function namedFor({ red, breaks, traffic }: StoredRow): ReadonlySet<string> {
  const named = Object.keys(red).filter((id) => red[id]?.includes(breaks))
  const controls = named.flatMap((id) => CONTROLS[id] ?? [])
  return new Set([...named.slice(0, NAMED_MAX), ...traffic, ...controls])
}
